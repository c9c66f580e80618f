(* What a problem gives stands before code that does not define it itself, once for code and tests: a
   completion may repeat it, in part or not at all. *)
(* engines: warm stock *)

(* # It stands before code that has it not: with a reference, which may leave it out, too, and without. *)
(* prompt: a type in a fence *)
Given
```ocaml
type tree = Leaf | Node of tree * int * tree
```
write it.
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* reference or none, and code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)
type tree = Leaf | Node of tree * int * tree
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)
type tree =
  | Leaf
  | Node of tree * int * tree
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)
type h = Leaf | H of int
let rec size (t : tree) = match t with Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)
module M = struct
  type tree = Leaf | Node of tree * int * tree
  let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
end
include M
(* expect verdict: passed *)
(* code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + size r
(* expect verdict: failed_tests *)
(* code *)
type tree = L | N of tree * int * tree
let rec size = function L -> 0 | N (l, _, r) -> size l + 1 + size r
(* expect verdict: interface_error *)

(* prompt: in prose *)
Given

type tree = Leaf | Node of tree * int * tree

write `size`.
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* reference or none, and code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)
type tree = Leaf | Node of tree * int * tree
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)

(* prompt: in prose, indented *)
Write size.

The code begins with these:

    type tree = Leaf | Node of tree * int * tree

It is:

    size Leaf = 0
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* reference or none, and code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)
type tree = Leaf | Node of tree * int * tree
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)

(* prompt: in backticks *)
Given `type tree = Leaf | Node of tree * int * tree`, write `size`.
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* reference or none, and code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)

(* prompt: alone *)
type tree = Leaf | Node of tree * int * tree
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* reference or none, and code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)
type tree = Leaf | Node of tree * int * tree
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)

(* prompt: before a definition *)
(** Trees. *)
type tree = Leaf | Node of tree * int * tree

let rec size t =
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* reference or none, and code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)  match t with Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)

(* prompt: beside declarations *)
Given
```ocaml
type tree = Leaf | Node of tree * int * tree

val size : tree -> int
(** The size. *)

val depth : tree -> int
```
write it.
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* reference or none, and code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)
type tree = Leaf | Node of tree * int * tree
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *) let x = 1
(* expect verdict: interface_error *)

(* prompt: beside a stub *)
Given
```ocaml
type tree = Leaf | Node of tree * int * tree
let size t = failwith "TODO"
```
write it.
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* reference or none, and code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *) let x = 1
(* expect verdict: interface_error *)

(* prompt: in a session *)
Given
```ocaml
# type tree = Leaf | Node of tree * int * tree;;
type tree = Leaf | Node of tree * int * tree
# size Leaf;;
- : int = 0
```
write it.
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* reference or none, and code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)
type tree = Leaf | Node of tree * int * tree
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)

(* prompt: beside examples *)
Given
```ocaml
type tree = Leaf | Node of tree * int * tree
```
and
```ocaml
let t = Node (Leaf, 1, Leaf)
let () = assert (size t = 1)
let n = size t
```
write it.
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* reference or none, and code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
let two = n + 1
(* expect verdict: type_error *)

(* prompt: in two fences *)
Given
```ocaml
type a = A of int
```
and
```ocaml
type c = Red | Blue
```
write it.
(* tests *) let () = assert (f (A 1) = Red)
(* reference or none, and code *) let f (A n) = if n > 0 then Red else Blue
(* expect verdict: passed *)
(* code *)
type a = A of int
let f (A n) = if n > 0 then Red else Blue
(* expect verdict: passed *)

(* prompt: types of each other *)
Given
```ocaml
type node = {kids : tree list}
and tree = T of node
```
write it.
(* tests *) let () = assert (f {kids = [T {kids = []}]} = 1)
(* reference or none, and code *) let f n = List.length n.kids
(* expect verdict: passed *)

(* prompt: a record that changes *)
Given
```ocaml
type p = {mutable x : int; y : int}
```
write it.
(* tests *) let () = let p = {x = 1; y = 2} in f p; assert (p.x = 2)
(* reference or none, and code *) let f p = p.x <- p.x + p.y - 1
(* expect verdict: passed *)
(* code *) let f p = p.x <- p.y + 1
(* expect verdict: failed_tests *)

