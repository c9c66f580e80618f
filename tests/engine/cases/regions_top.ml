(* Regions of code whose own top level does not come to its end: no check has begun. *)

(* # A statement that takes every check is wrong: of the definitions, which no check has tried,
   nothing is known. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let f x = print_string ""; x * 2
let g x = x
let () = failwith "no input"
(* expect verdict: runtime_error
   regions:
   | 1 untested 0/0 f: let f x =
   | 1 untested 0/0: print_string "";
   | 1 untested 0/0 f: x * 2
   | 2 untested 0/0 g: let g x = x
   | 3 failing 0/3: let () = failwith "no input" *)

(* code *)
let f x = print_string ""; x * 2
let g x = x
let () = exit 0
(* expect verdict: runtime_error
   regions:
   | 1 untested 0/0 f: let f x =
   | 1 untested 0/0: print_string "";
   | 1 untested 0/0 f: x * 2
   | 2 untested 0/0 g: let g x = x
   | 3 failing 0/3: let () = exit 0 *)

(* code *)
let f x = print_string ""; x * 2
let g x = x
let () = while true do () done
(* expect verdict: timed_out
   regions:
   | 1 untested 0/0 f: let f x =
   | 1 untested 0/0: print_string "";
   | 1 untested 0/0 f: x * 2
   | 2 untested 0/0 g: let g x = x
   | 3 failing 0/3: let () = while true do () done *)

(* code *)
let f x = print_string ""; x * 2
let g x = x
let () = print_int (read_int ())
(* expect verdict: runtime_error
   regions:
   | 1 untested 0/0 f: let f x =
   | 1 untested 0/0: print_string "";
   | 1 untested 0/0 f: x * 2
   | 2 untested 0/0 g: let g x = x
   | 3 failing 0/3: let () = print_int (read_int ()) *)

(* # What such a statement uses may be at fault: it is wrong with what it leads to, and a value
   where no statement is. *)
(* tests *)
let () = assert (f 1 = 2); assert (f 2 = 3)
let () = assert (g 1 = 1)
(* code *)
let f x = print_string ""; x * 2
let g x = x
let () = assert (g (f 1) = 1)
(* expect verdict: runtime_error
   regions:
   | 1 failing 0/3 f: let f x =
   | 1 failing 0/3: print_string "";
   | 1 failing 0/3 f: x * 2
   | 2 failing 0/3 g: let g x = x
   | 3 failing 0/3: let () = assert (g (f 1) = 1) *)

(* code *)
let f x = print_string ""; x * 2
let g x = x
let table : int list = failwith "no table"
(* expect verdict: runtime_error
   regions:
   | 1 untested 0/0 f: let f x =
   | 1 untested 0/0: print_string "";
   | 1 untested 0/0 f: x * 2
   | 2 untested 0/0 g: let g x = x
   | 3 failing 0/3 table: let table : int list = failwith "no table" *)

(* # Tests that do not get to a check have begun: where a definition of the tests raises in the
   code's hands, the code is what it needs. *)
(* tests *)
let first = f []
let () = assert (first = 1)
(* code *)
let f x = List.hd x
let g x = x
let () = ignore (g 1)
(* expect verdict: runtime_error
   regions:
   | 1 failing 0/1 f: let f x = List.hd x
   | 2 untested 0/0 g: let g x = x
   | 3 untested 0/0: let () = ignore (g 1) *)
