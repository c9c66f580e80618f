(* A statement of the tests that does not come to its end is not without consequence: what later
   checks read of the state that it was to change says nothing. *)

(* # Tests that count their own failures: they pass right code, and neither wrong code nor code
   that does not return. *)
(* code: right *) let f x = x + 1
(* code: wrong *) let f _ = -7
(* code: raising *) let f _ = raise Exit

(* tests: a counter *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
let () = test "a" (f 1 = 2)
let () = test "b" (f 2 = 3)
let () = assert (!bad = 0)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: as items *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
;;test "a" (f 1 = 2);;
test "b" (f 2 = 3);;
assert (!bad = 0);;
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: an exit *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
let () = test "a" (f 1 = 2)
let () = test "b" (f 2 = 3)
let () = if !bad > 0 then exit 1
(* for right expect checks: passed *)
(* for wrong expect checks: exited *)
(* for raising expect checks: raised *)

(* tests: an exit by status *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
let () = test "a" (f 1 = 2)
let () = test "b" (f 2 = 3)
let () = exit (if !bad = 0 then 0 else 1)
(* for right expect checks: passed *)
(* for wrong expect checks: exited *)
(* for raising expect checks: raised *)

(* tests: a failure *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
let () = test "a" (f 1 = 2)
let () = test "b" (f 2 = 3)
let () = if !bad <> 0 then failwith "bad"
(* for right expect checks: passed *)
(* for wrong expect checks: raised *)
(* for raising expect checks: raised *)

(* tests: a function at the end *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
let () = test "a" (f 1 = 2)
let () = test "b" (f 2 = 3)
let report () = assert (!bad = 0)
let () = report ()
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: a function of all *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
let run () = test "a" (f 1 = 2); test "b" (f 2 = 3)
let () = run ()
let () = exit (if !bad = 0 then 0 else 1)
(* for right expect checks: passed *)
(* for wrong expect checks: exited *)
(* for raising expect checks: raised *)

(* tests: all *)
let ok = ref true
let test b = ok := !ok && b
let () = test (f 1 = 2)
let () = test (f 2 = 3)
let () = assert !ok
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: a list *)
let failures = ref []
let test name b = if not b then failures := name :: !failures
let () = test "a" (f 1 = 2)
let () = test "b" (f 2 = 3)
let () = assert (!failures = [])
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: a table *)
let cases = [1, 2; 2, 3]
let bad = ref 0
let () = List.iter (fun (x, y) -> if f x <> y then incr bad) cases
let () = assert (!bad = 0)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: a loop *)
let bad = ref 0
let () = for i = 1 to 9 do if f i <> i + 1 then incr bad done
let () = assert (!bad = 0)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: a log *)
let log = Buffer.create 9
let say = Buffer.add_string log
let same a b = if a <> b then say "no"
let () = same (f 1) 2
let () = same (f 2) 3
let () = assert (Buffer.contents log = "")
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: a record *)
type t = { mutable bad : int }
let t = { bad = 0 }
let () = if f 1 <> 2 then t.bad <- 1
let () = assert (t.bad = 0)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: a module *)
module T = struct let bad = ref 0 let test b = if not b then incr bad end
let () = T.test (f 1 = 2)
let () = assert (!T.bad = 0)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: an open module *)
module T = struct let bad = ref 0 let test b = if not b then incr bad end
open T
let () = test (f 1 = 2)
let () = assert (!bad = 0)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: statements in a module *)
module T = struct let bad = ref 0
let () = if f 1 <> 2 then incr bad
let () = assert (!bad = 0) end
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: included *)
include struct let bad = ref 0 end
let () = if f 1 <> 2 then incr bad
let () = assert (!bad = 0)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: hidden in functions *)
let miss, missed = let n = ref 0 in (fun () -> incr n), fun () -> !n
let () = if f 1 <> 2 then miss ()
let () = assert (missed () = 0)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: handed on *)
let bad = ref 0
let ok = ref true
let () = if f 1 <> 2 then incr bad
let () = if !bad > 0 then ok := false
let () = assert !ok
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: an object *)
let t = object val mutable n = 0 method miss = n <- n + 1 method n = n end
let () = if f 1 <> 2 then t#miss
let () = assert (t#n = 0)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: a class *)
class c = object val mutable n = 0 method miss = n <- n + 1 method n = n end
let t = new c
let () = if f 1 <> 2 then t#miss
let () = assert (t#n = 0)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: a formatter *)
let () = if f 1 <> 2 then Format.fprintf Format.str_formatter {|no|}
let () = assert (Format.flush_str_formatter () = {||})
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: behind a check *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
let () = assert (0 = 0); test "a" (f 1 = 2)
let () = assert (!bad = 0)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: at the exit *)
let bad = ref 0
let () = at_exit (fun () -> assert (!bad = 0))
let () = if f 1 <> 2 then incr bad
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* # However code does not return: later checks of what was to be changed end as the statement
   did. *)
