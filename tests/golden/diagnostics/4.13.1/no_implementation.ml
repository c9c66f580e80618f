(* $ ocamlc -c no_implementation_part.mli && ocamlc FILE -o program *)
let () = print_int No_implementation_part.number
