(* Runs code that does not type, or of which some items do not parse, with tests that need not
   type with it: what is wrong becomes holes that report when they are reached. *)

open Parsetree

(* The code with holes, its parts, the key of its types, and whether its tests share state. *)
type t = {
  code : structure;
  env : Env.t;  (* with the code's unit *)
  defined : Names.Set.t;  (* the names that are left *)
  parts : string;  (* see line_ranges.ml *)
  types : string;  (* see types_of_code.ml *)
  shared : bool;
  errors : Location.t list;  (* of the parts that parse, in code that does not *)
  branches : Location.t list;  (* see branch_coverage.ml *)
  left : Opened_by_code.t;  (* what later tests see of code that does not parse *)
}

(* Parses code.  Raises the parser's exceptions. *)
let parse code = Syntax.parse_text Parse.implementation "solution.ml" code

(* The code, or the code with broken items blanked, with its tree; and whether a broken item may
   have been a statement.  Raises the parser's exceptions. *)
let parsed code ~tests =
  match parse code with
  | structure -> (code, structure, false)
  | exception e when tests = [] -> raise e
  | exception _ ->
    let left = Item_split.without_broken code in
    let structure = parse left in
    (* With items missing, a module may no longer match its signature. *)
    let whole = not (Item_split.lacks_in_module code) in
    let structure = if whole then structure else Raising_holes.without_signatures structure in
    (left, structure, Item_split.lacks_statement code)

(* Whether checks share state: not if all named values in the tests are functions or literals. *)
let shares tests =
  let found = ref false in
  let checks = [ "check"; "run"; "check_case" ] in
  let is_check f = List.exists (fun name -> Split_program.is_harness name f) checks in
  let rec made e =
    match e.pexp_desc with
    | Pexp_apply (f, [ (_, thunk) ]) when Split_program.is_harness "setup" f ->
      made (Split_program.body thunk)
    | Pexp_ident _ | Pexp_constant _ -> false
    | _ ->
      let is_made e =
        match e.pexp_desc with
        | Pexp_apply _ | Pexp_array _ | Pexp_record _ | Pexp_lazy _ | Pexp_new _ | Pexp_object _ ->
          true
        | _ -> false
      in
      (not (Function_compat.is_function e)) && Syntax.exists is_made e
  in
  let value_binding self b =
    if made b.pvb_expr && not (Names.Set.is_empty (Names.pattern_names b.pvb_pat)) then
      found := true;
    Visit.default.value_binding self b
  in
  let expr self e =
    match e.pexp_desc with
    | Pexp_apply (f, _) when is_check f -> ()
    | _ -> Visit.default.expr self e
  in
  Visit.in_structure tests { Visit.default with value_binding; expr };
  !found

(* Whether a program uses a forbidden feature; it is printed from the tree, as the text does not
   parse. *)
let is_unsafe patched =
  let source = lazy (Pprintast.string_of_structure patched) in
  Forbidden_features.unsafe ~source patched <> []

(* The code with holes; None if it uses a forbidden feature, unless [lenient].  [watched]: with
   instrumented branches.  Raises Hopeless and the parser's exceptions: without tests the whole
   program has to parse. *)
let of_code ~lenient ~watched ~env ~code tests =
  let text, structure, lacks_statement = parsed code ~tests in
  let first = if lacks_statement then [ Raising_holes.taint Location.none ] else [] in
  let first = Nodes.lost_type :: first in
  let before =
    match Type_items.undo env first with
    | Typed left -> left
    | Failed _ -> raise Raising_holes.Hopeless
  in
  let holes = Raising_holes.start ~uses:Names.Set.empty () in
  let patched, after = Raising_holes.patched holes before structure in
  let patched = first @ patched in
  if (not lenient) && is_unsafe patched then None
  else
    let patched, branches = if watched then Branch_coverage.watched patched else (patched, []) in
    let signature = Inferred_signatures.defined ~suspects:Names.Set.empty ~before:env ~after in
    Some
      { code = Raising_holes.raising ~code:true patched;
        env = Inferred_signatures.with_unit "Solution" signature env;
        defined = Inferred_signatures.names signature;
        parts = Line_ranges.text ~code:text structure;
        types = Types_of_code.key ~code:text (Types_of_code.types structure);
        shared = shares (Stored_trees.original tests);
        branches;
        errors = (if text == code then [] else Count.places ~env structure);
        left = Opened_by_code.(if text == code then nothing else of_code structure);
      }

(* The errors as byte ranges, for Python (partial_run.py). *)
let errors_text { errors; _ } = Nodes.ranges_text errors

(* Whether tests that use these names of the code may type as they are, as all are left. *)
let fits { defined; _ } ~uses = Names.Set.subset uses defined

(* The tests with holes.  A query program contains the original tests; holes are found in these.
   Raises Hopeless. *)
let patched_tests { env; defined; _ } ~uses tests =
  let holes = Raising_holes.start ~missing:(Names.Set.diff uses defined) ~uses () in
  let nothing_left () =
    if Names.Set.is_empty (Raising_holes.left holes) && not (Names.Set.is_empty uses) then
      raise Raising_holes.Hopeless
  in
  nothing_left ();
  let whole = Stored_trees.original tests in
  let patched, _ = Raising_holes.patched holes env whole in
  nothing_left ();
  if whole == tests then patched
  else
    let query_program = Raising_holes.likewise holes (Stored_trees.query_program tests) in
    match Type_items.undo env query_program with
    | Typed _ -> query_program
    | Failed _ -> fst (Raising_holes.patched holes env query_program)

(* The code with the tests around it, as one program.  Raises Hopeless, also if nothing is left of
   what the tests use. *)
let with_tests through ~uses = function
  | [] -> through.code
  | tests ->
    let tests = Opened_by_code.before through.left tests in
    let uses = Names.Set.union (Code_file.taken tests) uses in
    let tests = Raising_holes.raising ~code:false (patched_tests through ~uses tests) in
    Stored_trees.merged through.code tests