(* code: raising *) let f _ = raise Exit
(* code: leaving *) let f _ = exit 0
(* code: leaving 2 *) let f _ = exit 1
(* code: looping *) let rec f x = f x
(* code: other *) let rec f x = 1 + f x

(* tests: a counter *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
let () = test "a" (f 1 = 2)
let () = test "b" (f 2 = 3)
let () = assert (!bad = 0)
(* for raising expect checks: raised *)
(* for leaving expect checks: exited *)
(* for leaving 2 expect checks: exited *)
(* steps: 2_000_000 *)
(* for looping expect checks: timed_out *)
(* steps: *)
(* for other expect checks: stack_overflow *)

(* tests: an exit by status *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
let () = test "a" (f 1 = 2)
let () = test "b" (f 2 = 3)
let () = exit (if !bad = 0 then 0 else 1)
(* for raising expect checks: raised *)
(* for leaving expect checks: exited *)
(* for leaving 2 expect checks: exited *)
(* steps: 2_000_000 *)
(* for looping expect checks: timed_out *)
(* steps: *)
(* for other expect checks: stack_overflow *)

(* tests: a loop *)
let bad = ref 0
let () = for i = 1 to 9 do if f i <> i + 1 then incr bad done
let () = assert (!bad = 0)
(* for raising expect checks: raised *)
(* for leaving expect checks: exited *)
(* for leaving 2 expect checks: exited *)
(* steps: 2_000_000 *)
(* for looping expect checks: timed_out *)
(* steps: *)
(* for other expect checks: stack_overflow *)

(* # What shares nothing with the statement is credited: a line that shows a value costs the check
   behind it, as plain OCaml would not go on, and no other which asks for another value. *)
(* tests *)
let xs = [1; 2]
let show x = List.map string_of_int x
let () = print_string (String.concat {| |} (show (List.map f xs)))
let () = assert (f 3 = 4)
let () = assert (show (g xs) = [{|2|}; {|1|}])
(* code *)
let f x = if x < 3 then raise Exit else x + 1
let g = List.rev
(* expect checks: raised, passed *)

(* # Checks before the statement keep their credit: only what comes later reads the state too
   late. *)
(* tests *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
let () = assert (!bad = f 0)
let () = test "a" (f 1 = 2)
let () = assert (!bad = 0)
(* code *) let f x = if x = 0 then 0 else raise Exit
(* expect checks: passed, raised *)

(* # A check that loops restarts no state: what was left out when the tests were run again counts
   as before. *)
(* tests *)
let bad = ref 0
let test name cond = if not cond then (incr bad; Printf.printf "FAIL %s\n" name)
let () = test "a" (f 1 = 2)
let () = assert (f 2 = 3)
let () = assert (!bad = 0)
(* steps: 2_000_000 *)
(* code *) let rec f x = if x = 1 then f x else if x = 2 then f x else 0
(* expect checks: 2 timed_out *)
(* steps: *)

(* # A check of what others left takes one that returned: where none did, there is nothing that it
   could tell. *)
(* tests *)
let a = [|3; 1|]
let () = assert (f a = 3)
let () = assert (f [|4|] = 4)
let () = assert (a = [|3; 1|])
(* code *) let f a = a.(0)
(* expect checks: 3 passed *)
(* code *) let f a = let x = a.(0) in a.(0) <- 7; x
(* expect checks: 2 passed, failed *)
(* code *) let f _ = 0
(* expect checks: 2 failed, passed *)
(* code *) let f _ = raise Exit
(* expect checks: 3 raised *)
(* code *) let f a = if a = [|4|] then 4 else raise Exit
(* expect checks: raised, passed, raised *)
(* steps: 2_000_000 *)
(* code *) let rec f a = f a
(* expect checks: 3 timed_out *)
(* steps: *)

(* # One that returned is enough: credit for one function is not lost by another that raises. *)
(* tests *)
let a = [|3; 1|]
let () = assert (least a = 1)
let () = assert (sort a = ())
let () = assert (a = [|1; 3|])
(* code *)
let least _ = raise Exit
let sort a = Array.sort compare a
(* expect checks: raised, 2 passed *)

(* # An exit takes all that returned: it tells how all have ended, and an assertion what one has
   left. *)
(* tests *)
let bad = ref 0
let ok b = if not b then incr bad; b
let () = assert (ok (f 1 = 2))
let () = assert (ok (g 1 = 1))
let () = if !bad > 0 then exit 1
(* code *)
let f _ = raise Exit
let g x = x
(* expect checks: raised, passed, raised *)

(* code *)
let f x = x + 1
let g x = x
(* expect checks: 3 passed *)

(* tests *)
let bad = ref 0
let ok b = if not b then incr bad; b
let () = assert (ok (f 1 = 2))
let () = assert (ok (g 1 = 1))
let () = assert (!bad = 0)
(* code *)
let f _ = raise Exit
let g x = x
(* expect checks: raised, 2 passed *)

(* code *)
let f x = x + 1
let g x = x
(* expect checks: 3 passed *)

(* # What tests leave for their end is run: their own at_exit functions are checks like others,
   the last registered first. *)
(* code: right *) let f x = x + 1
(* code: wrong *) let f _ = 0

(* tests: a function *)
let n = ref 0
let () = at_exit (fun () -> assert (!n = 2))
let () = n := f 1
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: a name *)
let n = ref 0
let last () = assert (!n = 2)
let () = at_exit last
let () = n := f 1
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: an item *)
let n = ref 0
;; at_exit (fun () -> if !n <> 2 then exit 1);;
let () = n := f 1
(* for right expect checks: passed *)
(* for wrong expect checks: exited *)

(* tests: an operator *)
let n = ref 0
let () = Stdlib.at_exit @@ fun () -> assert (!n = 2)
let () = n := f 1
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: two *)
let n = ref 0
let () = at_exit (fun () -> assert (!n = 5))
let () = at_exit (fun () -> assert (!n = 2); n := 5)
let () = n := f 1
(* for right expect checks: 2 passed *)
(* for wrong expect checks: failed, passed *)

(* # What cannot be run at the end is refused: nothing that tests say is left out in silence. *)
(* tests *) let () = if f 1 = 2 then at_exit (fun () -> assert (f 2 = 3))
(* expect refused: tests, line 1: unsupported: at_exit in a place but a statement of its own *)

(* tests *)
let later g = at_exit g
let () = later (fun () -> assert (f 2 = 3))
(* expect refused: tests, line 1: unsupported: at_exit in a place but a statement of its own *)

(* tests *) let () = assert (f 1 = 2); at_exit (fun () -> assert (f 2 = 3))
(* expect refused: tests, line 1: unsupported: at_exit in a place but a statement of its own *)

(* tests *)
let () = at_exit (fun () -> assert (f 2 = 3))
let () = if f 1 = 2 then exit 0
(* expect refused: tests, line 2: unsupported: at_exit in tests that end by exit *)

(* # A predicate of what others left takes one that returned: it is applied after the last run,
   and holds for what nobody has changed. *)
(* tests *)
let a = [| 3; 1; 2 |]
let rec positive = function [] -> true | x :: t -> x > 0 && positive t
let () = assert (sort a; a = [| 1; 2; 3 |])
let () = assert (positive (Array.to_list a))
(* code *) let sort _ = failwith "no"
(* expect checks: 2 raised *)
(* code *) let sort _ = ()
(* expect checks: failed, passed *)
