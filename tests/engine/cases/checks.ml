(* Each assertion is a check of its own, whatever the others do. *)
(* engines: warm stock *)

(* # A check that goes wrong costs itself only: however one check ends, the checks before and
   after it are unaffected. *)
(* tests *)
let () =
  assert (f 1 = 1);
  assert (f 2 = 2);
  assert (f 3 = 3)
(* code *) let f x = if x = 2 then (2) else x
(* expect checks: 3 passed *)
(* code *) let f x = if x = 2 then (7) else x
(* expect checks: passed, failed, passed *)
(* code: raise Not_found *) let f x = if x = 2 then (raise Not_found) else x
(* expect checks: passed, raised, passed *)
(* code: assert false *) let f x = if x = 2 then (assert false) else x
(* expect checks: passed, raised, passed *)
(* code: exit 0 *) let f x = if x = 2 then (exit 0) else x
(* expect checks: passed, exited, passed *)
(* steps: 2_000_000 *)
(* code *) let f x = if x = 2 then (while true do () done; 2) else x
(* expect checks: passed, timed_out, passed *)
(* steps: *)
(* code *) let f x = if x = 2 then (let rec g x = 1 + g x in g 1) else x
(* expect checks: passed, stack_overflow, passed *)
(* code *) let f x = if x = 2 then (Array.length (Array.make 1_000_000_000 0)) else x
(* expect checks: passed, out_of_memory, passed *)
(* code *) let f x = if x = 2 then (while true do print_string "flood" done; 2) else x
(* expect checks: passed, output_limit, passed *)

(* # Output of a library is counted too: what is loaded into the running process writes as the
   runtime does. *)
(* libraries: unix *)
(* tests *)
let () =
  assert (f 1 = 1);
  assert (f 2 = 2);
  assert (f 3 = 3)
(* code *)
let f x =
  if x = 2 then while true do ignore (Unix.write_substring Unix.stdout "flood" 0 5) done; x
(* expect checks: passed, output_limit, passed *)

(* # A library reads standard input too: by whichever name of libc's it does. *)
(* libraries: unix *)
(* input *)
abc

(* output *)
abc
0

(* code *)
let () =
  let b = Bytes.create 9 in
  print_string (Bytes.sub_string b 0 (Unix.read Unix.stdin b 0 9));
  print_int (Unix.read Unix.stdin b 0 9)
(* expect checks: passed *)

(* # Later checks find the state that earlier ones left: after a check that ended the process, the
   others run as if only it was left out. *)
(* tests *)
let () =
  assert (f 1 = 1);
  assert (f 2 = 9);
  assert (f 3 = 2)
(* code *)
let n = ref 0
let f x = incr n; if x = 2 then exit 1 else !n
(* expect checks: passed, exited, passed *)

(* # Code that ends at its own top level fails every check: checks that never ran have not passed,
   whatever the exit status says. *)
(* tests *)
let () =
  assert (f 1 = 1);
  assert (f 2 = 2);
  assert (f 3 = 3)
(* code *)
let f x = x
let () = exit 0
(* expect checks: 3 exited *)

(* code *)
let f x = x
let () = failwith "at start"
(* expect checks: 3 raised *)

(* steps: 2_000_000 *)
(* code *)
let f x = x
let () = while true do () done
(* expect checks: 3 timed_out *)
(* steps: *)

(* # A raising check says what was raised: the detail of a check that raised is the exception. *)
(* tests *)
let () =
  assert (f 1 = 1);
  assert (f 2 = 2);
  assert (f 3 = 3)
(* code *) let f _ = failwith "no idea"
(* expect details: Failure(no idea) | Failure(no idea) | Failure(no idea) *)

(* # Programs are judged on their output: each stdin/stdout case is a run of its own; blanks at
   line ends do not count. *)
(* input *)
2

(* output *)
4

(* input *)
5

(* output *)
10

(* code *) let () = print_int (int_of_string (read_line ()) * 2); print_newline ()
(* expect checks: 2 passed *)

(* # A program must print the answer and end well: output counts only from a program that ends
   with status 0 within its budget. *)
(* input *)
2

(* output *)
4

(* input *)
5

(* output *)
10

(* code *) let () = print_endline "4"
(* expect checks: passed, failed *)

(* code *)
let () = print_int (int_of_string (read_line ()) * 2); print_newline ()
let () = exit 0
(* expect checks: 2 passed *)

(* code *)
let () = print_int (int_of_string (read_line ()) * 2); print_newline ()
let () = exit 3
(* expect checks: 2 exited *)

(* code *)
let () = print_int (int_of_string (read_line ()) * 2); print_newline ()
let () = raise Exit
(* expect checks: 2 raised *)

(* steps: 2_000_000 *)
(* code *) let () = while true do () done
(* expect checks: 2 timed_out *)
(* steps: *)
(* code *) let () = while true do print_char 'x' done
(* expect checks: 2 output_limit *)

(* # A findlib library can be used: a problem's `libraries` are on the path, C stubs included. *)
(* libraries: str *)
(* tests: str *) let () = assert (f "12" = 1); assert (f "ab" = 0)
(* code *) let f x = if Str.string_match (Str.regexp "[0-9]+") x 0 then 1 else 0
(* expect checks: 2 passed *)

(* libraries: unix *)
(* tests: unix *) let () = assert (f 0. = 70); assert (f 1e9 = 101)
(* code *) let f x = (Unix.gmtime x).Unix.tm_year
(* expect checks: 2 passed *)

(* libraries: zarith *)
(* tests: zarith *) let () = assert (Z.to_string (f 3) = "6"); assert (Z.numbits (f 100) = 525)
(* code *) let rec f n = if n = 0 then Z.one else Z.mul (Z.of_int n) (f (n - 1))
(* expect checks: 2 passed *)

(* # Objects and lazy values work in the jail: hiding Obj from the code takes nothing away that
   the compiler itself uses. *)
(* tests *)
let () =
  assert (f 1 = 1);
  assert (f 2 = 2);
  assert (f 3 = 3)
(* code *)
class c = object method m (x : int) = x end
let f x = Lazy.force (lazy ((new c)#m x))
(* expect checks: 3 passed *)
