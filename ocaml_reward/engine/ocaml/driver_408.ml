(* What differs between compiler-libs versions around typing: OCaml 4.08 to 5.0. *)

let set_unit name = Env.set_unit_name name
let message (report : Location.report) = Format.asprintf "%t" report.main.txt

let levels = Ctype.save_levels

(* After a typing that failed: the levels of before, but never below what it has reached.
   Names that it left in environments have such scopes, and a name may not be typed below
   its own. *)
let recover levels =
  let reached = Ctype.get_current_level () in
  Ctype.set_levels levels;
  while Ctype.get_current_level () < reached do
    ignore (Ctype.create_scope ())
  done

(* Leaves the levels as they were. *)
let with_levels work =
  let before = levels () in
  Fun.protect ~finally:(fun () -> Ctype.set_levels before) work
