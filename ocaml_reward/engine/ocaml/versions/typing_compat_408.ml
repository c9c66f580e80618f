(* What differs between compiler-libs versions around typing: OCaml 4.08 to 5.2. *)

let set_unit name = Env.set_unit_name name
let message (report : Location.report) = Format.asprintf "%t" report.main.txt
let forget_names = Printtyp.reset
