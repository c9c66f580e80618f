(* $ echo 'let v = 1' > dep.ml && ocamlc -c dep.ml && mv dep.cmi other.cmi && ocamlc -c FILE *)
let () = print_int Other.v
