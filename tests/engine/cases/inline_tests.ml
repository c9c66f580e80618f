(* Tests of ppx_inline_test: `let%test`, `let%test_unit`, `let%test_module`. *)
(* engines: warm stock *)

(* # Each is a check: what has to be true, or to return, is asserted; with no library. *)
(* code: wrong *) let f x = if x = 0 then failwith "zero" else if x = 1 then 1 else 9
(* code: right *) let f x = x

(* tests: passed failed *)
let%test "one" = f 1 = 1
let%test _ = f 2 = 2
(* expect check sources: let%test "one" = f 1 = 1 | let%test _ = f 2 = 2 *)
(* for wrong expect checks: passed, failed *)
(* for right expect checks: 2 passed *)

(* tests *) let%test "one" [@tags "slow"] = f 1 = 1
(* for wrong expect checks: passed *)
(* for right expect checks: passed *)

(* tests *) let%test (_ : string) = f 0 = 0
(* for wrong expect checks: raised *)
(* for right expect checks: passed *)

(* tests: passed failed *)
[%%test let "one" = f 1 = 1]
let%test _ = f 2 = 2
(* for wrong expect checks: passed, failed *)
(* for right expect checks: 2 passed *)

(* tests *) let%test_unit _ = assert (f 1 = 1); assert (f 2 = 2)
(* for wrong expect checks: failed *)
(* for right expect checks: passed *)

(* tests *) let%test_unit _ = assert (f 1 = 1); assert (f 1 < 2)
(* for wrong expect checks: passed *)
(* for right expect checks: passed *)

(* tests: passed raised *)
let%test_unit "ends" = ignore (f 1)
let%test_unit _ = ignore (f 0)
(* for wrong expect checks: passed, raised *)
(* for right expect checks: 2 passed *)

(* tests *) let%test_unit _ = if f 2 <> 2 then failwith "two"
(* for wrong expect checks: raised *)
(* for right expect checks: passed *)

(* tests *) let%test_unit _ = let x = f 2 in ignore x; assert (x = 2)
(* for wrong expect checks: failed *)
(* for right expect checks: passed *)

(* tests *) let%test_unit _ = let open List in iter (fun x -> assert (f x = x)) [1; 2]
(* for wrong expect checks: failed *)
(* for right expect checks: passed *)

(* tests *) let%test_unit _ = assert (f 1 = 1); assert false
(* for wrong expect checks: failed *)

(* tests: passed failed passed *)
let%test_module "all" = (module struct
  let one = 1
  let%test _ = f one = one
  let%test_module _ = (module struct let%test _ = f 2 = 2 end)
  let () = assert (f 1 = 1)
end)
(* for wrong expect checks: passed, failed, passed *)
(* for right expect checks: 3 passed *)

(* tests *) module T = struct let%test "in" = f 1 = 1 end
(* for wrong expect checks: passed *)
(* for right expect checks: passed *)

(* tests *) let%test_unit _ = [%test_eq: int] (f 1) 1; [%test_eq: int list] [f 2] [2]
(* for wrong expect checks: failed *)
(* for right expect checks: passed *)

(* tests *) let%test_unit _ = [%test_result: int] (f 1) ~expect:1 ~message:"m"
(* for wrong expect checks: passed *)
(* for right expect checks: passed *)

(* tests *) let%test_unit _ = [%test_pred: int] (fun x -> x = 2) (f 2)
(* for wrong expect checks: failed *)
(* for right expect checks: passed *)

(* tests *) module%test T = struct let one = 1 let%test "x" = f one = 1 end
(* for wrong expect checks: passed *)
(* for right expect checks: passed *)

(* tests: passed failed *)
let want = 1
let%test "w" = (f 1 = want)
let () = assert (f 2 = 2)
(* for wrong expect checks: passed, failed *)
(* for right expect checks: 2 passed *)

(* # They are judged outside, whether one assertion or several. *)
(* tests *)
let%test "a" = f 1 = 1
let%test_unit "b" =
  assert (f 2 = 2); assert (f 3 = 3)
(* code *)
(* expect count: 2
   check lines: 1 2
   in process: 0 *)
