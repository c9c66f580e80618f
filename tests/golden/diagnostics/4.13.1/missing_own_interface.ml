(* $ touch missing_own_interface.mli && ocamlc -c FILE *)
let x = 1
