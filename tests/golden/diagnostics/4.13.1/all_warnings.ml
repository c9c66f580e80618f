(* $ ocamlc -w +a-70 -c FILE *)
open List

let rec unused a b = match a with 0 -> 1 | 0 -> 2 | _ -> 3
type r = { x : int; y : int }
let f { x } = x
let g ?(opt = 1) = opt
let h (x : int) = ignore (max x); x
let _ = ((* *)
  1)
(** A comment that documents nothing. *)
