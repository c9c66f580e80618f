(* Names of our own compilation units.  The dash keeps them out of reach: no OCaml source
   can write one. *)

let harness = "Ocaml-reward-harness"
let pristine = "Ocaml-reward-pristine"
let ounit = "Ocaml-reward-ounit"
let rebuild = "Ocaml-reward-rebuild"
