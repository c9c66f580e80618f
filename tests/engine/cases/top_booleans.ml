(* A boolean that stands as a statement of the tests is one check, wherever OCaml lets it stand; where
   nobody can tell whether it is a boolean, the problem is refused. *)
(* engines: warm stock *)

(* # A statement that is a boolean is a check. *)
(* code: right *)
let f n = if n = 99 then 0 else n * 2
let valid s = String.length s = 2 && s <> "zz"
(* code: wrong *)
let f n = if n = 2 || n = 3 then 0 else n * 2
let valid s = String.length s = 2 && s <> "b2"
(* code: wrong in 2 *)
let f n = if n = 2 then 0 else n * 2
let valid s = String.length s = 2 && s <> "zz"
(* code: wrong in 3 *)
let f n = if n = 3 then 0 else n * 2
let valid s = String.length s = 2 && s <> "zz"
(* code: wrong in b2 *)
let f n = if n = 99 then 0 else n * 2
let valid s = String.length s = 2 && s <> "b2"

(* tests: evaluated *)
assert (f 1 = 2);;
assert (valid "a1");;
f 2 = 4;; f 3 = 6;; valid "b2";;
(* reference or none: right *)
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: dropped *)
assert (f 1 = 2);;
assert (valid "a1");;
let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2"
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: dropped with a type *)
assert (f 1 = 2);;
assert (valid "a1");;
let _ : bool = f 2 = 4 let _ : bool = f 3 = 6 let _ : bool = valid "b2"
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: with a type *)
assert (f 1 = 2);;
assert (valid "a1");;
(f 2 = 4 : bool);; (f 3 = 6 : bool);; (valid "b2" : bool);;
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: side by side *)
assert (f 1 = 2);;
assert (valid "a1");;
let _ = f 2 = 4 and _ = f 3 = 6 and _ = valid "b2"
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: in a module *)
assert (f 1 = 2);;
assert (valid "a1");;
module T = struct let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2" end
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: in a module, evaluated *)
assert (f 1 = 2);;
assert (valid "a1");;
module T = struct f 2 = 4;; f 3 = 6;; valid "b2";; end
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: in a module, with a type *)
assert (f 1 = 2);;
assert (valid "a1");;
module T = struct let _ : bool = f 2 = 4 let _ : bool = f 3 = 6 let _ : bool = valid "b2" end
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: in nested modules *)
assert (f 1 = 2);;
assert (valid "a1");;
module T = struct module U = struct let _ = f 2 = 4 end module V = struct f 3 = 6;; valid "b2";; end end
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: in a sealed module *)
assert (f 1 = 2);;
assert (valid "a1");;
module T : sig end = struct let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2" end
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: in an unsealed include *)
assert (f 1 = 2);;
assert (valid "a1");;
include struct let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2" end
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: in what is opened *)
assert (f 1 = 2);;
assert (valid "a1");;
open struct let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2" end
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: in a functor *)
assert (f 1 = 2);;
assert (valid "a1");;
module F (X : sig val n : int end) = struct let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2" end
module M = F (struct let n = 2 end)
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: in a functor applied twice *)
assert (f 1 = 2);;
assert (valid "a1");;
module F (X : sig val n : int end) = struct let _ = f X.n = X.n * 2 let _ = valid "b2" end
module M = F (struct let n = 2 end) module N = F (struct let n = 3 end)
(* for right expect checks: 4 passed *)
(* for wrong in 2 expect checks: 2 passed, raised, not_run *)
(* for wrong in 3 expect checks: 3 passed, raised *)
(* for wrong in b2 expect checks: 2 passed, raised, not_run *)

(* tests: in a functor of two *)
assert (f 1 = 2);;
assert (valid "a1");;
module F (X : sig val n : int end) (Y : sig val n : int end) = struct let _ = f X.n = 4 let _ = f Y.n = 6 let _ = valid "b2" end
module M = F (struct let n = 2 end) (struct let n = 3 end)
(* for right expect checks: 3 passed *)
(* for wrong in 2 expect checks: 2 passed, raised *)
(* for wrong in 3 expect checks: 2 passed, raised *)
(* for wrong in b2 expect checks: 2 passed, raised *)

(* tests: in a functor that is included *)
assert (f 1 = 2);;
assert (valid "a1");;
module F (X : sig end) = struct let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2" end
include F (struct end)
(* for right expect checks: 3 passed *)
(* for wrong in 2 expect checks: 2 passed, raised *)
(* for wrong in 3 expect checks: 2 passed, raised *)
(* for wrong in b2 expect checks: 2 passed, raised *)

(* tests: in a generative functor *)
assert (f 1 = 2);;
assert (valid "a1");;
module F () = struct let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2" end
module M = F ()
(* for right expect checks: 3 passed *)
(* for wrong in 2 expect checks: 2 passed, raised *)
(* for wrong in 3 expect checks: 2 passed, raised *)
(* for wrong in b2 expect checks: 2 passed, raised *)

(* tests: in a recursive module *)
assert (f 1 = 2);;
assert (valid "a1");;
module rec M : sig val x : unit -> int end = struct let x () = 1 let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2" end
(* for right expect checks: 3 passed *)
(* for wrong in 2 expect checks: 2 passed, raised *)
(* for wrong in 3 expect checks: 2 passed, raised *)
(* for wrong in b2 expect checks: 2 passed, raised *)

