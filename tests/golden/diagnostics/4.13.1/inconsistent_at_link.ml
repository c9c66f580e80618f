(* $ echo 'let v = 1' > dep.ml && ocamlc -c dep.ml && ocamlc -c FILE && echo 'let v = 1.' > dep.ml && ocamlc -c dep.ml && ocamlc dep.cmo inconsistent_at_link.cmo -o program *)
let () = print_int Dep.v
