(* Tests written with Alcotest and QCheck, graded by the real libraries. *)
(* engines: warm stock *)

(* # Each case is a check: a test that is written out is numbered, and ends as the library has it.
   *)
(* code: right *) let f x = if x < 0 then raise Not_found else x
(* code: wrong *) let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x

(* tests *)

let test_one () = Alcotest.(check int) "same" 1 (f 1)
let test_two () = Alcotest.check Alcotest.int "same" 2 (f 2)
let () =
  let open Alcotest in
  run "F" [ "a", [ test_case "1" `Quick test_one ]; "b", [ test_case "2" `Slow test_two ] ]
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* tests *)

let test_one () = Alcotest.(check int) "same" 1 (f 1)
let test_two () = Alcotest.check Alcotest.int "same" 2 (f 2)
open Alcotest
let suite = [ test_case "1" `Quick test_one;
  test_case "2" `Quick @@ fun () -> check (list int) "l" [2] [f 2] ]
let () = run ~and_exit:false "F" [ ("all", suite) ]
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* tests: tuples *)
let s = [ "a", `Quick, (fun () -> Alcotest.(check bool) "b" true (f 1 = 1)); "b", `Slow, fun () -> Alcotest.(check bool) "b" true (f 2 = 2) ]
let () = Alcotest.run "t" [ "s", s ]
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* tests: an argument *)
let () = Alcotest.run ~argv:[| "x" |] "t" [ "s", [ Alcotest.test_case "1" `Quick (fun () -> Alcotest.(check int) "m" 1 (f 1)); Alcotest.test_case "2" `Quick (fun () -> Alcotest.(check int) "m" 2 (f 2)) ] ]
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* tests: partial application *)
let t n () = Alcotest.(check int) "m" n (f n)
let () = Alcotest.run  "t" [ "s", [ Alcotest.test_case "1" `Quick (t 1); Alcotest.test_case "2" `Quick (t 2) ] ]
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* tests: testables *)
type p = { a : int; b : string }
let pp ppf p = Fmt.pf ppf "%d %s" p.a p.b
let p = Alcotest.testable pp (fun x y -> x.a = y.a)
let near = Alcotest.(pair (float 0.5) (option (array string)))
let () = Alcotest.run  "t" [ "s", [ Alcotest.test_case "p" `Quick (fun () -> Alcotest.check p "p" { a = 1; b = "" } { a = f 1; b = "x" });
Alcotest.test_case "n" `Quick (fun () -> Alcotest.check near "n" (2., None) (float (f 2) +. 0.1, None));
Alcotest.test_case "o" `Quick (fun () -> Alcotest.(check (neg (of_pp Fmt.int))) "o" 3 (f 3 + 1)) ] ]
(* for right expect checks: 3 passed *)
(* for wrong expect checks: passed, failed, passed *)

(* tests *)
let () = QCheck_runner.run_tests_main [ QCheck.Test.make QCheck.small_nat
  (fun x -> if f x <> x then failwith "other" else true) ]
(* for right expect checks: passed *)
(* for wrong expect checks: raised *)

(* tests: words *)
let () = Alcotest.run  "t" [ "s", [ Alcotest.test_case "f" `Quick (fun () -> if f 2 <> 2 then Alcotest.fail "no");
Alcotest.test_case "g" `Quick (fun () -> if f 2 <> 2 then Alcotest.failf "%d" 3);
Alcotest.test_case "h" `Quick (fun () -> Alcotest.(check' int) ~msg:"m" ~expected:2 ~actual:(f 2));
Alcotest.test_case "i" `Quick (fun () -> assert (f 2 = 2));
Alcotest.test_case "j" `Quick (fun () -> if f 2 <> 2 then exit 0) ] ]
(* for right expect checks: 5 passed *)
(* for wrong expect checks: 4 failed, exited *)

(* tests: modules and two runs *)
module T = struct let all = [ Alcotest.test_case "1" `Quick (fun () -> Alcotest.(check int) "m" 1 (f 1)) ] end
let () = Alcotest.run ~and_exit:false "t" [ "s", T.all ]
let () = Alcotest.run  "t" [ "s", [ Alcotest.test_case "2" `Quick (fun () -> Alcotest.(check int) "m" 2 (f 2)) ] ]
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* tests: terms *)
let () = Alcotest.run_with_args "t" Cmdliner.Term.(const 2) [ "s", [ "c", `Quick, fun n -> Alcotest.(check int) "m" n (f n) ] ]
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests *)
let () = QCheck_runner.run_tests ~long:true [ QCheck.Test.make ~name:"q" QCheck.small_nat (fun x -> f x = x) ] |> exit
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: modules of what is tested, and as testables *)
module To_test = struct let f = f end
module M = struct type t = int let pp = Fmt.int let equal = Int.equal end
let m : int Alcotest.testable = (module M)
let () = Alcotest.run  "t" [ "s", [ Alcotest.test_case "c" `Quick (fun () -> Alcotest.check m "m" 2 (To_test.f 2));
Alcotest.test_case "d" `Quick (fun () -> Alcotest.check (module M) "m" 1 (To_test.f 1)) ] ]
(* for right expect checks: 2 passed *)
(* for wrong expect checks: failed, passed *)

(* tests: no suite *)
let () = Alcotest.(check int) "m" 1 (f 1)
let () = Alcotest.(check int) "m" 2 (f 2)
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* tests: much that is printed *)
let () = Alcotest.run  "t" [ "s", [ Alcotest.test_case "c" `Quick (fun () -> for i = 3 to 20_000 do Alcotest.(check int) "some text for the log" i (f i) done) ] ]
(* for right expect checks: passed *)
(* for wrong expect checks: passed *)

