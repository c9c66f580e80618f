(* Runs numbered checks and reports each one on its own.

   This unit is linked before the code and compiled against nothing of it, so every name
   here is the standard library's.  Its own unit name cannot be written in OCaml source
   (see build.py), which keeps the code under test from calling it. *)

external start : unit -> string = "ocaml_reward_start"
external enter : string -> unit = "ocaml_reward_enter"
external leave : string -> string -> unit = "ocaml_reward_leave"
external finish : unit -> unit = "ocaml_reward_finish"

(* An assertion that says why it does not hold; the code cannot name this exception. *)
exception Rejected of string

(* Runs when the unit is initialised, that is, before the code's own first line. *)
let skipped = String.split_on_char ',' (start ())

let describe e =
  (* Printers registered by the code run here: they may raise or return anything. *)
  match Printexc.to_string e with
  | text -> if String.length text > 200 then String.sub text 0 200 else text
  | exception _ -> "an exception whose printer raises"

let reason = function
  | Assert_failure _ -> ("failed", "")
  | Rejected why -> ("failed", if String.length why > 200 then String.sub why 0 200 else why)
  | Stack_overflow -> ("stack_overflow", "")
  | Out_of_memory -> ("out_of_memory", "")
  | e -> ("raised", describe e)

let ended index (outcome, detail) =
  leave ("end " ^ string_of_int index ^ " " ^ outcome) detail

(* A boolean assertion. *)
let check index assertion =
  if not (List.mem ("c" ^ string_of_int index) skipped) then begin
    enter ("begin " ^ string_of_int index);
    match assertion () with
    | true -> ended index ("passed", "")
    | false -> ended index ("failed", "")
    | exception e -> ended index (reason e)
  end

(* A statement that asserts by raising: it passes when it returns. *)
let run index statement =
  check index (fun () -> ignore (statement ()); true)

(* One top-level statement of the tests, holding the checks [first] to [last]. *)
let guard item first last statement =
  let range = Printf.sprintf "%d %d %d" item first last in
  if not (List.mem ("g" ^ string_of_int item) skipped) then begin
    enter ("item " ^ range);
    match statement () with
    | () -> leave ("item_end " ^ range) ""
    | exception e ->
      let outcome, detail = reason e in
      leave ("item_raised " ^ range ^ " " ^ outcome) detail
  end

(* A definition that the rest of the tests needs. *)
let setup definition =
  match definition () with
  | defined -> defined
  | exception e ->
    let outcome, detail = reason e in
    leave ("setup_raised " ^ outcome) detail;
    finish ();
    raise e
