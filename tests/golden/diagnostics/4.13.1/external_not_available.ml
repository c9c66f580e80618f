(* $ ocamlc FILE -o program *)
external measure : int -> int = "no_such_primitive"

let () = print_int (measure 1)
