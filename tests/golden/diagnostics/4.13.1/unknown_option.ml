(* $ ocamlc -no-such-option FILE *)
let x = 1
