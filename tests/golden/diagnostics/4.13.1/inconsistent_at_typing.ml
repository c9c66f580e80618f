(* $ echo 'type t = int' > dep.ml && ocamlc -c dep.ml && echo 'let v : Dep.t = 1' > mid.ml && ocamlc -c mid.ml && echo 'type t = char' > dep.ml && ocamlc -c dep.ml && ocamlc -c FILE *)
let a : Dep.t = Mid.v
