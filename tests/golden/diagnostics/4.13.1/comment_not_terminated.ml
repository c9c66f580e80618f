let a = 1
(* this never ends
let b = 2
