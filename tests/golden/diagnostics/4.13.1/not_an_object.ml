(* $ echo hello > dep.cmo && ocamlc dep.cmo FILE -o program *)
let () = ()
