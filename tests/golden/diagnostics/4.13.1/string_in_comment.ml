let a = 1
(* an open "string here *)
let b = 2