(* tests: in a module that is unpacked *)
assert (f 1 = 2);;
assert (valid "a1");;
module type S = sig val x : int end
module M = (val (module struct let x = 1 let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2" end : S))
(* for right expect checks: 3 passed *)
(* for wrong in 2 expect checks: 2 passed, raised *)
(* for wrong in 3 expect checks: 2 passed, raised *)
(* for wrong in b2 expect checks: 2 passed, raised *)

(* tests: in a local module *)
assert (f 1 = 2);;
assert (valid "a1");;
let () = let module M = struct let _ = f 2 = 4 let _ = f 3 = 6 let _ = valid "b2" end in ()
(* for right expect checks: 3 passed *)
(* for wrong in 2 expect checks: 2 passed, failed *)
(* for wrong in 3 expect checks: 2 passed, failed *)
(* for wrong in b2 expect checks: 2 passed, failed *)

(* tests: behind a definition *)
assert (f 1 = 2);;
assert (valid "a1");;
let _ = let x = 2 in f x = 4
let _ = let y = f 3 in y = 6
let _ = let s = "b2" in valid s
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: behind a statement *)
assert (f 1 = 2);;
assert (valid "a1");;
let _ = ignore 1; f 2 = 4
let _ = ignore 2; f 3 = 6
let _ = (); valid "b2"
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: in a branch *)
assert (f 1 = 2);;
assert (valid "a1");;
let _ = if true then f 2 = 4 else false
let _ = f 3 = 6 || false
let _ = match 1 with _ -> valid "b2"
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: by functions of the tests' own *)
assert (f 1 = 2);;
assert (valid "a1");;
let ok x = valid x
let eq a b = a = b;; eq (f 2) 4;; eq (f 3) 6;; ok "b2";;
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: by the library's *)
assert (f 1 = 2);;
assert (valid "a1");;
List.mem 4 [f 2];; List.for_all Fun.id [f 3 = 6];; Bool.equal true (valid "b2");;
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: by operators *)
assert (f 1 = 2);;
assert (valid "a1");;
4 |> ( = ) (f 2);; f 3 = 6;; valid @@ "b2";;
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: with an attribute *)
assert (f 1 = 2);;
assert (valid "a1");;
let _ = (f 2 = 4) [@a]
let _ = f 3 = 6 [@@a]
let _ = (valid "b2") [@a]
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)

(* tests: of a handler *)
assert (f 1 = 2);;
assert (valid "a1");;
let _ = try f 2 = 4 with _ -> false
let _ = f 3 = 6
let _ = try valid "b2" with Not_found -> raise Exit
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 2 passed, 3 failed *)
(* # Statements that are all there is: calls of one function may print as well as test. *)
(* tests *)
valid "a1";;
let _ = valid "b2"
(* expect refused: tests, line 1: unsupported: a statement whose type nothing says without a reference or a signature: *)

(* # A statement of which nobody knows is refused: it would be lost where it is a boolean; a
   signature says what it is. *)
(* tests *)
assert (f 1 = 2);;
valid "b2";;
let () = assert (f 4 = 8)
(* expect refused: tests, line 2: unsupported: a statement whose type nothing says without a reference or a signature: *)

(* signature *)
val f : int -> int
val valid : string -> bool
(* code *)
let f n = if n = 99 then 0 else n * 2
let valid s = String.length s = 2 && s <> "zz"
(* expect checks: 3 passed *)

(* code *)
let f n = if n = 99 then 0 else n * 2
let valid s = String.length s = 2 && s <> "b2"
(* expect checks: passed, failed, passed *)

(* signature *)
val f : int -> int
val valid : string -> unit
(* code *)
let f n = if n = 99 then 0 else n * 2
let valid s = String.length s = 2 && s <> "zz"
let valid _ = ()
(* expect checks: 2 passed *)

(* signature *)
(* tests *)
assert (f 1 = 2);;
let _ = valid "b2";;
let () = assert (f 4 = 8)
(* code *)
(* expect refused: tests, line 2: unsupported: a statement whose type nothing says without a reference or a signature: *)

(* signature *)
val f : int -> int
val valid : string -> bool
(* code *)
let f n = if n = 99 then 0 else n * 2
let valid s = String.length s = 2 && s <> "zz"
(* expect checks: 3 passed *)

(* code *)
let f n = if n = 99 then 0 else n * 2
let valid s = String.length s = 2 && s <> "b2"
(* expect checks: passed, failed, passed *)

(* signature *)
val f : int -> int
val valid : string -> unit
(* code *)
let f n = if n = 99 then 0 else n * 2
let valid s = String.length s = 2 && s <> "zz"
let valid _ = ()
(* expect checks: 2 passed *)

(* # A function that returns values of several types: one use of it does not say of which type
   another is. *)
(* tests *)
assert (last [1; 2] = 2);;
last ["a"; "b"] = "b";;
last [true; false] |> not;;
(* code *) let last l = List.nth l (List.length l - 1)
(* expect checks: 3 passed *)

(* # The prompt says of which type a statement is: by a declaration, or by the head of what is to
   be written. *)
(* code: right *)
let f n = if n = 99 then 0 else n * 2
let valid s = String.length s = 2 && s <> "zz"
(* code: wrong *)
let f n = if n = 99 then 0 else n * 2
let valid s = String.length s = 2 && s <> "b2"

(* prompt *)
```ocaml
val f : int -> int
val valid : string -> bool
```
Write both.
(* tests *)
assert (f 1 = 2);;
valid "b2";;
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* prompt *)
let f n = n * 2

(* Says whether. *)
let valid (s : string) : bool =

(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* prompt *)
Finish:
```ocaml
let f n = 0
let valid (s : string) : bool = failwith "?"
```
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)