(* tests: main *)
open QCheck
let a = Test.make ~count:10 small_int (fun x -> f (x + 3) = x + 3)
let b = QCheck.Test.make QCheck.(list small_nat) @@ fun l -> List.map f l = l
let () = QCheck_runner.run_tests_main [ a; b ]
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* tests: exit *)
let () = exit (QCheck_runner.run_tests ~verbose:true [ QCheck.Test.make ~name:"q" QCheck.small_nat (fun x -> f x = x) ])
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: a helper that runs *)
let run t = QCheck.Test.check_exn t
let () = List.iter run [ QCheck.Test.make ~name:"q" QCheck.small_nat (fun x -> f x = x) ]
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: a helper that runs all *)
let q = QCheck.Test.make ~name:"q" QCheck.small_nat (fun x -> f x = x)
let main () = exit (QCheck_runner.run_tests [ q ])
let () = main ()
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: opened *)
open QCheck_base_runner
let _ = run_tests ~colors:false [ QCheck.Test.make ~name:"q" QCheck.small_nat (fun x -> f x = x) ]
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: one by one *)
let t = QCheck.Test.make ~name:"q" QCheck.small_nat (fun x -> f x = x)
let () = QCheck.Test.check_exn t
let () = QCheck.Test.check_exn (QCheck.Test.make QCheck.bool (fun b -> f 1 = 1 || b))
(* for right expect checks: 2 passed *)
(* for wrong expect checks: failed, passed *)

(* tests: QCheck2 *)
open QCheck2
let () = QCheck_base_runner.run_tests_main [
  Test.make ~print:string_of_int Gen.small_nat (fun x -> f x = x);
  Test.make_neg Gen.small_nat (fun x -> f x = x + 1) ]
(* for right expect checks: 2 passed *)
(* for wrong expect checks: failed, passed *)

(* tests: preconditions *)
let () = QCheck_runner.run_tests_main QCheck.[
  Test.make small_nat (fun x -> x > 3 ==> (f x = x));
  Test.make small_nat (fun x -> assume (f 2 = 2); true) ]
(* for right expect checks: 2 passed *)
(* for wrong expect checks: passed, failed *)

(* tests: in Alcotest *)
let () = Alcotest.run "t" [ "q", List.map QCheck_alcotest.to_alcotest [ QCheck.Test.make ~name:"q" QCheck.small_nat (fun x -> f x = x) ]; "c", [ Alcotest.test_case "1" `Quick (fun () -> Alcotest.(check int) "m" 1 (f 1)); QCheck_alcotest.to_alcotest (QCheck.Test.make ~name:"r" QCheck.small_nat (fun x -> f x = x)) ] ]
(* for right expect checks: 3 passed *)
(* for wrong expect checks: failed, passed, failed *)

(* tests: in OUnit2 *)
open OUnit2
let s = "s" >::: [ QCheck_ounit.to_ounit2_test (QCheck.Test.make ~name:"q" QCheck.small_nat (fun x -> f x = x)); "b" >:: (fun _ -> assert_equal 1 (f 1)) ]
let s = "t" >::: s :: QCheck_runner.to_ounit2_test_list [ QCheck.Test.make ~name:"r" QCheck.small_nat (fun x -> f x = x) ]
let () = run_test_tt_main s
(* for right expect checks: 3 passed *)
(* for wrong expect checks: failed, passed, failed *)

(* tests: a suite in the statement that runs it, and more behind *)
let () =
  let open Alcotest in
  let n = f 3 in
  let one () = check int "m" 1 (f 1) in
  run ~and_exit:false "t" [ "s", [ test_case "1" `Quick one; test_case "2" `Quick (fun () -> check int "m" 2 (f 2)) ] ];
  assert (n = f n)
(* for right expect checks: 3 passed *)
(* for wrong expect checks: passed, failed, not_run *)

(* tests: many names in such a statement, which are used behind the run *)
let () =
  let a = 1 in let b = 2 in let c = 3 in let d = 4 in let e = 5 in let g = 6 in let h = 7 in let i = 8 in let j = 9 in let k = 10 in let l = 11 in let m = 12 in let n = 13 in
  let o = 14 in let p = 15 in let q = 16 in let r = 17 in let s = 18 in let t = 19 in let u = 20 in let v = 21 in let w = 22 in let x = 23 in let y = 24 in let z = 25 in
  Alcotest.(run ~and_exit:false "t" [ "s", [ test_case "1" `Quick (fun () -> check int "m" 2 (f 2)) ] ]);
  assert (List.length [ a; b; c; d; e; g; h; i; j; k; l; m; n; o; p; q; r; s; t; u; v; w; x; y; z ] = f 25)
