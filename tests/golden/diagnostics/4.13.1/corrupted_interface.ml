(* $ echo 'let v = 1' > dep.ml && ocamlc -c dep.ml && head -c 30 dep.cmi > cut && mv cut dep.cmi && ocamlc -c FILE *)
let () = print_int Dep.v
