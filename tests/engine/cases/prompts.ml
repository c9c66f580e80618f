(* What a prompt defines belongs to the tests, and what it asks for is the code's. *)

(* # What the prompt defines belongs to the tests: code need not repeat it and cannot replace it,
   where it is not what is asked for. *)
(* code: short *) let f x = x +. 1.
(* code: right *)
let eps = 1e-6
let approx a b =
  abs_float (a -. b) < eps
let f x = x +. 1.

(* prompt *)
With
```ocaml
let eps = 1e-6
let approx a b =
  abs_float (a -. b) < eps
```
write `f`.
(* tests: prose *)
let () = assert (approx (f 1.) 2.)
let () = assert (not (approx (f 2.) 2.))
(* for short expect checks: 2 passed *)
(* for right expect checks: 2 passed *)

(* code *)
let approx a b = a = 1. && b = 2.
let f x = x
(* expect checks: 2 failed *)

(* code *)
let eps = 1e9
let f x = x
(* expect checks: 2 failed *)

(* prompt *)
let eps = 1e-6
let approx a b =
  abs_float (a -. b) < eps

(* Adds one. *)
let f (x : float) : float =

(* code: to be continued *)
let f (x : float) : float =
  x +. 1.
(* expect checks: 2 passed *)

(* code *)
let f (x : float) : float =
  x
(* expect checks: 2 failed *)

(* code *)
let f (x : float) : float =
  x
let approx a _ = a = 1.
(* expect checks: 2 failed *)

(* prompt *)
Mend it:
```ocaml
let f x = x
let approx a b = a < b
```
(* for right expect checks: 2 passed *)
(* for short expect stage: interface_error *)

(* prompt *)
Finish it:
```ocaml
let eps = 1e-6
let approx a b =
  abs_float (a -. b) < eps
let f x = failwith "?"
```
(* for short expect checks: 2 passed *)

(* code *) let f x = x
(* expect checks: 2 failed *)

(* prompt *)
Finish it:
```ocaml
let eps = 1e-6
let approx a b =
  abs_float (a -. b) < eps
let f x = 0.
```
(* for short expect checks: 2 passed *)
(* expect checks: 2 failed *)

(* prompt *)
Write f and mend:
```ocaml
let approx a b = a = b
```
(* reference: right *)
(* for right expect checks: 2 passed *)

(* code *)
let approx a b = a < b
let f x = x +. 1.
(* expect checks: failed, passed *)

(* prompt *)
```ocaml
let approx a b = a = b
```
(* signature *)
val f : float -> float
val approx : float -> float -> bool
(* reference *)
(* for right expect checks: 2 passed *)
(* for short expect stage: interface_error *)

(* # A module that prose asks for: it is the code's, whatever the library has by its name. *)
(* prompt *) Implement a module Stack of lists.
(* tests *) let () = assert (Stack.push 1 Stack.empty = [1])
(* code *) module Stack = struct let empty = [] let push x s = x :: s end
(* expect checks: passed *)

(* # Not the operators in it, which would do as well. *)
(* prompt *) Stacks of lists, as a module with push and empty.
(* tests *)
let s = Stack.(empty |> push 1 |> push 2)
let () = assert (s = [2; 1])
(* code *) module Stack = struct let empty = [] let push x s = x :: s end
(* expect checks: passed *)

(* # A function that prose asks for is the code's, whatever the library has by its name, if a
   reference defines it. *)
(* reference and code *)
type nat = Z | S of nat
let rec compare a b = match a, b with Z, Z -> 0 | Z, _ -> -1 | _, Z -> 1 | S a, S b -> compare a b
let succ n = S n
(* tests: asked for *)
let () = assert (compare (succ Z) Z = 1)
let () = assert (compare (S (S Z)) (S (S (S Z))) = -1)
(* prompt *) For `type nat = Z | S of nat` write `compare : nat -> nat -> int` and `succ : nat -> nat`.
(* expect checks: 2 passed *)
(* prompt *) For `type nat = Z | S of nat`, define the functions `compare a b` and `succ`.
(* expect checks: 2 passed *)

(* # What a reference does not define is only spoken of. *)
(* prompt *) Write `f a b` as a function `compare : int -> int -> int`.
(* tests *)
let () = assert (compare (f 1 2) 0 < 0)
let () = assert (compare 0 (f 1 1) = 0)
(* reference and code *) let f a b = a - b
(* expect checks: 2 passed *)
(* code *)
let f _ _ = 0
let compare _ _ = 0
(* expect checks: failed, passed *)
