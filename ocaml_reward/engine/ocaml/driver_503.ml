(* What differs between compiler-libs versions around typing: OCaml 5.3 and later. *)

let set_unit name =
  let source_file = String.uncapitalize_ascii name ^ ".ml" in
  Env.set_current_unit (Unit_info.make ~source_file Impl name)

let message (report : Location.report) =
  Format.asprintf "%a" Format_doc.Doc.format report.main.txt

(* A typing that fails goes back by itself to the level of the item it was at. *)
let levels () = ()
let recover () = ()

(* Leaves the levels as they were. *)
let with_levels work = Ctype.with_level ~level:(Ctype.get_current_level ()) work
