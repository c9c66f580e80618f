(* $ ocamlc -color always -c FILE *)
let head = function x :: _ -> x
let size = List.lenght []
