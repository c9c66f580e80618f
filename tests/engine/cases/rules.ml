(* What a problem forbids in code, and what it requires: names as the compiler resolves them, and
   words of the language. *)
(* engines: warm stock *)

(* # "You must not use references / assignment (":=") throughout the entire homework."
   (jaylene-zhang/ArtifactProgramming2025 benchmarks/CodeGen/hw9.txt) *)
(* forbidden: ref := *)
(* tests *) let () = assert (sum [1; 2; 3] = 6); assert (sum [] = 0)
(* code *)
let rec sum = function [] -> 0 | x :: rest -> x + sum rest
(* expect checks: 2 passed
   verdict: passed *)

(* code *)
let sum l =
  let all = ref 0 in
  List.iter (fun x -> all := !all + x) l;
  !all
(* expect forbidden: ref, which the problem forbids (line 2), :=, which the problem forbids (line 3)
   checks:
   verdict: forbidden *)

(* code: the record that a reference is *)
let sum l =
  let all = { contents = 0 } in
  List.iter (fun x -> all.contents <- all.contents + x) l;
  all.contents
(* expect forbidden: ref, which the problem forbids (line 2), :=, which the problem forbids (line 3)
   verdict: forbidden *)

(* code: a primitive behind the name *)
external make : 'a -> 'a ref = "%makemutable"
let sum l = List.fold_left (+) (!(make 0)) l
(* expect forbidden: external make (line 1)
   verdict: forbidden *)

(* code: the type alone, and names of its own *)
type ref = { ref : int }
let ( := ) a b = a.ref + b
let sum l = List.fold_left (fun a x -> { ref = a := x }) { ref = 0 } l := 0
(* expect verdict: passed *)

