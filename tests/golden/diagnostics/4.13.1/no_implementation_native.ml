(* $ ocamlc -c no_implementation_native_part.mli && ocamlopt FILE -o program *)
let () = print_int No_implementation_native_part.number
