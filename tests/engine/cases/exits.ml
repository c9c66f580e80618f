(* `exit 0` of the tests' own ends them, as in any program, and passes nothing after it. *)

(* # Exit in a callback passes nothing that comes later: code that calls what would end the tests
   earns nothing by it, caught or not. *)
(* code: calling *)
let f k = k (); 1
let g x = x
(* code: catching *)
let f k = (try k () with _ -> ()); 1
let g x = x

(* tests: before a check *)
let () = ignore (f (fun () -> exit 0)); assert (g 1 = 1)
let () = assert (g 2 = 2)
(* for calling expect checks: 2 not_run *)
(* for catching expect checks: 2 not_run *)

(* tests: in a condition *)
let () = if f (fun () -> exit 0) <> 1 then failwith "no"
let () = assert (g 2 = 2)
(* for calling expect checks: passed, not_run *)
(* for catching expect checks: passed, not_run *)

(* tests: in an assertion *)
let () = assert (f (fun () -> exit 0) = 1)
let () = assert (g 2 = 2)
(* for calling expect checks: exited, not_run *)
(* for catching expect checks: exited, not_run *)

(* tests: by its name *)
let stop () = exit 0
let () = assert (f stop = 1)
let () = assert (g 2 = 2)
(* for calling expect checks: failed, not_run *)
(* for catching expect checks: passed, not_run *)

(* tests: by two names *)
let stop () = exit 0
let halt () = stop ()
let () = assert (f halt = 1)
let () = assert (g 2 = 2)
(* for calling expect checks: failed, not_run *)
(* for catching expect checks: passed, not_run *)

(* tests: half applied *)
let stop () () = exit 0
let () = assert (f (stop ()) = 1)
let () = assert (g 2 = 2)
(* for calling expect checks: failed, not_run *)
(* for catching expect checks: passed, not_run *)

(* tests: itself *)
let () = assert (f (fun () -> f (fun () -> exit 0) |> ignore) = 1)
let () = assert (g 2 = 2)
(* for calling expect checks: exited, not_run *)
(* for catching expect checks: exited, not_run *)

(* tests: in a definition *)
let x = f (fun () -> exit 0)
let () = assert (x = 1)
let () = assert (g 2 = 2)
(* for calling expect checks: 2 exited *)
(* for catching expect checks: 2 not_run *)

(* tests: lazily *)
let s = lazy (exit 0)
let () = assert (f (fun () -> Lazy.force s) = 1)
let () = assert (g 2 = 2)
(* for calling expect checks: failed, not_run *)
(* for catching expect checks: passed, not_run *)

(* tests: and then itself *)
let () = if f (fun () -> exit 0) = 1 then exit 0 else exit 1
let () = assert (g 2 = 2)
(* for calling expect checks: passed, not_run *)
(* for catching expect checks: passed, not_run *)

(* # A callback that is never called ends nothing: what the tests hand to the code counts only if
   it is called. *)
(* code: right *)
let f _ = 1
let g x = x

(* tests: before a check *)
let () = ignore (f (fun () -> exit 0)); assert (g 1 = 1)
let () = assert (g 2 = 2)
(* for right expect checks: 2 passed *)

(* tests: in a condition *)
let () = if f (fun () -> exit 0) <> 1 then failwith "no"
let () = assert (g 2 = 2)
(* for right expect checks: 2 passed *)

(* tests: in an assertion *)
let () = assert (f (fun () -> exit 0) = 1)
let () = assert (g 2 = 2)
(* for right expect checks: 2 passed *)

(* tests: by its name *)
let stop () = exit 0
let () = assert (f stop = 1)
let () = assert (g 2 = 2)
(* for right expect checks: 2 passed *)

(* tests: by two names *)
let stop () = exit 0
let halt () = stop ()
let () = assert (f halt = 1)
let () = assert (g 2 = 2)
(* for right expect checks: 2 passed *)

(* tests: half applied *)
let stop () () = exit 0
let () = assert (f (stop ()) = 1)
let () = assert (g 2 = 2)
(* for right expect checks: 2 passed *)

(* tests: itself *)
let () = assert (f (fun () -> f (fun () -> exit 0) |> ignore) = 1)
let () = assert (g 2 = 2)
(* for right expect checks: 2 passed *)

(* tests: in a definition *)
let x = f (fun () -> exit 0)
let () = assert (x = 1)
let () = assert (g 2 = 2)
(* for right expect checks: 2 passed *)

(* tests: lazily *)
let s = lazy (exit 0)
let () = assert (f (fun () -> Lazy.force s) = 1)
let () = assert (g 2 = 2)
(* for right expect checks: 2 passed *)

(* tests: and then itself *)
let () = if f (fun () -> exit 0) = 1 then exit 0 else exit 1
let () = assert (g 2 = 2)
(* for right expect checks: passed, not_run *)

(* # Exit of the tests own ends a check well: a check that the tests themselves leave by `exit 0`
   has passed, and by `exit 1` not. *)
(* code: right *) let g x = x
(* code: leaving *) let g x = x + 1

(* tests *) let () = match g 1 with 1 -> exit 0 | _ -> exit 1
(* for right expect checks: passed *)
(* for leaving expect checks: exited *)

(* tests *) let () = if g 1 <> 1 then exit 1 else exit 0
(* for right expect checks: passed *)
(* for leaving expect checks: exited *)

(* tests *) let () = exit (if g 1 = 1 then 0 else 1)
(* for right expect checks: passed *)
(* for leaving expect checks: exited *)

(* tests *) let () = try (if g 1 <> 1 then failwith "no"); exit 0 with _ -> exit 1
(* for right expect checks: passed *)
(* for leaving expect checks: exited *)

(* tests *)
let finish good = if good then exit 0 else exit 1
let () = finish (g 1 = 1)
(* for right expect checks: passed *)
(* for leaving expect checks: exited *)

(* tests *)
let finish a b = if a = b then exit 0 else exit 1
let main () = finish (g 1) 1
let () = main ()
(* for right expect checks: passed *)
(* for leaving expect checks: exited *)

(* tests *)
let finish good = exit (if good then 0 else 1)
let () = finish @@ (g 1 = 1)
(* for right expect checks: passed *)
(* for leaving expect checks: exited *)

(* tests *)
let finish = function true -> exit 0 | _ -> exit 1
let () = g 1 = 1 |> finish
(* for right expect checks: passed *)
(* for leaving expect checks: exited *)

(* # What stands after exit has not run: checks behind the tests' own `exit 0` are not credited,
   those before it are. *)
(* tests *)
let () = assert (g 1 = 1); exit 0
let () = assert (g 2 = 2)
(* code *) let g x = x
(* expect checks: passed, not_run *)

(* # Code that asks for exit keeps its own: where a problem asks for a function called `exit`,
   that is what the tests call. *)
(* signature *) val exit : int -> int
(* tests *) let () = assert (List.map (fun x -> exit x) [0; 1] = [1; 2])
(* code *) let exit x = x + 1
(* expect checks: passed *)

(* # An exit in any of its forms asserts: each call of a helper that may exit is a check. *)
(* code: right *)
let f x = x + 1

(* code: once *)
let f _ = 2

(* tests: behind an operator *)
let check holds = if not holds then exit @@ 1
let () = check (f 1 = 2)
let () = check (f 3 = 4)
(* for right expect checks: 2 passed *)
(* for once expect checks: passed, exited *)

(* tests: before an operator *)
let check holds = if not holds then 1 |> exit
let () = check (f 1 = 2)
let () = check (f 3 = 4)
(* for right expect checks: 2 passed *)
(* for once expect checks: passed, exited *)
