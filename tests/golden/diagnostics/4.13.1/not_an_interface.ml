(* $ echo hello > dep.cmi && ocamlc -c FILE *)
let () = print_int Dep.v
