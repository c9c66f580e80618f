(* Which parts of the code are right or wrong, from what the engines report: every verdict. *)
(* engines: warm stock *)

(* # A definition is marked by the checks that need it: helpers go with what needs them; what
   checks of both kinds need, or none, is unknown. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let help x = x + 1
let only x = x * 2
let shared x = x
let f x = help (shared x)
(* of g *)
let g x = only (shared x)
let unused = 3
(* expect verdict: failed_tests
   regions:
   | 1 passing 2/2 help: let help x = x + 1
   | 2 failing 0/1 only: let only x = x * 2
   | 3 both 2/3 shared: let shared x = x
   | 4 passing 2/2 f: let f x = help (shared x)
   | 6 failing 0/1 g: let g x = only (shared x)
   | 7 untested 0/0 unused: let unused = 3 *)

(* # What alone is at fault is wrong: where a failing check needs one definition only, with its
   body, its type and its module, this is wrong though others pass; where it needs more, nobody
   knows which. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
type t = int
let f x : t = let up n = 2 * n in up x
let g x = x
(* expect verdict: failed_tests
   regions:
   | 1 both 1/2 t: type t = int
   | 2 failing 1/2 f: let f x : t =
   | 2 failing 1/2: let up n = 2 * n in
   | 2 failing 1/2 f: up x
   | 3 passing 1/1 g: let g x = x *)

(* code *)
let up n = 2 * n
let f x = up x
let g x = x
(* expect verdict: failed_tests
   regions:
   | 1 both 1/2 up: let up n = 2 * n
   | 2 both 1/2 f: let f x = up x
   | 3 passing 1/1 g: let g x = x *)

(* tests *)
let () = assert (M.f 1 = 1);
 assert (M.f 2 = 2);
 assert (M.g 1 = 1)
(* code *)
module M = struct
  let f x = 1
  let g x = x
end
(* expect verdict: failed_tests
   regions:
   | 1 both 2/3 M: module M = struct
   | 2 failing 1/2 M.f: let f x = 1
   | 3 passing 1/1 M.g: let g x = x
   | 4 both 2/3 M: end *)

(* # All of a right answer is right: nested functions and mutual recursion are needed with what
   they serve. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let rec f x = if x > 9 then g x else
  let rec up n = n + 1 in
  up x
and g x = if x > 99 then f x else x
(* expect verdict: passed
   regions:
   | 1 passing 3/3 f: let rec f x = if x > 9 then g x else
   | 2 passing 3/3: let rec up n = n + 1 in
   | 3 passing 3/3 f: up x
   | 4 passing 3/3 g: and g x = if x > 99 then f x else x *)

(* # Members of a module are told apart: a value in a module is needed alone, with what it needs
   there and the words around. *)
(* tests *)
let () = assert (Q.push 1 [] = [1]);
 assert (Q.pop [1] = 1)
(* code *)
module Q = struct
  type t = int list
  let keep x = x
  let push x q : t = keep x :: q
  let pop = function [] -> 0 | x :: _ -> x + 1
end
(* expect verdict: failed_tests
   regions:
   | 1 both 1/2 Q: module Q = struct
   | 2 passing 1/1: type t = int list
   | 3 passing 1/1 Q.keep: let keep x = x
   | 4 passing 1/1 Q.push: let push x q : t = keep x :: q
   | 5 failing 0/1 Q.pop: let pop = function [] -> 0 | x :: _ -> x + 1
   | 6 both 1/2 Q: end *)

(* # What fills a table is needed with it: a statement that changes what is needed is needed, one
   that changes nothing is not. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let table = Hashtbl.create 9
let () = List.iter (fun n -> Hashtbl.add table n (n + 1)) [1; 2]
let () = ignore 3
let f x = Hashtbl.find table x
let g x = x
(* expect verdict: passed
   regions:
   | 1 passing 2/2 table: let table = Hashtbl.create 9
   | 2 passing 2/2: let () = List.iter (fun n -> Hashtbl.add table n (n + 1)) [1; 2]
   | 3 untested 0/0: let () = ignore 3
   | 4 passing 2/2 f: let f x = Hashtbl.find table x
   | 5 passing 1/1 g: let g x = x *)

(* # Several type errors: each error's text is wrong and so is the definition around it, up to the
   first with a name; of all else nothing is known, as each check meets an error. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let help x = x + 1
let f x =
  let y = help x in
  y ^ "é"
module M = struct
  let g x = if x then 1 else "é"
end
let g = M.g
(* expect verdict: type_error
   regions:
   | 1 untested 0/0 help: let help x = x + 1
   | 2 holds_error 0/0 f: let f x =
   | 3 untested 0/0: let y = help x in
   | 4 error 0/0 f: y
   | 4 holds_error 0/0 f: ^ "é"
   | 5 untested 0/0 M: module M = struct
   | 6 holds_error 0/0 M.g: let g x = if x then 1 else
   | 6 error 0/0 M.g: "é"
   | 7 untested 0/0 M: end
   | 8 untested 0/0 g: let g = M.g *)

(* # An error in a nested function: the function within and the one around it hold the error; one
   beside it does not. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let f x =
  let one n = n + 1 in
  let two n = n + true in
  one (two x)
let g x = x
(* expect verdict: type_error
   regions:
   | 1 holds_error 0/0 f: let f x =
   | 2 untested 0/0: let one n = n + 1 in
   | 3 holds_error 0/0: let two n = n +
   | 3 error 0/0: true
   | 3 holds_error 0/0: in
   | 4 holds_error 0/0 f: one (two x)
   | 5 passing 1/1 g: let g x = x *)

(* # What the tests do not type with: a definition of another type than the tests' is wrong as a
   whole; that a name is missing says nothing of those that are there. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let f x = x ^ "a"
let g x = x
(* expect verdict: interface_error
   regions:
   | 1 misfit 0/0 f: let f x = x ^ "a"
   | 2 passing 1/1 g: let g x = x *)

(* code *) let f x = x + 1
(* expect verdict: interface_error
   regions:
   | 1 passing 2/2 f: let f x = x + 1 *)

(* # What does not parse: the items that do not parse are wrong, and what the parser points at
   within them, as what the tests miss; the checks run without them, and a word behind the mistake
   is not blamed for it. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let f x = x + 1

let g § = x
let h x = x
(* expect verdict: syntax_error
   regions:
   | 1 passing 2/2 f: let f x = x + 1
   | 3 unparsed 0/0 g: let g
   | 3 error 0/0 g: §
   | 3 unparsed 0/0 g: = x
   | 4 untested 0/0 h: let h x = x *)

(* code *)
let f x = x + 1
let g x = (x
let h x = = x
(* expect verdict: syntax_error
   regions:
   | 1 passing 2/2 f: let f x = x + 1
   | 2 unparsed 0/0 g: let g x = (x
   | 3 unparsed 0/0: let h x = = x *)

(* # Type errors beside what does not parse: they are wrong as elsewhere; that a name is missing,
   which the rest may have defined, is no error of the definition that uses it. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let f x = x ^ 1
let h x = (x
let g x = h x
let k x = "é" + x
(* expect verdict: syntax_error
   regions:
   | 1 holds_error 0/0 f: let f x = x ^
   | 1 error 0/0 f: 1
   | 2 unparsed 0/0: let h x = (x
   | 3 untested 0/0 g: let g x = h x
   | 4 holds_error 0/0 k: let k x =
   | 4 error 0/0 k: "é"
   | 4 holds_error 0/0 k: + x *)
