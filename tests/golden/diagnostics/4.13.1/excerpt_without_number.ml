(* $ ocamlc -w +29 -c FILE *)
let h (x : int) = x
(* "*)let k = "*)"
