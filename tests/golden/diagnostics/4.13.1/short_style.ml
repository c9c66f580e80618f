(* $ ocamlc -error-style short -c FILE *)
let f = function Some x -> x + "one"
let g = (1 + 2