(* # "Do not use the keyword `rec` in your solution." (cs3110/textbook src/chapters/data/exercises.md) *)
(* forbidden: rec for while mutable *)
(* tests *) let () = assert (last [1; 2; 3] = 3)
(* code *)
(* Not rec, for or while: "rec" *)
let recursive = "rec for" and last l = List.nth l (List.length l - 1)
(* expect verdict: passed *)

(* code *)
let rec last = function [ x ] -> x | _ :: l -> last l | [] -> raise Not_found
(* expect forbidden: rec, which the problem forbids (line 1) *)

(* code *)
type cell = { mutable it : int }
let last l =
  let c = { it = 0 } in
  for _ = 1 to 1 do c.it <- List.nth l (List.length l - 1) done;
  while false do () done;
  c.it
(* expect forbidden: mutable, which the problem forbids (line 1), for, which the problem forbids (line 4), while, which the problem forbids (line 5) *)

(* code: recursive modules *)
module rec M : sig val last : 'a list -> 'a end = struct
  let last = function [ x ] -> x | _ :: l -> M.last l | [] -> raise Not_found
end
let last = M.last
(* expect forbidden: rec, which the problem forbids (line 1) *)

(* # "Do not use the `length` function." (cs3110/textbook src/chapters/data/exercises.md) *)
(* forbidden: List.length Hashtbl Set.Make *)
(* tests *) let () = assert (two [1; 2]); assert (not (two [1]))
(* code: nothing of it *)
let two = function [ _; _ ] -> true | _ -> false
(* expect verdict: passed *)

(* code: its name *)
let two l = List.length l = 2
(* expect forbidden: List.length, which the problem forbids (line 1)
   verdict: forbidden *)

(* code: the whole path, and an attribute *)
let two l = (Stdlib.List.length [@warning "-3"]) l = 2
(* expect forbidden: List.length, which the problem forbids (line 1) *)

(* code: the unit of the library *)
let two l = Stdlib__List.length l = 2
(* expect forbidden: List.length, which the problem forbids (line 1) *)

(* code: opened *)
open List
let two l = length l = 2
(* expect forbidden: List.length, which the problem forbids (line 2) *)

(* code: opened there *)
let two l = let open List in length l = 2
(* expect forbidden: List.length, which the problem forbids (line 1) *)

(* code: opened in parentheses *)
let two l = List.(length l) = 2
(* expect forbidden: List.length, which the problem forbids (line 1) *)

(* code: another name of the module *)
module S = Stdlib
module L = S.List
let two l = L.length l = 2
(* expect forbidden: List.length, which the problem forbids (line 3) *)

(* code: included *)
module L = struct include List end
let two l = L.length l = 2
(* expect forbidden: List.length, which the problem forbids (line 2) *)

(* code: included in an open *)
open struct include List end
let two l = length l = 2
(* expect forbidden: List.length, which the problem forbids (line 2) *)

(* code: with labels *)
open StdLabels
let two l = List.length l = 2 && ListLabels.length l = 2
(* expect forbidden: List.length, which the problem forbids (line 2) *)

(* code: behind a signature *)
module L : sig val length : 'a list -> int end = List
let two l = L.length l = 2
(* expect forbidden: List.length, which the problem forbids (line 1) *)

(* code: a module in a module behind a signature *)
module L : sig module M : sig val length : 'a list -> int end end = struct module M = List end
let two l = L.M.length l = 2
(* expect forbidden: List.length, which the problem forbids (line 1) *)

(* code: the argument of a functor *)
module F (L : sig val length : 'a list -> int end) = struct let two l = L.length l = 2 end
include F (List)
(* expect forbidden: List.length, which the problem forbids (line 2) *)

(* code: the library's type for the argument *)
module F (L : module type of List) = struct let two l = L.length l = 2 end
include F (List)
(* expect forbidden: List.length, which the problem forbids (line 1) *)

(* code: what a functor returns *)
module F () = List
module G : functor () -> sig val length : 'a list -> int end = F
module L = G ()
let two l = L.length l = 2
(* expect forbidden: List.length, which the problem forbids (line 2) *)

(* code: a module as a value *)
module type S = sig val length : 'a list -> int end
let lists = (module List : S)
let two l = let module L = (val lists) in L.length l = 2
(* expect forbidden: List.length, which the problem forbids (line 2) *)

(* code: a module as a value, read by its place *)
module type S = module type of List
let length : 'a list -> int = Obj.obj (Obj.field (Obj.repr (module List : S)) 0)
let two l = length l = 2
(* expect forbidden: Obj (line 2) *)

(* code: a name of its own *)
let length l = List.fold_left (fun n _ -> n + 1) 0 l
let two l = length l = 2
(* expect verdict: passed *)

(* code: a module of its own *)
module List = struct
  include List
  let length l = fold_left (fun n _ -> n + 1) 0 l
end
let two l = List.length l = 2
(* expect verdict: passed *)

(* code: a module without the name *)
module L : sig val rev : 'a list -> 'a list end = List
module F (M : sig val rev : 'a list -> 'a list end) = M
module N = F (List)
let two l = match N.rev (L.rev l) with [ _; _ ] -> true | _ -> false
(* expect verdict: passed *)

(* code: a module that is forbidden *)
let seen = Hashtbl.create 1
let two = function [ _; _ ] -> Hashtbl.replace seen 1 1; true | _ -> false
(* expect forbidden: Hashtbl, which the problem forbids (line 1), Hashtbl, which the problem forbids (line 2) *)

(* code: its functor *)
module Seen = Hashtbl.Make (struct type t = int let hash x = x let equal = ( = ) end)
let seen = Seen.create 1
let two = function [ _; _ ] -> Seen.length seen = 0 | _ -> false
(* expect forbidden: Hashtbl, which the problem forbids (line 2), Hashtbl, which the problem forbids (line 3) *)

(* code: a functor that is forbidden *)
module Ints = Set.Make (Int)
let two l = Ints.cardinal (Ints.of_list l) = 2
(* expect forbidden: Set.Make, which the problem forbids (line 2) *)

(* code: only a name of a module *)
module H = Hashtbl
module Strings = Map.Make (String)
let two = function [ _; _ ] -> true | _ -> false
(* expect verdict: passed *)

(* code: what is open until it is used *)
let log = Stdlib.ref []
let two l = log := l; List.length l = 2
(* expect forbidden: List.length, which the problem forbids (line 2) *)

(* code: it does not type *)
let two l = List.length l + true
(* expect stage: type_error
   forbidden:
   verdict: type_error *)

(* code: it does not type with the tests *)
let three l = List.length l = 3
(* expect stage: interface_error
   forbidden: List.length, which the problem forbids (line 1)
   verdict: forbidden *)

(* # What the problem gives may use what code may not. *)
(* forbidden: List.length *)
(* given *)
let size l = List.length l
(* tests *) let () = assert (two [1; 2]); assert (not (two [1]))
(* code *)
let two l = size l = 2
(* expect verdict: passed *)

(* code *)
let two l = size l = 2 && List.length l = 2
(* expect forbidden: List.length, which the problem forbids (line 2) *)

(* # A module that the tests do not name. *)
(* required: Fifo Fifo.push *)
(* tests *) let () = assert (first [1; 2] = 1)
(* code: a module *)
module Fifo = struct let push x q = q @ [ x ] end
let first = List.hd
(* expect stage: executable
   verdict: passed *)

(* code: by an include *)
include struct module Fifo = struct type push end end
let first = List.hd
(* expect verdict: passed *)

(* code: a functor *)
module Fifo (X : sig type t end) = struct let push (x : X.t) q = q @ [ x ] end
let first = List.hd
(* expect verdict: passed *)

(* code: none *)
let first = List.hd
(* expect stage: interface_error
   errors: The code does not define the module Fifo, which the problem requires
   type errors: 1
   checks:
   verdict: interface_error *)

(* code: not at its top *)
module Queues = struct module Fifo = struct let push x q = q @ [ x ] end end
module type Fifo = sig val push : int end
let first = List.hd
(* expect stage: interface_error
   verdict: interface_error *)

(* code: opened only *)
open struct module Fifo = struct let push x q = q @ [ x ] end end
let first = List.hd
(* expect verdict: interface_error *)

(* code: without the value *)
module Fifo : sig end = struct let push x q = q @ [ x ] end
let first = List.hd
(* expect errors: The code does not define Fifo.push, which the problem requires
   type errors: 1
   verdict: interface_error *)

(* code: nor what the tests need *)
let second l = List.nth l 1
(* expect errors: The code does not define the module Fifo, which the problem requires | Unbound value first
   type errors: 1
   verdict: interface_error *)

(* code: it does not type *)
let first l = 1 + true
(* expect stage: type_error
   type errors: 1 *)

(* # A whole program. *)
(* forbidden: Scanf *)
(* required: solve *)
(* input *) 1 2
(* output *) 3
(* code *)
let solve a b = a + b
let () = match String.split_on_char ' ' (read_line ()) with
  | [ a; b ] -> print_int (solve (int_of_string a) (int_of_string b))
  | _ -> ()
(* expect verdict: passed *)

(* code *)
let () = Scanf.scanf "%d %d" (fun a b -> print_int (a + b))
(* expect forbidden: Scanf, which the problem forbids (line 1)
   stage: interface_error
   verdict: forbidden *)

(* # A library's name. *)
(* libraries: str *)
(* forbidden: Str.split Str.regexp *)
(* tests *) let () = assert (words "a b" = [ "a"; "b" ])
(* code *)
let words = String.split_on_char ' '
(* expect verdict: passed *)

(* code *)
open Str
let words s = split (regexp " ") s
(* expect forbidden: Str.regexp, which the problem forbids (line 2), Str.split, which the problem forbids (line 2) *)