(* prompt: a GADT *)
Given
```ocaml
type _ expr =
  | Int : int -> int expr
  | Add : int expr * int expr -> int expr
  | If : bool * 'a expr * 'a expr -> 'a expr
```
write it.
(* tests *) let () = assert (eval (Add (Int 1, If (true, Int 2, Int 3))) = 3)
(* reference or none, and code *)
let rec eval : type a. a expr -> a = function Int n -> n | Add (a, b) -> eval a + eval b | If (c, a, b) -> if c then eval a else eval b
(* expect verdict: passed *)

(* prompt: an exception *)
Given
```ocaml
exception Bad of int
```
write it.
(* tests *) let () = assert (try f 0 with Bad n -> n = 0)
(* reference or none, and code *) let f n = raise (Bad n)
(* expect verdict: passed *)
(* code *)
exception Bad of int
let f n = raise (Bad n)
(* expect verdict: passed *)
(* code *) let f n = raise (Bad 1)
(* expect verdict: failed_tests *)

(* prompt: a module type *)
Given
```ocaml
module type START = sig val start : int end
```
write it.
(* tests *)
module C = Count (struct let start = 3 end)
let () = C.tick (); assert (C.get () = 4)
(* reference or none, and code *)
module Count (S : START) = struct let n = ref S.start let tick () = incr n let get () = !n end
(* expect verdict: passed *)

(* prompt: a module of a type *)
Given
```ocaml
module H = struct type t = A | B of int let zero = A end
```
write it.
(* tests *) let () = assert (f (H.B 1) = H.A)
(* reference or none, and code *) let f = function H.A -> H.B 0 | H.B _ -> H.zero
(* expect verdict: passed *)

(* prompt: a class *)
Given
```ocaml
class point (i : int) = object
  val mutable x = i
  method get = x
  method move = x <- x + 1
end
```
write it.
(* tests *) let () = let p = f 3 in p#move; assert (p#get = 4)
(* reference or none, and code *) let f n = new point n
(* expect verdict: passed *)

(* prompt: a helper of a type *)
Given
```ocaml
type tree = Leaf | Node of tree * int * tree
```
and
```ocaml
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
```
write it.
(* tests *) let () = assert (f (Node (Leaf, 1, Leaf)) = 3)
(* reference or none, and code *) let f t = size t + 2
(* expect verdict: passed *)
(* code *)
type tree = Leaf | Node of tree * int * tree
let f t = size t + 2
(* expect verdict: passed *)
(* code *)
type tree = Leaf | Node of tree * int * tree
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
let f t = size t + 2
(* expect verdict: passed *)
(* code *)
type tree = Leaf | Node of tree * int * tree
let size _ = 0
let f t = size t + 2
(* expect verdict: failed_tests *)

