(* $ ocamlc -c absent.ml *)
