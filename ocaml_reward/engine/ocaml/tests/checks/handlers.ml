(* What the tests' own handlers catch: the harness is told, so that an exception that tests swallow
   does not make a check pass.  To the run of the tests as they were written it is no failure.

   The real inputs that asked for these rules are files of sauravbhattacharya001/Ocaml-sample-code. *)

open Parsetree
open Ast_helper
open Syntax

(* Whether an expression just returns a value.  Such a handler leaves the decision to later code;
   one that does more, such as counting, has noticed the failure.  (The demo of probability.ml asks
   whether a chain is invalid by [try … false with Failure _ -> true].)
   (sauravbhattacharya001/Ocaml-sample-code probability.ml) *)
let rec only_gives e =
  match e.pexp_desc with
  | Pexp_constant _ | Pexp_ident _ | Pexp_construct (_, None) | Pexp_variant (_, None) -> true
  | Pexp_construct (_, Some e) | Pexp_variant (_, Some e) | Pexp_constraint (e, _) ->
    only_gives e
  | Pexp_tuple _ ->
    not (exists (fun e -> match e.pexp_desc with Pexp_apply _ -> true | _ -> false) e)
  | Pexp_apply (f, _) -> is_comparison e || is_text f
  | _ -> false

(* Whether an expression is a function of the library that makes a text of an exception.
   (sauravbhattacharya001/Ocaml-sample-code crdt.ml) *)
and is_text f =
  match f.pexp_desc with
  | Pexp_ident { txt; _ } ->
    let path = Path_compat.components txt in
    List.mem path [ [ "Printexc"; "to_string" ]; [ "Printf"; "sprintf" ]; [ "^" ] ]
  | _ -> false

(* The name of the exception that a handler catches. *)
let caught = "*caught"

(* Exceptions that are raised to go on elsewhere, not because something failed: test_horspool.ml leaves
   an iteration by [raise Exit]. (sauravbhattacharya001/Ocaml-sample-code test_horspool.ml) *)
let jumps = [ "Exit"; "Not_found"; "End_of_file" ]

