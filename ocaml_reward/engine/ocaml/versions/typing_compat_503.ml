(* What differs between compiler-libs versions around typing: OCaml 5.3 and later. *)

let set_unit name =
  let source_file = String.uncapitalize_ascii name ^ ".ml" in
  Env.set_current_unit (Unit_info.make ~source_file Impl name)

let message (report : Location.report) =
  Format.asprintf "%a" Format_doc.Doc.format report.main.txt

let forget_names = Out_type.reset
