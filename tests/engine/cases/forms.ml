(* The forms that tests come in, each turned into numbered checks. *)

(* # Every form is counted and passes: a right solution passes all checks of each form. *)
(* code: right *) let f x = x

(* tests *) let () = assert (f 1 = 1); assert (f 2 = 2);;
(* reference: right *)
(* for right expect checks: 2 passed *)

(* tests *)
let () = assert (f 1 = 1)
let () = assert (f 2 = 2)
(* for right expect checks: 2 passed *)

(* tests *) let _ = assert (f 1 = 1)
(* for right expect checks: passed *)

(* tests *)
assert (f 1 = 1);;
assert (f 2 = 2);;
(* for right expect checks: 2 passed *)

(* tests *)
f 1 = 1;;
f 2 = 2;;
not (f 1 = 2);;
(* for right expect checks: 3 passed *)

(* tests *) let () = let x = f 1 in assert (x = 1); assert (f x = 1)
(* for right expect checks: 2 passed *)

(* tests *)
let assertions = let candidate = f in (
  assert ((candidate (1)) = (1))); ()
(* for right expect checks: passed *)

(* tests *)
let test () = assert (f 1 = 1); assert (f 2 = 2)
let () = test ()
(* for right expect checks: 2 passed *)

(* tests *)
let check a b = assert (a = b)
let () = check (f 1) 1; check (f 2) 2
(* for right expect checks: 2 passed *)

(* tests *) let () = List.iter (fun (a, b) -> assert (f a = b)) [1, 1; 2, 2; 3, 3]
(* for right expect checks: 3 passed *)

(* tests *)
let l = [1; 2]
let () = List.iter (fun x -> assert (f x = x)) l
(* for right expect checks: 2 passed *)

(* tests *) let () = for i = 1 to 5 do assert (f i = i) done
(* for right expect checks: passed *)

(* tests *) let () = assert (try ignore (f 0); true with Not_found -> false)
(* for right expect checks: passed *)

(* tests *) let () = if f 1 <> 1 then failwith "wrong"
(* for right expect checks: passed *)

(* tests *) let () = print_endline "start"; assert (f 1 = 1); print_endline "ok"
(* for right expect checks: passed *)

(* tests *) module T = struct let () = assert (f 1 = 1) end
(* for right expect checks: passed *)

(* tests *)
module Cmp (X : sig type t val eq : t -> t -> bool end) = struct
  let check a b = assert (X.eq a b) end
module I = Cmp (struct type t = int let eq = ( = ) end)
let () = I.check (f 1) 1; I.check (f 2) 2
(* for right expect checks: 2 passed *)

(* tests *) let s = "(assert (f 1 = 2))" let () = assert (f 1 = 1 && s <> "")
(* for right expect checks: passed *)

(* tests *)
let a () = assert (f 1 = 1)
let b () = assert (f 2 = 2)
let tests = [("a", a); ("b", b)]
let () = List.iter (fun (_, t) -> t ()) tests
(* for right expect checks: 2 passed *)

(* tests *)
let t = match Some (f 1) with Some t -> t | None -> failwith "none"
let () = assert (t = 1)
(* for right expect checks: passed *)

(* tests *)
let o = object method run = assert (f 1 = 1) end
let () = o#run
(* for right expect checks: passed *)

(* tests *) let () = [1; 2] |> List.iter (fun x -> assert (f x = x))
(* for right expect checks: 2 passed *)

(* tests *) let () = let test a b = assert (f a = b) in test 1 1; test 2 2
(* for right expect checks: 2 passed *)

(* tests *)
let check candidate = assert (candidate 1 = 1); assert (candidate 2 = 2)
let () = check f
(* for right expect checks: 2 passed *)

(* tests *)
let input = 1 let t () = assert (f input = 1) let input = 2
let () = t (); assert (f input = 2)
(* for right expect checks: 2 passed *)

(* tests *) let () = assert (f 1 = 1); exit 0
(* for right expect checks: passed *)

(* tests *)
let main () = if f 1 = 1 then 0 else 1
let () = exit (main ())
(* for right expect checks: passed *)

(* tests *) let () = (try if f 1 = 1 then raise Exit; assert false with Exit -> ())
(* for right expect checks: passed *)

(* tests *)
let g (x : Map.Make(String).key) = x
let () = assert (f 1 = 1)
(* for right expect checks: passed *)

(* tests *)
open OUnit2
let tests = "t" >::: ["a" >: test_case (fun _ -> ()); "b" >:: (fun _ -> assert_equal 1 (f 1))]
let () = run_test_tt_main tests
(* for right expect checks: 2 passed *)

(* tests *)
open OUnit2
let tests = "t" >::: ["a" >:: (fun _ -> assert_equal 1 (f 1)); "b" >:: fun _ -> assert_bool "b" (f 2 = 2)]
let () = run_test_tt_main tests
(* for right expect checks: 2 passed *)

(* tests *)
open OUnit2
let ae want got _ = assert_equal want got ~printer:string_of_int
let tests = "t" >::: ["a" >:: ae 1 (f 1); "b" >:: ae 2 (f 2)]
let () = run_test_tt_main tests
(* for right expect checks: 2 passed *)

(* tests *)
open OUnit2
let tests = "t" >::: ["e" >:: (fun _ -> assert_raises Exit (fun () -> if f 1 = 1 then raise Exit)); "c" >:: fun _ -> assert_equal ~cmp:(fun a b -> a - b = 0) ~msg:"m" 1 (f 1)]
let () = run_test_tt_main tests
(* for right expect checks: 2 passed *)

(* tests *)
open OUnit2
let tests = "t" >::: ["a" >:: (fun _ -> assert_equal 1 (f 1))]
let main () = run_test_tt_main tests
let () = main ()
(* for right expect checks: passed *)

(* tests *)
open OUnit2
let tests = "t" >::: ["a" >:: (fun _ -> assert_equal 1 (f 1))]
let _ = run_test_tt_main tests
(* for right expect checks: passed *)

(* tests *)
open OUnit2
let tests = "t" >::: List.map (fun n -> string_of_int n >:: fun _ -> assert_equal n (f n)) [1; 2; 3]
let () = run_test_tt_main tests
(* for right expect checks: 3 passed *)

(* # Unusable tests are an error that names the line: tests that cannot be used stop the problem,
   never give free credit. *)
(* tests: without an assertion *)
(* expect refused: tests, line 1: unsupported: tests without an assertion: nothing could ever be credited *)

(* tests *) let () = print_int (f 1)
(* expect refused: tests, line 1: unsupported: tests without an assertion: nothing could ever be credited *)
(* tests *) let x = 1
(* expect refused: tests, line 1: unsupported: tests without an assertion: nothing could ever be credited *)
(* tests *) let () = assert (f 1 = )
(* expect refused: tests, line 1: Syntax error *)

(* tests *)
let () =
  assert (f 1 =
(* expect refused: tests, line 2: Syntax error *)

(* tests *)
let () =
  assert (f ~1 = 2)
(* expect refused: tests, line 2: Syntax error *)

(* tests: line 2 *)
let () =
  assert (f 'abc' = 2)
(* expect refused: tests, line 2: Syntax error *)

(* tests *) let%expect_test "x" = print_int (f 1); [%expect {| 1 |}]
(* expect refused: tests, line 1: unsupported: let%expect_test, which compares what is printed *)
(* tests *) let%bench "x" = f 1
(* expect refused: tests, line 1: unsupported: the extension [%%bench] *)
(* tests *) let%test f = f 1 = 1
(* expect refused: tests, line 1: unsupported: a test without a name: write let%test name = ... or let%test _ = ... *)
(* tests: without an assertion *) let () = Alcotest.run "x" []
(* expect refused: tests, line 1: unsupported: tests without an assertion: nothing could ever be credited *)
(* tests: Alcotest_lwt *) let () = Alcotest_lwt.run "x" []; assert (f 1 = 1)
(* expect refused: tests, line 1: unsupported: the test framework Alcotest_lwt *)

(* tests *)
open OUnit2
let tests = "t" >::: ["a" >:: (fun c ->
ignore (bracket_tmpfile c))]
let () = run_test_tt_main tests
(* expect refused: tests, line 3: unsupported: OUnit2's bracket_tmpfile: no files and no other programs are there *)

(* # Cases made by code that never fail are none, and those that depend on what the code returns
   need a reference: only running such a suite tells how many checks it has. *)
(* tests *)
open OUnit2
let l = [1; 2]
let tests = "t" >::: List.map (fun n -> "x" >:: fun _ -> assert_equal n n) l
let () = run_test_tt_main tests
(* expect refused: no wrong answer fails the tests *)

(* tests *)
open OUnit2
let tests = "t" >::: List.init (f 2) (fun n -> "x" >:: fun _ -> assert_equal n n)
let () = run_test_tt_main tests
(* expect refused: the tests build their cases in code, so counting them needs a reference solution *)

(* # A name the prompt asks for comes from the code: a problem may ask for a function or module
   that the standard library has too. *)
(* signature *)
val max : 'a -> 'a -> 'a
module Stack : sig val size : int end
(* tests *) let () = assert (max 1 2 = 1); assert (Stack.size = 42)
(* code *)
let max a _ = a
module Stack = struct let size = 42 end
(* expect checks: 2 passed *)

(* # Tests may open the solution by its file name: `open Darts`, where the reference defines no
   such module, means the code itself. *)
(* tests *)
open Darts
let () = assert (f 1 = 1); assert (Darts.f 2 = 2)
(* reference and code *) let f x = x
(* expect checks: 2 passed *)

(* # An unknown library is an error of the problem: a findlib package that is not there is named
   when the problem is prepared. *)
(* libraries: no-such-lib *)
(* tests *) let () = assert true
(* expect refused: no-such-lib *)

(* # Tests that do not fit their reference are an error: tests that no completion could satisfy
   are found when the problem is prepared. *)
(* tests *)
let () =
  assert (f 1 = 1);
  assert (f 2 = None)
(* reference *) let f x = x + 0
(* expect refused: compile against the reference: tests.ml, line 3 *)

(* # The stand in for ounit hides no name of the code: `open OUnit2` brings into scope what OUnit2
   has, and nothing else. *)
(* tests: cases *)
open OUnit2
let tests = "t" >:: fun _ -> assert_equal 1 (cases 1)
let () = run_test_tt_main tests
(* code *) let cases x = x
(* expect checks: passed *)

(* tests: path *)
open OUnit2
let tests = "t" >:: fun _ -> assert_equal 1 (path 1)
let () = run_test_tt_main tests
(* code *) let path x = x
(* expect checks: passed *)

(* tests: prefix *)
open OUnit2
let tests = "t" >:: fun _ -> assert_equal 1 (prefix 1)
let () = run_test_tt_main tests
(* code *) let prefix x = x
(* expect checks: passed *)

(* tests: next *)
open OUnit2
let tests = "t" >:: fun _ -> assert_equal 1 (next 1)
let () = run_test_tt_main tests
(* code *) let next x = x
(* expect checks: passed *)

(* tests: site *)
open OUnit2
let tests = "t" >:: fun _ -> assert_equal 1 (site 1)
let () = run_test_tt_main tests
(* code *) let site x = x
(* expect checks: passed *)

(* tests: reject *)
open OUnit2
let tests = "t" >:: fun _ -> assert_equal 1 (reject 1)
let () = run_test_tt_main tests
(* code *) let reject x = x
(* expect checks: passed *)

(* # Lengths of ounit hide no constructor of the code: `Short` and `Long` are the code's where it
   has such, as with OUnit2 itself. *)
(* tests *)
open OUnit2
let tests = "t" >:: fun _ -> assert_equal (Long 1) (f Short)
let () = run_test_tt_main tests
(* code *)
type size = Short | Long of int
let f (_ : size) = Long 1
(* expect checks: passed *)

(* # The names that tests need are known: those that the standard library lacks have to come from
   the code. *)
(* tests *) let () = assert (f 1 = g 2)
(* expect uses: f g *)
(* tests *) let () = let f = f 1 in assert (f = 1)
(* expect uses: f *)
(* tests *) let () = assert (List.map h [1] = [1])
(* expect uses: h *)
(* tests *) let () = assert (let open Shape in area (Circle 1.) > 0.)
(* expect uses: Shape area *)
(* tests *) let t : tree = Leaf let () = assert (depth t = 0)
(* expect uses: depth tree *)
(* tests *)
open OUnit2
let tests = "t" >:: fun _ -> assert_equal 1 (f 1)
let () = run_test_tt_main tests
(* expect uses: f *)

(* # A reference may come as a completion does: a body, a fenced block, even a broken reference does
   not stop sound tests. *)
(* prompt *) let f (x : int) : int =
(* tests *) let () = assert (f 1 = 1)
(* reference *) x + 0
(* expect count: 1 *)
(* reference *)
```ocaml
let f x = x
```
(* expect count: 1 *)
(* reference *) let f x = x + "a"
(* expect count: 1 *)
(* reference *) let f
(* expect count: 1 *)
