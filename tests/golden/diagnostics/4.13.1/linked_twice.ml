(* $ echo 'let v = 1' > dep.ml && ocamlc dep.ml dep.ml FILE -o program *)
let x = Dep.v
