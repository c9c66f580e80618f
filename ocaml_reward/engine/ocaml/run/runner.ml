(* The last unit of the zygote: the code after [serve] runs in its locked children only.  There
   is no handler around the code, so that an exception ends it as in a stock program. *)

(* Serves requests; returns in a locked child, with what the harness skips. *)
external serve : unit -> string = "ocaml_reward_serve"

(* The image to run: the number of globals, literals with their places, and code. *)
external image : unit -> int * (int * Obj.t) list * Obj.t list = "ocaml_reward_image"

(* Makes room for so many globals. *)
external grow : int -> unit = "caml_realloc_global"

(* The table of globals. *)
external globals : unit -> Obj.t = "caml_get_global_data"

(* The code as a function. *)
external reify : Obj.t -> Obj.t array -> string option -> Obj.t * (unit -> Obj.t)
  = "caml_reify_bytecode"

(* Runs a unit's code, at a depth of the stack that is always the same. *)
external call : (unit -> Obj.t) -> unit = "ocaml_reward_call"

(* Room for the globals of most tests and code is made once. *)
let () = grow (Obj.size (globals ()))
let () = Gc.compact ()
let () = Harness.skip (serve ())

let () =
  let size, literals, codes = image () in
  if size > Obj.size (globals ()) then grow size;
  List.iter (fun (slot, literal) -> Obj.set_field (globals ()) slot literal) literals;
  List.iter (fun code -> call (snd (reify code [||] None))) codes
