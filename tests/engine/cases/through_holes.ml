(* Code that does not type or parse, run through holes: what checks tell that meet none. *)

(* # Code that runs has no holes: nothing is run twice. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let f x = x + 1
let g x = x
(* expect through holes:  *)

(* # An entry point that the tests cannot use: checks that use one which is missing, of another
   type or a hole itself meet a hole; where that holds of all, there is nothing to run. *)
(* tests: pass pass hole *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *) let f x = x + 1
(* expect through holes: 2 passed, met_hole *)

(* code *)
let f x = x + 1
let g = 1
(* expect through holes: 2 passed, met_hole *)

(* code *)
let f x = x + 1
let g x = x ^ x
(* expect through holes: 2 passed, met_hole *)

(* code *)
let f x = x + 1
let g = List.map 3 ["a"]
(* expect through holes: 2 passed, met_hole *)

(* code *) let h = 1
(* expect through holes:  *)

(* code *)
let f x = x ^ 1
let g x = "a" + x
(* expect through holes:  *)

(* # Code that meets a hole has met it: whatever it does behind it: the lock knows, and the code
   does not write what it says. *)
(* tests *)
let () = assert (f0 1 = 2); assert (f0 2 = 3)
let () = assert (f1 1 = 2); assert (f1 2 = 3)
let () = assert (f2 1 = 2); assert (f2 2 = 3)
let () = assert (f3 1 = 2); assert (f3 2 = 3)
let () = assert (f4 1 = 2); assert (f4 2 = 3)
let () = assert (f5 1 = 2); assert (f5 2 = 3)
let () = assert (f6 1 = 2); assert (f6 2 = 3)
let () = assert (f7 1 = 2); assert (f7 2 = 3)
(* code *)
let f0 x = if x > 1 then (try x ^ 1 with _ -> x + 1) else x + 1
let f1 x = if x > 1 then (while true do try ignore (x ^ 1) with _ -> () done; x) else x + 1
let f2 x = if x > 1 then (try x ^ 1 with _ -> exit 0) else x + 1
let f3 x = if x > 1 then (try x ^ 1 with _ -> at_exit (fun () -> ()); exit 3) else x + 1
let f4 x = if x > 1 then (try x ^ 1 with _ -> raise Not_found) else x + 1
let f5 x = if x > 1 then (let v = lazy (x ^ 1) in try Lazy.force v with _ -> x + 1) else x + 1
let f6 x = if x > 1 then (try x ^ 1 with _ -> print_string "end 1 0 0|\nhole|\n"; x + 1) else x + 1
let f7 x = if x > 1 then (try x ^ 1 with _ -> ignore (Array.make 99 x); x + 1) else x + 1
(* expect through holes: passed, met_hole, passed, met_hole, passed, met_hole, passed, met_hole, passed, met_hole, passed, met_hole, passed, met_hole, passed, met_hole *)

(* # What a hole leaves undone: where checks share a state, one that fails behind a hole may do so
   for what is missing; a statement that ends at a hole, and a value that is one, leave all of it
   in doubt. *)
(* tests *)
let q = make ()
let () = push q 1; assert (size q = 1)
let () = push q 2; assert (size q = 2)
let () = assert (size q = 2)
(* code *)
let make () = ref []
let push q x = if x > 1 then q := x ^ 1 else q := x :: !q
let size q = List.length !q
(* expect through holes: passed, 2 met_hole *)

(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let n = ref 0
let f x = if x > 1 then x ^ 1 else (incr n; x + 1)
let g x = !n + x
(* expect through holes: passed, 2 met_hole *)

(* code *)
let f x = if x > 3 then x ^ 1 else x + 1
let () = ignore (f 4)
let g x = x + 1
(* expect through holes: 2 passed, met_hole *)

(* code *)
let v = List.map 3 ["a"]
let f x = x + 1
let g x = x + 1
(* expect through holes: 2 passed, met_hole *)

(* code *)
let v = List.map 3 ["a"]
let f x = x + 1
let g x = x
(* expect through holes: 3 passed *)

(* # Wrong patterns and declarations: a case whose pattern is wrong takes what comes to it, and is
   a hole; so is what needs a type that nobody knows. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let f = function 1 -> 2 | "b" -> 3 | n -> n + 1
let g x = x
(* expect through holes: passed, met_hole, passed *)

(* code *)
type t = A of missing | B
let of_b = function B -> 1 | A _ -> 0
let f x = of_b B + x
let g x = x
(* expect through holes: 3 passed *)

(* code *)
module M = struct let a = 1 + "x" let b x = x + 1 end
let f = M.b
let g x = M.a + x - x
(* expect through holes: 2 passed, met_hole *)

(* # A name that is gone is no other: a definition that is a hole leaves its uses holes, whatever
   the library has by its name. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let max a b = a ^ 1 + b
let f x = x + 1
let g x = if x > 0 then max x x else x
(* expect through holes: 2 passed, met_hole *)

(* # Values are judged outside through holes: with the types that the code declares, and by
   predicates of the tests' own. *)
(* signature *)
type shape = Square of int | Dot
val make : int -> shape
(* tests *)
let is_square = function Square n -> n > 0 | Dot -> false
let () = assert (make 2 = Square 2); assert (make 10 = Square 10)
let () = assert (is_square (make 3)); assert (make 0 = Square 0)
(* code *)
type shape = Square of int | Dot
let wrong x = x ^ 1
let make n = if n > 9 then wrong n else if n > 0 then Square n else Dot
(* expect through holes: passed, met_hole, passed, failed *)

(* # A program judged by what it prints: a case that meets a hole says nothing; the others are
   compared. *)
(* input *)
1

(* output *)
2

(* input *)
10

(* output *)
11

(* input *)
2

(* output *)
4

(* code *)
let () =
  let n = read_int () in
  print_int (if n > 9 then n ^ 1 else n + 1)
(* expect through holes: passed, met_hole, failed *)

(* # What is forbidden does not run through holes: code that uses it runs in no way. *)
(* tests *)
let a = f 1
let () = assert (f 1 = a && f 2 <> a)
(* code *)
let h x = x ^ 1
let f x = Obj.magic x
(* expect forbidden: Obj (line 2)
   through holes:  *)
