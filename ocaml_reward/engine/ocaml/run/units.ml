let harness = "Ocaml-reward-harness"
let pristine = "Ocaml-reward-pristine"
let ounit = "Ocaml-reward-ounit"
let rebuild = "Ocaml-reward-rebuild"
