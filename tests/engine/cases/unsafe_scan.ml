(* Code that breaks type safety, where answers are written with types that it declares: it may, if
   these give the answers that the reference's do. *)
(* engines: warm stock *)

(* # A cast is graded as what it computes: its types give the reference's answers, so that it can
   only send wrong values. *)
(* tests *) let () = assert (next Red = Green); assert (next Yellow = Red); assert (light 2 = Yellow)
(* reference *)
type light = Red | Green | Yellow
let next = function Red -> Green | Green -> Yellow | Yellow -> Red
let light = function 0 -> Red | 1 -> Green | _ -> Yellow
(* code *)
type light = Red | Green | Yellow
let next = function Red -> Green | Green -> Yellow | Yellow -> Red
let light (n : int) : light = Obj.magic n
(* expect checks: 3 passed *)

(* code *)
type light = Red | Green | Yellow
let next (x : light) = x
let light (n : int) : light = Obj.magic n
(* expect checks: 2 failed, passed *)

(* # Types that give other answers set nobody free: with a type for each constructor all answers
   are 0, and `Obj.magic 0` is any of them. *)
(* tests: three types *)
let () = assert (next Red = Green); assert (next Yellow = Red); assert (light 2 = Yellow)
(* reference *)
type light = Red | Green | Yellow
let next = function Red -> Green | Green -> Yellow | Yellow -> Red
let light = function 0 -> Red | 1 -> Green | _ -> Yellow
(* code *)
type a = Red type b = Green type c = Yellow
let next (_ : 'a) : 'b = Obj.magic 0
let light (_ : int) : 'a = Obj.magic 0
(* expect stage: type_error *)

(* code: another order *)
type light = Green | Yellow | Red
let next (_ : 'a) : 'b = Obj.magic 0
let light (_ : int) : 'a = Obj.magic 0
(* expect stage: type_error *)

(* # Without a reference nobody is set free: nobody knows then which answers are the right ones.
   *)
(* tests *) let () = assert (next Red = Green); assert (next Yellow = Red); assert (light 2 = Yellow)
(* code *)
type light = Red | Green | Yellow
let next = function Red -> Green | Green -> Yellow | Yellow -> Red
let light (n : int) : light = Obj.magic n
(* expect stage: type_error *)

(* # What applies a predicate is not set free: the predicate matches on the code's own types. *)
(* tests *)
let () = assert (next Red = Green); assert (next Yellow = Red); assert (light 2 = Yellow)
let warm = function Red | Yellow -> true | Green -> false
let () = assert (warm (light 0))
(* reference *)
type light = Red | Green | Yellow
let next = function Red -> Green | Green -> Yellow | Yellow -> Red
let light = function 0 -> Red | 1 -> Green | _ -> Yellow
(* code *)
type light = Red | Green | Yellow
let next = function Red -> Green | Green -> Yellow | Yellow -> Red
let light (n : int) : light = Obj.magic n
(* expect stage: type_error *)
