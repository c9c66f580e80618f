(* libraries: unix *)

(* # Handlers that print: a case holds if what it asserts was evaluated and held, whatever the tests
   make of an exception. *)
(* code: right *) let rec sum = function [] -> 0 | x :: t -> x + sum t
(* code: wrong *) let sum l = 1 + 2 * List.length l
(* code: raising *) let sum _ = failwith "TODO"

(* tests: one handler around all *)
let () = try
  assert (sum [] = 0);
  assert (sum [1; 2] = 3);
  print_endline "All tests passed"
with Assert_failure (f, l, c) -> Printf.printf "assertion failed at %s:%d:%d\n" f l c
   | e -> print_endline (Printexc.to_string e)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for raising expect checks: raised *)

(* tests: a handler of the tests' own exception *)
exception Mismatch of string
let equal name a b = if a <> b then raise (Mismatch name)
let () = List.iter (fun (n, f) -> try f (); print_endline (n ^ " ok") with Mismatch m -> print_endline m)
  [ ("e", (fun () -> equal "e" (sum []) 0)); ("s", (fun () -> equal "s" (sum [1; 2]) 3)) ]
(* for right expect checks: 2 passed *)
(* for wrong expect checks: 2 failed *)
(* for raising expect checks: 2 raised *)

(* tests: an outcome that is printed later *)
let assert_eq a b = fun () -> if a <> b then failwith "not equal"
let run (n, f) = try f (); (n, true) with _ -> (n, false)
let out = List.map run [ ("e", assert_eq (sum []) 0); ("s", assert_eq (sum [1; 2]) 3) ]
let () = List.iter (fun (n, ok) -> Printf.printf "%s %b\n" n ok) out
(* for right expect checks: 2 passed *)
(* for wrong expect checks: failed, not_run *)
(* for raising expect checks: raised, not_run *)

(* tests: an exception that is wanted *)
let raises f = try ignore (f ()); print_endline "FAIL"; exit 1 with _ -> print_endline "ok"
let () = raises (fun () -> List.hd (List.filteri (fun i _ -> i > 5) [sum [1]]))
let () = assert (sum [1; 2] = 3)
(* for right expect checks: 2 passed *)
(* for wrong expect checks: failed, not_run *)

(* tests: only printed *)
let test f = try f () with ex -> Printf.sprintf "INVALID: %s" (Printexc.to_string ex)
let run f x out = try if f x = out then "pass" else "fail" with Exit -> raise Not_found | e -> Printexc.to_string e
let () = List.iter print_endline (List.map test [ (fun () -> run sum [] 0); (fun () -> run sum [1; 2] 3) ])
(* expect refused: they catch what fails, or only print it *)

(* tests: only printed, with a reference *)
let run f x out = try if f x = out then "pass" else "fail" with Exit -> raise Not_found | e -> Printexc.to_string e
let () = print_endline (run sum [] 0)
let () = print_endline (run sum [1; 2] 3)
(* reference: right *)
(* for right expect checks: 2 passed *)
(* for wrong expect checks: 2 failed *)
(* for raising expect checks: 2 failed *)
(* reference *)

(* tests: many cases in one statement *)
let cases = ref []
let case f = cases := f :: !cases
let () = case (fun () -> assert (sum [] = 0))
let () = case (fun () -> assert (sum [1; 2] = 3))
let () = List.iter (fun f -> try f (); print_endline "ok" with _ -> print_endline "FAIL") !cases
(* expect refused: line 5: several cases in one statement *)

(* # With a reference nothing is caught that it does not raise. *)
(* code: right *) let rec sum = function [] -> 0 | x :: t -> x + sum t
(* code: raising *) let sum _ = failwith "TODO"
(* reference: right *)

(* tests *)
let t = QCheck.Test.make ~name:"x" QCheck.(list small_int) (fun l -> try sum (0 :: l) = sum l && sum [1; 2] = 3 with _ -> true)
let () = QCheck.Test.check_exn t
(* for right expect checks: passed *)
(* for raising expect checks: raised *)

(* tests: that their own failure is caught, and nothing tells *)
let () = try assert (sum [1] = 2) with _ -> print_endline "FAIL"
let () = assert (sum [1; 2] = 3)
(* expect refused: line 1: with the reference they catch a failure and go on *)

(* # Suites that nothing runs: they are refused, as at the top. *)
(* reference or none, and code *)
let sum l = List.fold_left ( + ) 0 l

(* tests: in a module *)
open OUnit2
module Tests = struct
  let suite = [ "s" >::: ["a" >:: (fun _ -> assert_equal 0 (sum [])); "b" >:: (fun _ -> assert_equal 3 (sum [1; 2]))] ]
end
(* expect refused: nothing evaluates what they check: run the suite *)

(* tests: for a command line *)
open OUnit2
let s = "s" >::: ["a" >:: (fun _ -> assert_equal 0 (sum [])); "b" >:: (fun _ -> assert_equal 3 (sum [1; 2]))]
let () = if Array.length Sys.argv > 1 then run_test_tt_main s
(* expect refused: nothing evaluates what they check: run the suite *)

(* tests: in a functor *)
open OUnit2
module Make (X : sig val sum : int list -> int end) = struct
  let suite = "s" >::: [ "a" >:: (fun _ -> assert_equal 4 (X.sum [4])) ]
  let run = run_test_tt_main suite
end
(* expect refused: nothing evaluates what they check: run the suite *)

(* tests: a case for another place *)
open OUnit2
let s = "s" >::: ["a" >:: (fun _ -> if Sys.getenv_opt "CI" <> None then assert_equal 0 (sum [])); "b" >:: (fun _ -> assert_equal 3 (sum [1; 2]))]
let () = run_test_tt_main s
(* expect checks: passed *)

(* # Signals and timers of tests: they are set, and never come. *)
(* code: right *) let rec sum = function [] -> 0 | x :: t -> x + sum t
(* code: wrong *) let sum l = 1 + List.length l
(* reference: right *)

(* tests *)
exception Timeout
let run f arg out =
  let old = Sys.signal Sys.sigalrm (Sys.Signal_handle (fun _ -> raise Timeout)) in
  ignore (Unix.alarm 5);
  ignore (Unix.setitimer Unix.ITIMER_REAL { Unix.it_interval = 0.; it_value = 1. });
  let r = try if f arg = out then "pass" else "fail" with _ -> "error" in
  ignore (Unix.alarm 0); Sys.set_signal Sys.sigalrm old; r
let () = if run sum [] 0 <> "pass" || run sum [1; 2] 3 <> "pass" then exit 1
(* for right expect checks: passed *)
(* for wrong expect checks: exited *)

(* # What the jail has not: tests that need it are refused. *)
(* reference or none, and code *)
let sum l = List.fold_left ( + ) 0 l

(* tests *)
let () = let o = open_out "x" in output_string o "3"; close_out o; assert (sum [] = 0)
(* expect refused: they need a file *)

(* tests *)
let () = let r, w = Unix.pipe () in ignore (r, w); assert (sum [] = 0)
(* expect refused: they need a pipe *)

(* tests *)
let () = match Unix.fork () with 0 -> exit 0 | _ -> assert (sum [] = 0)
(* expect refused: they need another process or thread *)
