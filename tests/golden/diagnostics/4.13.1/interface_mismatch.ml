(* $ ocamlc -c interface_mismatch.mli && ocamlc -c FILE *)
let add a b = a +. b
let name = "adder"
