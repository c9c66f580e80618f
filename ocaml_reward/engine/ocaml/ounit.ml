(* A stand-in for OUnit2 that reports each test case as a check of its own, so that
   suites written for OUnit2 run where OUnit is not installed.

   [Harness] is bound by the build: the unit's real name cannot be written in source. *)

type test_ctxt = Context
type test_fun = test_ctxt -> unit
type test_length = Immediate | Short | Long | Huge | Custom_length of float

type test =
  | TestCase of test_length * test_fun
  | Site of int * int * string * test_fun
  | TestList of test list
  | TestLabel of string * test

(* What [label >:: case] becomes when the tests are prepared: [index] is the check's
   number, or -1 when the cases are made by code and numbered as they are met. *)
let site index line label case = Site (index, line, label, case)

let reject why = Harness.deny (Harness.Rejected why)
let prefix = function None -> "" | Some msg -> msg ^ ": "

let path label name = if label = "" then name else label ^ ":" ^ name

let rec cases label test found =
  match test with
  | TestCase (_, case) -> (-1, 0, label, case) :: found
  | Site (index, line, name, case) -> (index, line, path label name, case) :: found
  | TestLabel (name, test) -> cases (path label name) test found
  | TestList tests -> List.fold_right (cases label) tests found

(* Cases made by code are numbered one after the other, in the order they are run. *)
let next = ref 0

(* All that [open OUnit2] brings into scope. *)
module Api = struct
  type nonrec test_ctxt = test_ctxt
  type nonrec test_fun = test_fun
  type nonrec test = test

  type nonrec test_length = test_length =
    | Immediate | Short | Long | Huge | Custom_length of float

  let test_case ?(length = Short) case = TestCase (length, case)
  let test_list tests = TestList tests
  let ( >: ) label test = TestLabel (label, test)
  let ( >:: ) label case = TestLabel (label, test_case case)

  let ( >::: ) label tests = TestLabel (label, TestList tests)

  let assert_failure why = reject why
  let assert_string why = if why <> "" then reject why
  let assert_bool why holds = if not holds then reject why
  let ( @? ) = assert_bool

  let assert_equal ?ctxt:_ ?(cmp = ( = )) ?printer ?pp_diff:_ ?msg expected actual =
    if not (cmp expected actual) then
      reject
        (match printer with
         | Some print ->
           Printf.sprintf "%sexpected: %s but got: %s" (prefix msg) (print expected)
             (print actual)
         | None -> prefix msg ^ "not equal")

  let assert_raises ?msg expected case =
    match case () with
    | _ ->
      reject
        (Printf.sprintf "%sexpected exception %s, but no exception was raised" (prefix msg)
           (Printexc.to_string expected))
    | exception actual ->
      if actual <> expected then
        reject
          (Printf.sprintf "%sexpected exception %s, but got %s" (prefix msg)
             (Printexc.to_string expected) (Harness.describe actual))

  let todo why = reject ("todo: " ^ why)
  let cmp_float ?(epsilon = 0.00001) a b =
    abs_float (a -. b) <= epsilon *. abs_float a || abs_float (a -. b) <= epsilon *. abs_float b

  let logf _ _ format = Printf.ksprintf ignore format

  let run_test_tt_main ?exit:_ suite =
    let numbered =
      List.map
        (fun (index, line, label, case) ->
          if index >= 0 then (index, case)
          else begin
            let index = !next in
            incr next;
            Harness.leave (Printf.sprintf "case %d %d" index line) label;
            (index, case)
          end)
        (cases "" suite [])
    in
    List.iter (fun (index, case) -> Harness.run index (fun () -> case Context)) numbered
end
