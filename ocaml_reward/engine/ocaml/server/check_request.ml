(* Checks one completion in memory, with ocamlc's steps and messages.  Nothing is left behind
   for the next one. *)

let source = "solution.ml"
let unit_name = "Solution"
let tests_source = "tests.ml"
let tests_unit = "Ocaml-reward-tests"

(* The input for counting errors; [first] is the error that ocamlc printed, if an item does not
   type. *)
type failure = { first : Type_items.failure option; program : Parsetree.structure; env : Env.t }

type stage =
  | Syntax_error of Item_split.t
  | Type_error of failure
  | Interface_error of failure
  | Link_error
  | Compiler_limit
  | Executable of string  (* for the runner *)

(* [tests] is empty for a program judged by its output.  [digest] identifies the tests, [uses]
   are the names that they need. *)
type requested = { tests : Parsetree.structure; digest : string; uses : Names.Set.t }

(* The request with what this code leaves open in the tests' scope (opened_by_code.ml). *)
let behind ~code ({ tests; digest; uses } as requested) =
  let left = Opened_by_code.of_text ~code ~tests in
  match Opened_by_code.key left tests with
  | "" -> requested
  | key ->
    let tests = Opened_by_code.before left tests in
    { tests; digest = digest ^ key; uses = Names.Set.union (Code_file.taken tests) uses }

type t = {
  stage : stage;
  forbidden : (int * string) list;
  missing : string list;  (* what the problem requires and the code does not define *)
  text : string;  (* the compiler's output *)
  types : string;  (* the key of the declared types, if [keyed] *)
  parts : string;  (* see line_ranges.ml *)
}

(* The formatter that the compiler sets up and prints to: from 5.2 on quotes depend on it. *)
let text = Format.str_formatter

(* Returns what the compiler has printed, and forgets it. *)
let printed = Format.flush_str_formatter

exception Items of Type_items.failure

(* Whether an exception is an item's error. *)
let is_of_item = function Items _ -> true | _ -> false

(* Compiles a unit; other units see the values that are [shown], and [seen] its typed items.  Raises
   the compiler's exceptions. *)
let compiled ?(seen = ignore) ?(shown = fun _ -> true) ?(ticking = Codegen.Silent) ~source
    ~unit_name env program =
  Location.input_name := source;
  Typing_compat.set_unit unit_name;
  Ast_invariants.structure program;
  let levels = Level_compat.saved () in
  let items =
    try Codegen.type_items env program
    with e -> (
      (* The message is made at once: its types may change later. *)
      let first = Type_items.failure e in
      Level_compat.recover levels;
      match first with Some first -> raise (Items first) | None -> raise e)
  in
  seen (Implementation_compat.structure items);
  let typed = Codegen.close_unit ~source ~shown env program items in
  let code = Codegen.bytecode ticking unit_name typed in
  Unit_compat.warn_unused ();
  Warnings.check_fatal ();
  (typed, (unit_name, code))

(* The unit of code and tests together, in which the tests can close an open type. *)
let merged_unit = "Ocaml-reward-merged"

(* Compiles a program in a unit of its own, without an interface. *)
let alone ~ticking name program env =
  Typing_compat.set_unit name;
  let typed = Codegen.close_alone (Codegen.type_items env program) in
  let code = Codegen.bytecode ticking name typed in
  Unit_compat.warn_unused ();
  Warnings.check_fatal ();
  (name, code)

(* Compiles code and tests in one unit. *)
let together ~ticking code tests env =
  match tests with
  | [] -> alone ~ticking unit_name code env
  | tests -> alone ~ticking:Of_code merged_unit (Stored_trees.merged code tests) env

(* Prints an error; returns false if it is no error of the program. *)
let explained error =
  match Location.report_exception text error with
  | () -> true
  | exception unworded ->
    Type_items.stale := true;
    Format.fprintf text "Fatal error: exception %s@." (Printexc.to_string unworded);
    false

(* Links units with the runner; prints an error. *)
let link runner units =
  match Link_units.image runner units with
  | image -> Executable image
  | exception error ->
    ignore (explained error);
    Link_error

(* Prints an error; returns the input for counting, None if it is no error of the program. *)
let failure error program env =
  match error with
  | Items first ->
    Format.fprintf text "%s%!" first.report;
    Some { first = Some first; program; env }
  | error -> if explained error then Some { first = None; program; env } else None

(* Compiles tests behind code with this signature. *)
let tests_compiled signature env tests =
  let env = Inferred_signatures.with_unit unit_name signature env in
  match compiled ~source:tests_source ~unit_name:tests_unit env tests with
  | _, tests -> Ok tests
  | exception error -> Error (error, env)

(* Links code whose items type with its tests in one unit, as the error may be an open type; None if
   that does not help.  The error is printed later, as printing numbers such types (type_items.ml).
   *)
let closed_by_use ~ticking runner program tests env error =
  let linked =
    match Location.error_of_exn error with
    | Some _ when not (is_of_item error) -> (
      match link runner [ together ~ticking program tests env ] with
      | Executable _ as linked -> Some linked
      | _ -> None
      | exception error -> ignore (explained error); None)
    | _ | (exception _) -> None
  in
  ignore (printed ());
  Typing_compat.set_unit unit_name;
  linked

(* The last code that was checked, its unit, and the key of its interface: enough to link it with other
   tests that are compiled already. *)
let last = ref None

(* Compiles the code, then the tests, and links both.  Values that the tests do not use are hidden,
   so that compiled tests can be cached. *)
let rec typed_and_linked ?(ticking = Codegen.Ticking) ?seen ?shown runner program
    ({ tests; digest; uses } as requested) =
  let env = Lazy.force Names.env in
  let shown =
    match shown with
    | Some shown -> shown
    | None ->
      if Stored_trees.names_solution tests then fun _ -> true else fun n -> Names.Set.mem n uses
  in
  match compiled ?seen ~shown ~source ~unit_name ~ticking env program with
  | exception error -> (
    let said = printed () in
    match closed_by_use ~ticking runner program tests env error with
    | Some linked -> linked
    | None -> (
      Format.fprintf text "%s%!" said;
      match failure error program env with
      | Some failure -> Type_error failure
      | None -> Compiler_limit))
  | _, code when tests = [] -> link runner [ code ]
  | { signature; whole; _ }, code -> (
    let key = Interface_key.key signature in
    match Test_cache.compiled ~digest ~key (fun () -> tests_compiled signature env tests) with
    | Ok tests ->
      last := Some (code, key);
      Location.input_name := tests_source;
      link runner [ code; tests ]
    | Error failed -> (
      (* The message may mention hidden values. *)
      let hidden = List.compare_lengths signature whole < 0 in
      match if hidden then tests_compiled whole env tests else Error failed with
      | Ok _ -> typed_and_linked ~ticking ?seen ~shown:(fun _ -> true) runner program requested
      | Error (error, env) -> (
        match failure error tests env with
        | Some failure -> Interface_error failure
        | None -> Compiler_limit)))

(* Parses code.  Raises the parser's exceptions. *)
let parsed code =
  Location.input_name := source;
  Syntax.parse_text Parse.implementation source code

(* Checks code, up to its image.  [keyed]: compute the key of the types.  [lenient]: allow forbidden
   features.  [rules]: the problem's own.  Levels are left as they are, for counting
   (Level_compat.kept). *)
let check ?(keyed = false) ?(lenient = false) ?(given = []) ?rules runner ~code requested =
  last := None;
  let typed = ref None in
  Unit_compat.warn_unused ();
  ignore (printed ());
  Typing_compat.forget_names ();
  let warnings = Warnings.backup () in
  Warnings.reset_fatal ();
  let types = ref "" and parts = ref "" in
  let stage, forbidden =
    match parsed code with
    | exception error ->
      ignore (explained error);
      (Syntax_error (Item_split.counts ~given code), [])
    | program -> (
      match
        parts := Line_ranges.text ~code program;
        if keyed then types := Types_of_code.key ~code (Types_of_code.types program);
        if lenient then [] else Forbidden_features.unsafe ~source:(lazy code) program
      with
      | exception _ -> (Compiler_limit, [])
      | forbidden -> (
        match typed_and_linked ~seen:(fun code -> typed := Some code) runner program requested with
        | stage -> (stage, forbidden)
        (* Any exception of the compiler is the code's doing. *)
        | exception error -> ignore (explained error); (Compiler_limit, forbidden)))
  in
  let stage, { Problem_rules.uses; missing } =
    match (rules, stage, !typed) with
    | Some rules, (Executable _ | Link_error | Interface_error _), Some typed -> (
      match Problem_rules.found rules ~given ~source:(lazy code) typed with
      | found -> (stage, found)
      | exception _ -> (Compiler_limit, Problem_rules.nothing))
    | _ -> (stage, Problem_rules.nothing)
  in
  Warnings.restore warnings;
  (* Counting continues from the failed tree. *)
  (match stage with Type_error _ | Interface_error _ -> () | _ -> Type_items.reset ());
  let text = printed () in
  ignore (Type_items.has_weak text);
  { stage; forbidden = forbidden @ uses; missing; text; types = !types; parts = !parts }

(* Runs work that may fail: None if it does.  Forgets what the compiler has printed and typed. *)
let attempted work =
  let warnings = Warnings.backup () in
  Warnings.reset_fatal ();
  let found =
    match work () with
    | found -> found
    | exception Raising_holes.Hopeless -> None
    | exception error -> ignore (explained error); None
  in
  Warnings.restore warnings;
  ignore (printed ());
  Type_items.reset ();
  found

(* Code that does not type or parse, with holes, and its image if it compiles.  [fits]: the
   tests may type with it. *)
let partial runner ~lenient ~watched ~code ({ tests; uses; _ } as requested) ~fits =
  let env = Lazy.force Names.env in
  let linked_with (through : Partial_program.t) =
    (* Compiled tests are usually cached. *)
    match
      if fits && Partial_program.fits through ~uses then
        typed_and_linked ~ticking:Of_code runner through.code requested
      else Link_error
    with
    | Executable image -> Executable image
    | _ ->
      Typing_compat.set_unit merged_unit;
      let with_tests () = Partial_program.with_tests through ~uses tests in
      let program = Without_warnings.run with_tests in
      link runner [ alone ~ticking:Of_code merged_unit program env ]
  in
  let image_of through =
    match linked_with through with
    | Executable image -> Some image
    | _ | (exception Raising_holes.Hopeless) -> None
    | exception error -> ignore (explained error); None
  in
  attempted (fun () ->
      Typing_compat.set_unit unit_name;
      Without_warnings.run (fun () -> Partial_program.of_code ~lenient ~watched ~env ~code tests)
      |> Option.map (fun through -> (through, image_of through)))

(* The locations of the branches and the instrumented image; None if it does not compile. *)
let branched runner ~code requested =
  Unit_compat.warn_unused ();
  ignore (printed ());
  Typing_compat.forget_names ();
  attempted (fun () ->
      match Branch_coverage.watched (parsed code) with
      | _, [] -> None
      | program, places -> (
        match typed_and_linked runner program requested with
        | Executable image -> Some (places, image)
        | _ -> None))

(* The image of the code that was checked last, with other tests; None if it does not compile. *)
let again runner ~code ({ digest; _ } as requested) =
  Unit_compat.warn_unused ();
  ignore (printed ());
  Typing_compat.forget_names ();
  let image_of = function Executable image -> Some image | _ -> None in
  match !last with
  | Some (unit, key) when Test_cache.found ~digest ~key <> None ->
    let tests = Option.get (Test_cache.found ~digest ~key) in
    Location.input_name := tests_source;
    attempted (fun () -> image_of (link runner [ unit; tests ]))
  | _ -> attempted (fun () -> image_of (typed_and_linked runner (parsed code) requested))

(* The image of the oracle program with the types that the code declares, or why it does not
   compile. *)
let answers runner ~code { tests = oracle; digest; _ } =
  Warnings.reset_fatal ();
  let env = Lazy.force Names.env in
  let linked =
    match
      let types = Types_of_code.types (parsed code) in
      Test_cache.linked ~digest ~types:(Types_of_code.key ~code types) (fun () ->
          let oracle = Opened_by_code.(before (of_code types) oracle) in
          let program = Stored_trees.merged (Types_of_code.unambiguous types) oracle in
          Typing_compat.set_unit merged_unit;
          match
            link runner [ alone ~ticking:Silent merged_unit (Value_shape.filled env program) env ]
          with
          | Executable image -> Ok image
          | _ -> Error ())
    with
    | Ok image -> Ok image
    | Error () -> Error (printed ())
    | exception error -> ignore (explained error); Error (printed ())
  in
  Type_items.reset ();
  linked