(* for right expect checks: 2 passed *)
(* for wrong expect checks: failed, not_run *)

(* # Cases made by code are counted with the reference: as with OUnit2 only running such a suite
   tells how many checks it has. *)
(* code: wrong *) let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x

(* tests: Alcotest *)
let case n = Alcotest.test_case "c" `Quick (fun () -> Alcotest.(check int) "m" n (f n))
let () = Alcotest.run "t" [ "s", List.map case [ 1; 2; 3 ] ]
(* reference *) let f x = if x < 0 then raise Not_found else x
(* for wrong expect checks: passed, failed, passed *)

(* tests: Alcotest in one statement *)
let () =
  let case n = Alcotest.test_case "c" `Quick (fun () -> Alcotest.(check int) "m" n (f n)) in
  Alcotest.run "t" [ "s", List.map case [ 1; 2; 3 ] ]
(* for wrong expect checks: passed, failed, passed *)

(* tests: OUnit2 in one statement *)
let () =
  let open OUnit2 in
  let case n = "c" >:: (fun _ -> assert_equal n (f n)) in
  run_test_tt_main ("t" >::: List.map case [ 1; 2; 3 ])
(* for wrong expect checks: passed, failed, passed *)

(* reference *)
(* for wrong expect checks: passed, failed, passed *)

(* tests: tuples *)
let () = Alcotest.run "t" [ "s", List.map (fun n -> ("c", `Quick, fun () ->
  Alcotest.(check int) "m" n (f n))) [ 1; 2; 3 ] ]
(* reference *) let f x = if x < 0 then raise Not_found else x
(* for wrong expect checks: passed, failed, passed *)

(* reference *)
(* for wrong expect checks: passed, failed, passed *)

(* tests: QCheck *)
let t n = QCheck.Test.make QCheck.bool (fun _ -> f n = n)
let () = QCheck_runner.run_tests_main (List.map t [ 1; 2; 3 ])
(* reference *) let f x = if x < 0 then raise Not_found else x
(* for wrong expect checks: passed, failed, passed *)

(* reference *)
(* for wrong expect checks: passed, failed, passed *)

(* # A cheat gains nothing: what is wrong passes no check that it did not pass, whatever the code
   says or does. *)
(* tests *)
open Alcotest
let q = QCheck_alcotest.to_alcotest (QCheck.Test.make ~name:"q" QCheck.small_nat (fun x -> f x = x))
let () = Alcotest.run  "t" [ "s", [ test_case "2" `Quick (fun () -> check int "m" 2 (f 2)); q ] ]
(* code *)
module Alcotest = struct let check _ _ _ _ = () let run _ _ = () end
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect forbidden: Alcotest (line 1) *)

(* code *)
module QCheck = struct end
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect forbidden: QCheck (line 1) *)

(* code *)
let check _ _ _ _ = ()  let run _ _ = ()  let test_case _ _ _ = ()  let int = 0
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect checks: 2 failed *)

(* code *)
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
let f _ = QCheck.assume_fail ()
(* expect forbidden: QCheck (line 2) *)

(* code *)
exception E = QCheck.No_example_found
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect forbidden: QCheck (line 1) *)

(* code *)
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
let f _ = try raise Exit with QCheck2.Test.Test_fail _ -> 1
(* expect forbidden: QCheck2 (line 2) *)

(* code *)
module type S = sig open Alcotest end
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect forbidden: Alcotest (line 1) *)

(* code *)
module type S = module type of QCheck2.Test
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect forbidden: QCheck2 (line 1) *)

(* code *)
let () = QCheck_base_runner.set_seed 1
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect stage: type_error *)

(* code *)
let () = ignore (Unix.getpid ())
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect stage: type_error *)