(* Which of the library's names tests do not define themselves.  No real tests define one; without
   this the harness's would take its place. *)
let library_names structure names =
  let times_bound = Names.times_bound structure in
  List.filter (fun name -> times_bound name = 0) names

(* The constructor of the exception that an expression raises at once, as [raise (Wrong 3)], by the
   library's functions of these names; None for other expressions, such as [raise e], which may pass
   on another's. (sauravbhattacharya001/Ocaml-sample-code crdt.ml) *)
let raised_by ~raising e =
  let is_named names = is_named (List.filter (fun name -> List.mem name raising) names) in
  match applied e with
  | f, [ (_, argument) ] when is_named [ "raise"; "raise_notrace" ] f -> (
    match argument.pexp_desc with
    | Pexp_construct ({ txt; _ }, _) -> Some (last_name txt)
    | _ -> None)
  | f, _ when is_named [ "failwith" ] f -> Some "Failure"
  | f, _ when is_named [ "invalid_arg" ] f -> Some "Invalid_argument"
  | _ -> None

(* Whether an expression says at once that a test has failed: it raises or exits. *)
let rec fails ~raising e =
  let fails = fails ~raising in
  match e.pexp_desc with
  | Pexp_assert condition -> is_constructor "false" condition
  | Pexp_sequence (a, b) -> fails a || fails b
  | Pexp_let (_, _, body) | Pexp_constraint (body, _) -> fails body
  | Pexp_ifthenelse (_, a, Some b) -> fails a && fails b
  | _ -> (
    match raised_by ~raising e with
    | Some name -> not (List.mem name jumps)
    | None -> exits_badly e)

(* The constructors of the exceptions by which tests say that something has failed.
   (sauravbhattacharya001/Ocaml-sample-code code_transform.ml) *)
let own_failures ~raising structure =
  let found = ref [ "Assert_failure" ] in
  let expr e =
    match raised_by ~raising e with
    | Some name when not (List.mem name jumps) -> found := name :: !found
    | _ -> ()
  in
  Visit.(in_structure structure (each ~expr ()));
  !found

(* Whether a pattern of a handler can match one of these exceptions. *)
let rec may_match failures p =
  match p.ppat_desc with
  | Ppat_construct ({ txt; _ }, _) -> List.mem (last_name txt) failures
  | Ppat_or (a, b) -> may_match failures a || may_match failures b
  | Ppat_alias (p, _) | Ppat_constraint (p, _) | Ppat_exception p -> may_match failures p
  | _ -> true

(* Whether an expression passes on the exception of this pattern.
   (gildor478/ounit src/oUnitBracket.ml) *)
let rec passes_on p e =
  let is_bound e =
    match e.pexp_desc with
    | Pexp_ident { txt = Longident.Lident name; _ } -> Names.Set.mem name (Names.pattern_names p)
    | _ -> false
  in
  match e.pexp_desc with
  | Pexp_sequence (_, e) | Pexp_let (_, _, e) -> passes_on p e
  | _ -> (
    match applied e with
    | f, [ (_, e) ] -> is_named [ "raise"; "raise_notrace" ] f && is_bound e
    | _ -> false)

(* Whether a pattern of a handler matches every exception.
   (ocaml/ocaml testsuite/tests/parallel/join.ml) *)
let rec matches_all p =
  match p.ppat_desc with
  | Ppat_any | Ppat_var _ -> true
  | Ppat_alias (p, _) | Ppat_constraint (p, _) | Ppat_exception p -> matches_all p
  | Ppat_or (a, b) -> matches_all a || matches_all b
  | _ -> false

(* Whether an expression wants an exception: it drops the value that it asks for, or fails.  (The
   [assert_raises] of test_btree.ml counts what its handler catches as passed.)
   (sauravbhattacharya001/Ocaml-sample-code test_btree.ml) *)
let rec wants_exception ~raising e =
  let wants_exception = wants_exception ~raising in
  fails ~raising e
  || match e.pexp_desc with
     | Pexp_sequence (a, b) -> is_ignored a || wants_exception b
     | Pexp_let (_, [ { pvb_pat = { ppat_desc = Ppat_any; _ }; _ } ], _) -> true
     | Pexp_let (_, _, body) | Pexp_constraint (body, _) -> wants_exception body
     | _ -> is_ignored e

(* Whether an expression is [ignore e]. *)
and is_ignored e = is_named [ "ignore" ] (fst (applied e))

(* Whether a case of a match wants an exception instead: any value matches, or it fails. *)
let case_wants_exception ~raising c =
  (match c.pc_lhs.ppat_desc with Ppat_any -> true | _ -> false) || fails ~raising c.pc_rhs

(* The function of the harness that a handler is to call with what it caught; None if it passes the
   exception on.  One that just returns a value leaves it to others to decide ([gives], [swallows]);
   one that does more, such as printing or counting ([test] in test_crdt.ml), has noticed a failure:
   any exception, if it catches all and no exception is wanted ([takes]), else one by which the tests
   say that something failed ([notes]).
   (sauravbhattacharya001/Ocaml-sample-code test_horspool.ml) *)
let told_by failures ~wanted c =
  if passes_on c.pc_lhs c.pc_rhs then None
  else if is_constructor "()" c.pc_rhs then Some "swallows"
  else if only_gives c.pc_rhs then Some "gives"
  else if matches_all c.pc_lhs && not wanted then Some "takes"
  else if may_match failures c.pc_lhs then Some "notes"
  else Some "handles"

(* The cases of an expression that are handlers, with whether they want an exception. *)
let handlers ~raising e =
  match e.pexp_desc with
  | Pexp_try (body, cases) -> (wants_exception ~raising body, cases)
  | Pexp_match (_, cases) ->
    let exceptions, values = List.partition (fun c -> exception_pattern c <> None) cases in
    (List.exists (case_wants_exception ~raising) values, exceptions)
  | _ -> (false, [])

(* Whether tests have a handler that takes what it catches for a failure.
   (sauravbhattacharya001/Ocaml-sample-code code_transform.ml) *)
let notes_failures structure =
  let raising = library_names structure raising in
  let failures = own_failures ~raising structure in
  let notes e =
    let wanted, cases = handlers ~raising e in
    List.exists
      (fun c -> List.mem (told_by failures ~wanted c) [ Some "takes"; Some "notes" ])
      cases
  in
  somewhere notes (Visit.in_structure structure)

(* The handler, which tells the harness what it caught. *)
let telling failures ~wanted c =
  let named p = Pat.alias p (nowhere caught) in
  match told_by failures ~wanted c with
  | None -> c
  | Some told ->
    let by name = call (value (within harness name)) [ value (lident caught) ] in
    let pattern =
      match c.pc_lhs.ppat_desc with
      | Ppat_exception p -> Pat.exception_ (named p)
      | _ -> named c.pc_lhs
    in
    { c with pc_lhs = pattern; pc_rhs = Exp.sequence (by told) c.pc_rhs }

(* The tests, whose assertions, conditions of failures and handlers tell the harness: an exception
   that the tests swallow does not make a check pass, unless the handler just returns a value.
   (sauravbhattacharya001/Ocaml-sample-code lambda.ml) *)
let demands structure =
  let is_exception c = exception_pattern c <> None in
  let raising = library_names structure raising in
  let failures = own_failures ~raising structure in
  let fails = fails ~raising in
  let condition e = call ~loc:e.pexp_loc (value (within harness "condition")) [ thunk e ] in
  let expr self e =
    let inside = Visit.mapper.expr self in
    match e.pexp_desc with
    | Pexp_assert condition when not (is_constructor "false" condition) ->
      call ~loc:e.pexp_loc
        (value (within harness "demand"))
        [ int (line_of e.pexp_loc); thunk (self.Ast_mapper.expr self condition) ]
    | Pexp_try (body, cases) ->
      let wanted, _ = handlers ~raising e in
      inside { e with pexp_desc = Pexp_try (body, List.map (telling failures ~wanted) cases) }
    | Pexp_match (over, cases) ->
      let over = if List.exists (fun c -> fails c.pc_rhs) cases then condition over else over in
      let wanted, _ = handlers ~raising e in
      let telling c = if is_exception c then telling failures ~wanted c else c in
      inside { e with pexp_desc = Pexp_match (over, List.map telling cases) }
    | Pexp_ifthenelse (holds, a, b) when fails a || Option.fold ~none:false ~some:fails b ->
      inside { e with pexp_desc = Pexp_ifthenelse (condition holds, a, b) }
    | _ -> (
      match raised_by ~raising e with
      | Some name when not (List.mem name jumps) -> (
        (* The exception is evaluated first, then it is noted. *)
        match e.pexp_desc with
        | Pexp_apply (f, arguments) ->
          let own = function
            | { pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ }
              when List.mem name raising -> value (within harness name)
            | f -> f
          in
          let argument (label, a) = (label, own a) in
          inside { e with pexp_desc = Pexp_apply (own f, List.map argument arguments) }
        | _ -> inside e)
      | _ -> inside e)
  in
  Visit.map structure { Visit.mapper with expr }
