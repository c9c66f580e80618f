(* Checks that have to be decided beside the code are, and by the assertion itself. *)

(* # What the reference moves beside the code is decided there: a check that the reference passes
   beside the code alone fails for wrong code. *)
(* tests: a function inside *)
let () = assert (List.of_seq (nats 3) = [0; 1; 2])
let () = assert (match nats 1 () with Seq.Cons (0, _) -> true | _ -> false)
(* reference and code *) let nats n = Seq.unfold (fun i -> if i < n then Some (i, i + 1) else None) 0
(* expect checks: 2 passed *)

(* code *) let nats n = Seq.unfold (fun i -> if i < n then Some (i + 9, i + 1) else None) 0
(* expect checks: 2 failed *)

(* tests: the sign of zero *)
let () = assert (1. /. neg 0. = neg_infinity)
let () = assert (neg 2. = -2.)
(* reference and code *) let neg x = -. x
(* expect checks: 2 passed *)

(* code *) let neg _ = 5.
(* expect checks: 2 failed *)

(* # What is not reached is not asked: right code passes tests whose second part makes sense
   behind the first alone. *)
(* tests: state *)
let s = create ()
let () = assert (add s 1 || add s 2)
let () = assert (size s = 1)
(* reference or none, and code *)
let create () = ref []
let add s x = s := x :: !s; true
let size s = List.length !s
(* expect checks: 2 passed *)

(* tests: a branch *)
let s = create ()
let () = assert (if size s = 0 then add s 7 else add s 8 && add s 9)
let () = assert (size s = 1)
(* expect checks: 2 passed *)

(* tests: a value that is none *)
let () = let x = f 3 in assert (x = 0 || halves x > 0)
let () = assert (halves 8 = 3)
(* reference or none, and code *)
let f x = x - 3
let halves n = let rec go n a = if n = 1 then a else go (n / 2) (a + 1) in go n 0
(* expect checks: 2 passed *)

(* tests: the same call *)
let () = assert (f 3 = 0 || halves (f 3) > 0)
let () = assert (f 5 = 2)
(* expect checks: 2 passed *)

(* # Binding operators of the tests own: what defines an operator in use is kept, on every way to
   judge. *)
(* tests *)
let ( let* ) = Option.bind
let r = let* x = f 1 in let* y = f 2 in Some (x + y)
let () = assert (r = Some 5)
let () = assert (f 0 = Some 1)
(* reference or none, and code *) let f x = Some (x + 1)
(* expect checks: 2 passed *)

(* code *) let f _ = None
(* expect checks: 2 failed *)

(* tests *)
let ( let+ ) o f = Option.map f o
let ( and+ ) a b = Option.bind a (fun x -> Option.map (fun y -> x, y) b)
let r = let+ x = f 1 and+ y = f 2 in x + y
let () = assert (r = Some 5)
let () = assert (f 0 = Some 1)
(* code *) let f x = Some (x + 1)
(* expect checks: 2 passed *)
(* code *) let f _ = None
(* expect checks: 2 failed *)
