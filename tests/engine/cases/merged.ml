(* Errors that are found and not counted, each with the reason. *)
(* engines: warm stock *)

(* # What is not counted has a reason: the reason, and the line of each error that is merged into
   those that count. *)
(* input *)

(* output *)

(* code: a field, missed twice *)
type t = { a : int }
let f r = r.b + 1
let g r = r.b * 2
(* expect type errors: 1
   merged: follows in line 3 *)

(* code: a lost module *)
module M = Nope
let x = M.y
(* expect type errors: 1
   merged: follows in line 2 *)

(* code: one within another *) let rec len l = match l with [] -> "0" | _ :: t -> 1 + len t
(* expect type errors: 1
   merged: wider in line 1 *)

(* code: a definition that no use fits *)
let scale k v = k * v
let a = scale 2.0 3.0
let b = scale 1.5 2.5
(* expect type errors: 1
   merged: one_cause in line 2, one_cause in line 3, one_cause in line 3 *)

(* code: an operator between two *)
let f x = x + 1
let g x = (x + 1) ^ (x * 2)
(* expect type errors: 1
   merged: one_hole in line 2 *)

(* code: two mistakes *)
let f x = x + 1.0
let g y = y ^ 2
(* expect type errors: 2
   merged:  *)
