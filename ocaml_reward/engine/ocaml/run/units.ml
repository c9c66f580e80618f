(* Names of our own compilation units, as the compiler knows them.  OCaml source cannot write a
   dash in a name. *)

let harness = "Ocaml-reward-harness"
let pristine = "Ocaml-reward-pristine"
let suites = "Ocaml-reward-suites"
let ounit = "Ocaml-reward-ounit"
let rebuild = "Ocaml-reward-rebuild"
