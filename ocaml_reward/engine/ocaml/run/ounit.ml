(* A stand-in for OUnit2 that reports each test case as a check of its own, so that
   suites written for OUnit2 run where OUnit is not installed.  A case ends here as it
   ends there: tests/engine/test_ounit_differential.py compares the two.

   [Harness] and [Suites] are bound by the build: the units' real names cannot be written in
   source. *)

(* Fails the current check with a reason. *)
let reject why = Harness.deny (Harness.Rejected why)

(* The module OUnitTest of OUnit2. *)
module OUnitTest = struct
  exception Skip of string
  exception Todo of string
  exception OUnit_failure = Harness.Rejected

  type node = ListItem of int | Label of string
  type path = node list

  (* [Site] is our addition: number and line of the check, -1 if it is numbered at run time. *)
  type test_length =
    | Immediate | Short | Long | Huge | Custom_length of float | Site of int * int

  type ctxt = {
    mutable tear_down : (ctxt -> unit) list;  (* newest first *)
    mutable locked : bool;
    mutable non_fatal : exn list;  (* newest first *)
  }

  type test_fun = ctxt -> unit

  type test =
    | TestCase of test_length * test_fun
    | TestList of test list
    | TestLabel of string * test

  let ( >: ) label test = TestLabel (label, test)
  let ( >:: ) label case = TestLabel (label, TestCase (Short, case))
  let ( >::: ) label tests = TestLabel (label, TestList tests)

  let rec test_decorate change = function
    | TestCase (length, case) -> TestCase (length, change case)
    | TestList tests -> TestList (List.map (test_decorate change) tests)
    | TestLabel (label, test) -> TestLabel (label, test_decorate change test)

  let string_of_node = function ListItem n -> string_of_int n | Label label -> label
  let string_of_path path = String.concat ":" (List.rev_map string_of_node path)
end

open OUnitTest

(* A case with its check's number and line; replaces [label >:: case] in prepared tests. *)
let site index line label case = TestLabel (label, TestCase (Site (index, line), case))

(* A case that can never fail. *)
let no_case label = TestLabel (label, TestList [])

(* All cases with their paths, in order. *)
let rec cases path test found =
  match test with
  | TestCase (length, case) -> (path, length, case) :: found
  | TestLabel (label, test) -> cases (Label label :: path) test found
  | TestList tests ->
    let numbered = List.mapi (fun n test -> (n, test)) tests in
    List.fold_right (fun (n, test) -> cases (ListItem n :: path) test) numbered found

(* Runs [act] under the context's lock: in OUnit2 a bracket inside a tear-down fails, as the lock is
   held. *)
let locking context act =
  if context.locked then begin
    context.locked <- false;
    failwith "a bracket inside a tear-down"
  end;
  context.locked <- true;
  match act () with
  | () -> context.locked <- false
  | exception e ->
    context.locked <- false;
    raise e

(* Runs [body] and then its tear-downs.  If one raises, all remaining ones run once more, as in
   OUnit2. *)
let section context body =
  let outer = context.tear_down in
  let leave () =
    locking context (fun () ->
        List.iter (fun tear_down -> tear_down context) context.tear_down;
        context.tear_down <- outer)
  in
  locking context (fun () -> context.tear_down <- []);
  try
    let result = body context in
    leave ();
    result
  with e ->
    leave ();
    raise e

(* How bad an exception is. *)
let rank = function Skip _ -> 1 | Todo _ -> 2 | OUnit_failure _ -> 3 | _ -> 4

(* The worst exception of a case and its tear-downs, if any. *)
let ending case =
  let context = { tear_down = []; locked = false; non_fatal = [] } in
  let own context = match case context with () -> [] | exception e -> [ e ] in
  match section context own with
  | raised ->
    List.fold_left
      (fun worst e ->
        match worst with Some other when rank other >= rank e -> worst | _ -> Some e)
      None
      (raised @ List.rev context.non_fatal)
  (* In OUnit2 an exception in a tear-down kills the worker: always an error. *)
  | exception (Skip why | Todo why | OUnit_failure why) -> Some (Failure ("tear-down: " ^ why))
  | exception e -> Some e

(* Runs a case.  A skipped or todo case fails, as the code cannot pass it. *)
let run case =
  match ending case with
  | None -> ()
  | Some (Skip why) -> reject ("skipped: " ^ why)
  | Some (Todo why) -> reject ("todo: " ^ why)
  | Some e -> raise e

(* A case for [Suites.checks]. *)
let checked (path, length, case) =
  let place = match length with Site (index, line) -> (index, line) | _ -> (-1, 0) in
  (string_of_path path, place, fun () -> run case)

(* The contents of OUnit2. *)
module Api = struct
  type test_ctxt = OUnitTest.ctxt
  type test_fun = OUnitTest.test_fun
  type test = OUnitTest.test
  type test_length = OUnitTest.test_length
  type log_severity = [ `Error | `Warning | `Info ]

  let test_case ?(length = Short) case = TestCase (length, case)
  let test_list tests = TestList tests
  let ( >: ) = ( >: )
  let ( >:: ) = ( >:: )
  let ( >::: ) = ( >::: )

  let assert_failure why = reject why
  let assert_string why = Harness.asserted := true; if why <> "" then reject why
  let assert_bool why holds = Harness.asserted := true; if not holds then reject why
  let skip_if holds why = if holds then Harness.deny (Skip why)
  let todo why : unit = Harness.deny (Todo why)

  let assert_equal ?ctxt:_ ?(cmp = ( = )) ?printer ?pp_diff ?msg expected actual =
    Harness.asserted := true;
    (* OUnit2 always prints both values: a printer that raises is an error. *)
    Option.iter (fun print -> ignore (print expected); ignore (print actual)) printer;
    if not (cmp expected actual) then begin
      let prefix = Option.fold ~none:"" ~some:(fun msg -> msg ^ ": ") msg in
      let values =
        match printer with
        | Some print ->
          Printf.sprintf "expected: %s but got: %s" (print expected) (print actual)
        | None -> "not equal"
      in
      let difference =
        match pp_diff with
        | Some show -> Format.asprintf "; differences: %a" show (expected, actual)
        | None -> ""
      in
      reject (prefix ^ values ^ difference)
    end

  let assert_raises ?msg expected case =
    let prefix = Option.fold ~none:"" ~some:(fun msg -> msg ^ ": ") msg in
    Harness.asserted := true;
    match case () with
    | _ ->
      reject
        (Printf.sprintf "%sexpected exception %s, but no exception was raised" prefix
           (Printexc.to_string expected))
    | exception actual ->
      if not (expected = actual) then
        reject
          (Printf.sprintf "%sexpected exception %s, but got %s" prefix
             (Printexc.to_string expected) (Harness.describe actual))

  let cmp_float ?(epsilon = 0.00001) a b =
    match (classify_float a, classify_float b) with
    | FP_infinite, FP_infinite -> a = b
    | (FP_infinite | FP_nan), _ | _, (FP_infinite | FP_nan) -> false
    | _ ->
      abs_float (a -. b) <= epsilon *. abs_float a
      || abs_float (a -. b) <= epsilon *. abs_float b

  let bracket set_up tear_down context =
    let fixture = set_up context in
    locking context (fun () ->
        context.tear_down <- (fun context -> tear_down fixture context) :: context.tear_down);
    fixture

  let non_fatal context body =
    try section context body with e -> context.non_fatal <- e :: context.non_fatal

  let logf (_ : test_ctxt) (_ : log_severity) format = Printf.ksprintf ignore format

  let run_test_tt_main ?exit:_ suite = Suites.checks (List.map checked (cases [] suite []))
end
