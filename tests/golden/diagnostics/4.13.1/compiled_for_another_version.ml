(* $ printf 'Caml1999I001xxxxxxxxxxxxxxxxxxxxxxxxxxxx' > dep.cmi && ocamlc -c FILE *)
let () = print_int Dep.v
