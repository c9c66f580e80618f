(* Checks one completion in memory, as ocamlc would on disk: the same steps in the same
   order, with the same words.  Nothing of it is left behind for the next. *)

let source = "solution.ml"
let unit_name = "Solution"
let tests_source = "tests.ml"
let tests_unit = "Ocaml-reward-tests"

(* What it takes to count the errors that ocamlc does not come to; [first] is the one that
   it printed, where one of the items does not type. *)
type failure = { first : Typing.failure option; program : Parsetree.structure; env : Env.t }

type stage =
  | Syntax_error of int * int  (* items that parse, of so many *)
  | Type_error of failure
  | Interface_error of failure
  | Link_error
  | Compiler_limit
  | Executable of string  (* for the runner *)

(* What code is checked with; [tests] is [[]] for a program judged by what it prints.
   [digest] stands for the tests, [uses] has what they need of the code. *)
type requested = { tests : Parsetree.structure; digest : string; uses : Names.Set.t }

type t = {
  stage : stage;
  forbidden : (int * string) list;
  text : string;  (* all that the compiler printed *)
  types : string;  (* a key of the types that the code declares, where one is wanted *)
}

(* Where the compiler writes: the one formatter that it prepares for text (from 5.2 on
   quotes are a matter of the formatter). *)
let text = Format.str_formatter
let printed = Format.flush_str_formatter

let is_in part whole =
  let n = String.length part in
  let rec from i =
    i + n <= String.length whole && (String.sub whole i n = part || from (i + 1))
  in
  from 0

exception Items of Typing.failure

let compiled ?(shown = fun _ -> true) ~source ~unit_name env program =
  Location.input_name := source;
  Driver.set_unit unit_name;
  Ast_invariants.structure program;
  let levels = Driver.levels () in
  let items =
    try Backend.type_items env program
    with e -> (
      (* An error is worded once and at once: its types may change with what comes next. *)
      let first = Typing.failure e in
      Driver.recover levels;
      match first with Some first -> raise (Items first) | None -> raise e)
  in
  let typed = Backend.close_unit ~source ~shown env program items in
  let code = Backend.bytecode unit_name typed in
  Backend.warn_unused ();
  Warnings.check_fatal ();
  (typed, (unit_name, code))

(* Code that leaves a type open, as part of the tests' unit where its use closes it. *)
let together code tests env =
  let program, name =
    match tests with
    | [] -> (code, unit_name)
    | tests -> (Trees.merged code tests, "Ocaml-reward-merged")
  in
  Driver.set_unit name;
  let typed = Backend.close_alone (Backend.type_items env program) in
  (name, Backend.bytecode name typed)

let link runner units =
  match Linking.image runner units with
  | image -> Executable image
  | exception (Bytelink.Error _ as error) ->
    Location.report_exception text error;
    Link_error
  (* No literal of the language's own; ocamlc cannot write it to a file. *)
  | exception (Invalid_argument _ as error) ->
    Format.fprintf text "Fatal error: exception %s@." (Printexc.to_string error);
    Link_error

(* Says what went wrong; false for what is no fault of the program. *)
let explained error =
  match Location.report_exception text error with
  | () -> true
  | exception _ ->
    Format.fprintf text "Fatal error: exception %s@." (Printexc.to_string error);
    false

let failure error program env =
  match error with
  | Items first ->
    Format.fprintf text "%s%!" first.report;
    Some { first = Some first; program; env }
  | error -> if explained error then Some { first = None; program; env } else None

let tests_compiled signature env tests =
  let env = Signatures.with_unit unit_name signature env in
  match compiled ~source:tests_source ~unit_name:tests_unit env tests with
  | _, tests -> Ok tests
  | exception error -> Error (error, env)

(* The code's own unit, then the tests in an environment that has it.  What they cannot name
   is hidden from them, so that what they become depends on nothing else. *)
let rec typed_and_linked ?shown runner program ({ tests; digest; uses } as requested) =
  let env = Lazy.force Names.env in
  let shown =
    match shown with
    | Some shown -> shown
    | None -> if Trees.names_whole tests then fun _ -> true else fun n -> Names.Set.mem n uses
  in
  match compiled ~shown ~source ~unit_name env program with
  | exception error -> (
    match failure error program env with
    | None -> Compiler_limit
    | Some failure ->
      let said = printed () in
      let closed_by_use =
        if failure.first <> None || not (is_in "generaliz" said) then None
        else
          match link runner [ together program tests env ] with
          | Executable _ as linked -> Some linked
          | _ | (exception _) -> None
      in
      ignore (printed ());
      match closed_by_use with
      | Some linked -> linked
      | None ->
        Format.fprintf text "%s%!" said;
        Type_error failure)
  | _, code when tests = [] -> link runner [ code ]
  | { signature; whole; _ }, code -> (
    match
      Reuse.compiled ~digest ~signature (fun () -> tests_compiled signature env tests)
    with
    | Ok tests ->
      Location.input_name := tests_source;
      link runner [ code; tests ]
    | Error failed -> (
      (* An error's words may be about what is hidden. *)
      let hidden = List.compare_lengths signature whole < 0 in
      match if hidden then tests_compiled whole env tests else Error failed with
      | Ok _ -> typed_and_linked ~shown:(fun _ -> true) runner program requested
      | Error (error, env) -> (
        match failure error tests env with
        | Some failure -> Interface_error failure
        | None -> Compiler_limit)))

let parsed code =
  Location.input_name := source;
  Syntax.parse_text Parse.implementation source code

(* Levels are left as they are, for a count to start from: see Driver.with_levels. *)
let check ?(keyed = false) ?(lenient = false) runner ~code requested =
  (* Whatever a count or a preparation has left or printed since the last check. *)
  Backend.warn_unused ();
  ignore (printed ());
  let warnings = Warnings.backup () in
  Warnings.reset_fatal ();
  let types = ref "" in
  let stage, forbidden =
    match parsed code with
    | exception ((Stack_overflow | Out_of_memory) as error) ->
      ignore (explained error);
      (Compiler_limit, [])
    | exception error ->
      ignore (explained error);
      let parsed, total = Items.share code in
      (Syntax_error (parsed, total), [])
    | program -> (
      match
        if keyed then types := Erasing.key (Erasing.types program);
        if lenient then [] else Scan.unsafe program
      with
      | exception (Stack_overflow | Out_of_memory) -> (Compiler_limit, [])
      | forbidden -> (typed_and_linked runner program requested, forbidden))
  in
  Warnings.restore warnings;
  (* The typed tree; a count starts from the one of its failure. *)
  (match stage with Type_error _ | Interface_error _ -> () | _ -> Typing.reset ());
  { stage; forbidden; text = Typing.renumbered (printed ()); types = !types }

(* The program that tells what the code's values are compared with, beside the types that
   the code declares; or why there is none. *)
let answers runner ~code telling =
  Warnings.reset_fatal ();
  let env = Lazy.force Names.env in
  let linked =
    match
      let types = Erasing.unambiguous (Erasing.types (parsed code)) in
      link runner [ together types telling env ]
    with
    | Executable image -> Ok image
    | _ -> Error (printed ())
    | exception error ->
      ignore (explained error);
      Error (printed ())
  in
  Typing.reset ();
  linked
