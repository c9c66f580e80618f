(* Runs every image of a file in this one process, one after the other, some rounds.

   run IMAGES ROUNDS TIMES, linked as the runner is, with an unlocked harness *)

external globals : unit -> Obj.t = "caml_get_global_data"
external grow : int -> unit = "caml_realloc_global"

external reify : Obj.t -> Obj.t array -> string option -> Obj.t * (unit -> Obj.t)
  = "caml_reify_bytecode"

let run image =
  let size, literals, codes = (Marshal.from_string image 0 : int * (int * Obj.t) list * Obj.t list) in
  if size > Obj.size (globals ()) then grow size;
  List.iter (fun (slot, literal) -> Obj.set_field (globals ()) slot literal) literals;
  List.iter (fun code -> ignore (snd (reify code [||] None) ())) codes

let () =
  let channel = open_in_bin Sys.argv.(1) in
  let rec all found =
    match (Marshal.from_channel channel : string) with
    | image -> all (image :: found)
    | exception End_of_file -> List.rev found
  in
  let images = all [] in
  let times = open_out Sys.argv.(3) in
  for _ = 1 to int_of_string Sys.argv.(2) do
    let started = Sys.time () in
    List.iter (fun image -> try run image with _ -> ()) images;
    Printf.fprintf times "%.3f\n%!" ((Sys.time () -. started) *. 1e3)
  done