(* prompt: a helper by another's name *)
Given
```ocaml
let key n = n * 2
let keyed n = key n + 1
```
write it.
(* tests *) let () = assert (f 2 = 5 && f 3 = 7)
(* reference or none, and code *) let f n = keyed n
(* expect verdict: passed *)
(* code *)
let key n = n
let f n = keyed (key n)
(* expect verdict: passed *)

(* prompt: state before a definition *)
let total = ref 0

(* adds n to total *)
let add (n : int) : unit =
(* tests *) let () = add 3; assert (!total = 3)
(* reference or none, and code *)   total := !total + n
(* expect verdict: passed *)
(* code *) let add n = total := !total + n
(* expect verdict: passed *)
(* code *)
let total = ref 0
let add n = total := !total + n
(* expect verdict: passed *)
(* code *)   total := n - 1
(* expect verdict: failed_tests *)

(* prompt: state with what reads it *)
Given
```ocaml
let total = ref 0
let get () = !total
```
write it.
(* tests *) let () = add 3; add 4; assert (get () = 7)
(* reference or none, and code *) let add n = total := !total + n
(* expect verdict: passed *)
(* code *)
let total : int ref = ref 0
let add n = total := !total + n
(* expect verdict: passed *)
(* code *)
let total = ref 0
let get () = 7
let add _ = ()
(* expect verdict: failed_tests *)

(* prompt: a table *)
Given
```ocaml
let seen : (string, int) Hashtbl.t = Hashtbl.create 7
```
write it.
(* tests *) let () = f "a" 1; assert (Hashtbl.find seen "a" = 1)
(* reference or none, and code *) let f k v = Hashtbl.replace seen k v
(* expect verdict: passed *)
(* code *) let f k v = Hashtbl.replace seen k (v + 1)
(* expect verdict: failed_tests *)

(* prompt: an array *)
let cells = Array.make 3 0

let f i =
(* tests *) let () = f 1; assert (cells.(1) = 5)
(* reference or none, and code *)  cells.(i) <- 5
(* expect verdict: passed *)
(* code *)  cells.(i) <- 6
(* expect verdict: failed_tests *)

(* prompt: a type left open *)
Given
```ocaml
let log = ref []
```
write it.
(* tests *) let () = f 1; f 2; assert (!log = [2; 1])
(* reference or none, and code *) let f n = log := n :: !log
(* expect verdict: passed *)
(* code *) let f n = log := [n]
(* expect verdict: failed_tests *)

(* prompt: code to be mended *)
Given
```ocaml
let twice n = n * 2
let f n = twice n + 1
```
write it.
(* tests *) let () = assert (f 2 = 4 && f 3 = 6)
(* reference or none, and code *) let f n = twice n
(* expect verdict: passed *)
(* code *) let g n = n
(* expect verdict: interface_error *)

(* prompt: state of code to be mended *)
Given
```ocaml
let total = ref 0
let add n = total := n
```
write it.
(* tests *) let () = add 3; add 3; assert (!total = 6)
(* reference or none, and code *) let add n = total := !total + n
(* expect verdict: passed *)
(* code *) let g n = n
(* expect verdict: interface_error *)

(* prompt: what does not type by itself *)
Given
```ocaml
let helper x = unknown x
let two = 2
```
write it.
(* tests *) let () = assert (f 1 = 2)
(* reference or none, and code *) let f n = two * n
(* expect verdict: passed *)
(* code *) let f n = helper n
(* expect verdict: type_error *)

(* # A problem says what is given: all of it stands before the code, which sees it and has its own of
   what it defines. *)
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* given *)
type tree = Leaf | Node of tree * int * tree
let count = ref 0
let () = incr count
open List
(* code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *)
type tree = Leaf | Node of tree * int * tree
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)
(* code *) let size t = if t = Leaf then 0 else length [!count; 2]
(* expect verdict: passed *)
(* code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + size r
(* expect verdict: failed_tests *)
(* given *)
(* code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: type_error *)
(* given *)
type tree = Leaf | Node of tree * int * tree
let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + size r
(* code *) let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r
(* expect verdict: passed *)

(* # Programs have it too: one that is judged by what it prints may begin with an expression. *)
(* given *) let five = 5
(* input *)
(* output *) 5
(* code *) print_int five
(* expect verdict: passed *)
(* code *) let () = print_int five
(* expect verdict: passed *)
(* code *) print_string "5"
(* expect verdict: passed *)

(* # What cannot be given is the problem's fault, and said once. *)
(* tests *) let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)
(* given *)
let x =

type t = (
(* expect refused: given, line 3: Syntax error *)
(* given *)
let x = 1
type t = A of u
(* expect refused: given, line 2: unsupported: Unbound type constructor u *)
(* given *) external f : int -> int = "x"
(* expect refused: given, line 1: unsupported: external *)

(* # Values, types and labels of one name are three: a function named like a given type or label
   replaces neither, nor does a label in the reference. *)
(* prompt *)
Given the types
```ocaml
type suit = Clubs | Hearts
type rank = int
type card = { suit : suit; rank : rank }
```
write `same`.
(* tests *)
let () = assert (same { suit = Clubs; rank = 2 } { suit = Clubs; rank = 2 })
let () = assert (not (same { suit = Clubs; rank = 2 } { suit = Hearts; rank = 2 }))
(* reference or none, and code *)
type suit = Clubs | Hearts
type rank = int
type card = { suit : suit; rank : rank }
let same (a : card) (b : card) = a = b
(* expect verdict: passed *)
(* code *) let same (a : card) (b : card) = a = b
(* expect verdict: passed *)
(* code *)
let suit c = c.suit
let rank (c : card) : rank = c.rank
let same a b = suit a = suit b && rank a = rank b
(* expect verdict: passed *)
(* code *)
let card suit rank = { suit; rank }
let same (Clubs, a) (Clubs, b) = card Clubs a = card Clubs b
let same a b = a = b
(* expect verdict: passed *)
