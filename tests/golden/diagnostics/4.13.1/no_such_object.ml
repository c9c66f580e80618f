(* $ ocamlc absent.cmo *)
