(* Suites of OUnit: of its first version, run more than once, and not run at all. *)
(* engines: warm stock *)

(* # Suites of the first version: what OUnit 1 has a case is one, with a reference and without. *)
(* code: right *) let f x = x + 1
(* code: wrong *) let f x = 3 * x

(* tests: opened *)
open OUnit
let suite = "s" >::: ["f" >:: (fun () -> assert_equal 3 (f 2))]
let _ = run_test_tt suite
(* reference or none: right *)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: main *)
open OUnit
let f_2 () = assert_equal ~printer:string_of_int 3 (f 2)
let suite : test = "s" >::: ["f" >:: f_2]
let _ = run_test_tt_main suite
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: operator *)
open OUnit
let _ = run_test_tt ~verbose:true ("f" >:: fun _ -> "3" @? (f 2 = 3))
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: constructors *)
open OUnit
let suite = TestList [TestLabel ("f", TestCase (fun () -> assert_equal 3 (f 2)))]
let _ = run_test_tt suite
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: bracket *)
open OUnit
let taken = bracket (fun () -> ref 2) (fun r -> assert_equal 3 (f !r)) ignore
let _ = run_test_tt_main ("f" >:: taken)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: raises *)
open OUnit
let g () = if f 2 = 3 then raise Not_found
let _ = run_test_tt_main ("f" >:: fun () -> assert_raises Not_found g)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: in an expression *)
let () = OUnit.(if not (was_successful (run_test_tt ("f" >::
  (fun () -> assert_equal 3 (f 2))))) then exit 1)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* # Cases in no suite that is run: they count as nothing: neither do they fail code nor do they
   earn it anything. *)
(* code: right *) let f x = x + 1
(* code: wrong *) let f x = 3 * x

(* tests *)
open OUnit2
let other = ["g" >:: (fun _ -> assert_equal 0 (f 2))]
let () = run_test_tt_main ("a" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2))])
(* reference or none: right *)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests *)
open OUnit2
let case = fun _ -> assert_equal 0 (f 2)
let other = "g" >:: case
let all = "all" >::: [other]
let () = run_test_tt_main ("a" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2))])
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests *)
open OUnit2
let other = List.map (fun n -> "l" >:: fun _ -> assert_equal (n + 1) (f n)) [1; 2]
let () = run_test_tt_main ("a" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2))])
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* # No suite that is run: tests that run none check nothing. *)
(* tests *)
open OUnit2
let suite = ["f" >:: (fun _ -> assert_equal 3 (f 2))]
(* expect refused: tests, line 1: unsupported: tests without an assertion: nothing could ever be credited *)

(* # Suites that are run one after the other: what stands between them may call the code, also
   where the cases are made while running. *)
(* code: right *) let f x = x + 1
(* code: wrong *) let f x = 3 * x

(* tests *)
open OUnit2
let () = run_test_tt_main ("a" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2))])
let g x = f (f x)
let () = run_test_tt_main ("b" >:: fun _ -> assert_equal 4 (g 2))
(* reference: right *)
(* for right expect checks: 2 passed *)
(* for wrong expect checks: 2 failed *)

(* tests *)
open OUnit2
let () = run_test_tt_main ("a" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2))])
let three = f 2
let () = run_test_tt_main ("b" >:: fun _ -> assert_equal 4 (f three))
(* for right expect checks: 2 passed *)
(* for wrong expect checks: 2 failed *)

(* tests *)
open OUnit2
let () = run_test_tt_main ("a" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2))])
let others = List.map (fun n -> "l" >:: fun _ -> assert_equal (n + 1) (f n)) [1; 2]
let () = run_test_tt_main ("b" >::: others)
(* for right expect checks: 3 passed *)
(* for wrong expect checks: 3 failed *)

(* tests *)
open OUnit2
let () = run_test_tt_main ("a" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2))])
let () = ignore (f 1)
let () = run_test_tt_main ("b" >::: List.map (fun n -> "l" >:: fun _ -> assert_equal (n + 1) (f n)) [1; 2])
(* for right expect checks: 3 passed *)
(* for wrong expect checks: 3 failed *)

(* # A suite that is run for its results: a statement whose value is dropped is no boolean, though
   nothing says what a run returns. *)
(* tests *)
open OUnit2
let _ = run_test_tt_main ("a" >::: ["f" >:: (fun _ -> assert_equal 3 (f 2))])
(* code *) let f x = x + 1
(* expect checks: passed *)
