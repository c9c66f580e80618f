(* Regions of programs and of completions in several blocks, and where they are in the text. *)

(* # A program is judged as a whole: what a program does is needed in each case, with what that
   needs. *)
(* input *)

(* output *)
2

(* input *)

(* output *)
2

(* code *)
let f x = x
let () = print_int (f 2)
let spare = 1
(* expect verdict: passed
   regions:
   | 1 passing 2/2 f: let f x = x
   | 2 passing 2/2: let () = print_int (f 2)
   | 3 untested 0/0 spare: let spare = 1 *)

(* code *)
let f x = x + 1
let () = print_int (f 2)
(* expect verdict: failed_tests
   regions:
   | 1 failing 0/2 f: let f x = x + 1
   | 2 failing 0/2: let () = print_int (f 2) *)

(* # Lines that a directive makes up are not believed: where the code says which lines the
   compiler is to speak of, no error is placed, and no forbidden line. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let f x = x + 1
let g x = x
# 1 "solution.ml"
let z = 1 ^ 2
(* expect verdict: type_error
   regions:
   | 1 passing 2/2 f: let f x = x + 1
   | 2 passing 1/1 g: let g x = x
   | 4 untested 0/0 z: let z = 1 ^ 2 *)

(* tests *)
let a = f 1
let () = assert (f 1 = a)
(* code *)
let z = 1
# 1 "solution.ml"
let f x = Obj.magic x
(* expect verdict: forbidden
   regions:
   | 1 untested 0/0 z: let z = 1
   | 3 untested 0/0 f: let f x = Obj.magic x *)