(* code *)
let () = ignore (Fmt.stdout)
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect forbidden: Fmt (line 1) *)

(* code *)
module A = Alcotest_engine
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect forbidden: Alcotest_engine (line 1) *)

(* code *)
let () = at_exit (fun () -> exit 0)
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect checks: 2 failed *)

(* code *)
let () = exit 0
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect checks: 2 exited *)

(* code *)
let () = Format.set_formatter_output_functions (fun _ _ _ -> exit 0) (fun () -> exit 0)
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect checks: 2 failed *)

(* code *)
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
let f _ = exit 0
(* expect checks: 2 exited *)

(* code *)
let () = Printexc.register_printer (fun _ -> Some "")
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect checks: 2 failed *)

(* code *)
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
let () = Random.init 1  let f _ = raise Exit
(* expect checks: 2 raised *)

(* code *)
let ( = ) _ _ = true  let compare _ _ = 0
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect checks: 2 failed *)

(* code *)
module List = struct let map _ _ = [] let concat_map _ _ = [] let iter _ _ = () end
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect checks: 2 failed *)

(* code *)
module Random = struct module State = struct let make _ = exit 0 end end
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect checks: 2 failed *)

(* code *)
module Stdlib = struct end  module String = struct let concat _ _ = exit 0 end
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect checks: 2 failed *)

(* code *)
type 'a option = None | Some of int  type ('a, 'b) result = Ok | Error
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect checks: 2 failed *)

(* # Honest code is free to use other names: what a framework calls its own, the code may, too. *)
(* tests *)
open Alcotest
let () = Alcotest.run  "t" [ "s", [ Alcotest.test_case "1" `Quick (fun () -> Alcotest.(check int) "m" 1 (f 1)) ] ]
(* code *)
let check = 1  let run = 2  let int = 3  let test_case = 4
let f x = if x < 0 then raise Not_found else x
(* expect checks: passed *)

(* code *)
let alcotest = "Alcotest" (* Alcotest, QCheck *)
let f x = if x < 0 then raise Not_found else x
(* expect checks: passed *)

(* code *)
module T = struct let qCheck = 1 end
let f x = if x < 0 then raise Not_found else x
(* expect checks: passed *)

(* code *)
let silence () = 1  let cases = 2  let name = 3
let f x = if x < 0 then raise Not_found else x
(* expect checks: passed *)

(* # A suite of the code s own is no check: what the code calls a case has no number, and stands
   for no check of the tests. *)
(* tests *)
let () = Alcotest.run "t" [ "s", [ Alcotest.test_case "1" `Quick (fun () -> Alcotest.(check int) "m" 1 (f 1)) ]; "own", Own.tests ]
let () = assert (f 2 = 2)
(* code *)
module Own = struct let tests = ["c", `Quick, fun () -> ()] end
let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x
(* expect checks: failed, not_run *)

(* tests *)
let () = Alcotest.run "t" [ "s", [  ]; "own", Own.tests ]
let () = assert (f 2 = 2)
(* expect checks: failed *)

(* # The code s names stay its own: a module that tests open has the names that the library's has,
   and no more. *)
(* tests *)
open Alcotest
open QCheck_alcotest
let () = run "t" [ "s", [ test_case "c" `Quick (fun () -> check int "m" 6 (cases + name + List.length (checked ()))); to_alcotest (QCheck.Test.make QCheck.bool (fun b -> b = b && silence = 4)) ] ]
(* code *) let cases = 1  let name = 2  let checked () = [1; 2; 3]  let silence = 4
(* expect checks: 2 passed *)

(* # A listed framework is the tests alone: as a project's build file lists it; printers that a
   problem lists are the code's, too. *)
(* libraries: alcotest *)
(* tests: alcotest *)
let () = Alcotest.run  "t" [ "s", [ Alcotest.test_case "1" `Quick (fun () -> Alcotest.(check int) "m" 1 (f 1)) ] ]
(* code *)
let f x = if x < 0 then raise Not_found else x
let _ = Alcotest.int
(* expect forbidden: Alcotest (line 2) *)

(* libraries: qcheck *)
(* expect forbidden: Alcotest (line 2) *)

(* libraries: qcheck-alcotest *)
(* expect forbidden: Alcotest (line 2) *)

(* libraries: alcotest *)
(* code: alcotest *) let f x = if x < 0 then raise Not_found else x
(* expect checks: passed *)

(* libraries: qcheck *)
(* expect checks: passed *)

(* libraries: qcheck-alcotest *)
(* expect checks: passed *)

(* libraries: fmt *)
(* expect checks: passed *)

(* code *)
let f x = if x < 0 then raise Not_found else x
let _ = Fmt.int
(* expect checks: passed *)
