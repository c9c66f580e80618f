open Parsetree

type t = {
  program : structure;
  parts : string;
  types : string;
  shared : bool;
}

let parse code = Syntax.parse_text Parse.implementation "solution.ml" code

(* The code, or else what is left of it where the items are blank that do not parse, with its
   tree; and whether what is not there may have been a statement.  Raises what the parser
   does. *)
let parsed code =
  match parse code with
  | structure -> (code, structure, false)
  | exception ((Stack_overflow | Out_of_memory) as e) -> raise e
  | exception _ ->
    let left = Items.without_broken code in
    (left, parse left, Items.lacks_statement code)

(* Does a check find what others have left?  Not where all that has a name in the tests is a
   function or written out. *)
let shares tests =
  let found = ref false in
  let default = Ast_iterator.default_iterator in
  let checks = [ "check"; "run"; "apart" ] in
  let is_check f = List.exists (fun name -> Splitting.is_harness name f) checks in
  let rec made e =
    match e.pexp_desc with
    | Pexp_apply (f, [ (_, thunk) ]) when Splitting.is_harness "setup" f ->
      made (Splitting.body thunk)
    | Pexp_ident _ | Pexp_constant _ -> false
    | _ ->
      let is_made e =
        match e.pexp_desc with
        | Pexp_apply _ | Pexp_array _ | Pexp_record _ | Pexp_lazy _ | Pexp_new _ | Pexp_object _ ->
          true
        | _ -> false
      in
      (not (Functions.is_function e)) && Syntax.exists is_made e
  in
  let value_binding self b =
    if made b.pvb_expr && not (Names.Set.is_empty (Names.pattern_names b.pvb_pat)) then
      found := true;
    default.value_binding self b
  in
  let expr self e =
    match e.pexp_desc with
    | Pexp_apply (f, _) when is_check f -> ()
    | _ -> default.expr self e
  in
  let iterator = { default with value_binding; expr } in
  iterator.structure iterator tests;
  !found

(* Tests that only ask are typed as a whole beside that: what is a hole there is one here. *)
let patched_tests ~env ~uses tests =
  let whole = Trees.whole tests in
  let holes = Patching.start ~uses in
  let patched, _ = Patching.patched holes env whole in
  if whole == tests then patched
  else
    let asking = Patching.within (Patching.places holes) (Trees.asking tests) in
    fst (Patching.patched (Patching.start ~uses) env asking)

let tested ~lenient ~env ~uses ~code tests =
  let code, structure, lacks_statement = parsed code in
  let first = if lacks_statement then [ Patching.taint Location.none ] else [] in
  let first = Nodes.lost_type :: first in
  let before =
    match Typing.undo env first with Typed left -> left | Failed _ -> raise Patching.Hopeless
  in
  let patched, after = Patching.patched (Patching.start ~uses:Names.Set.empty) before structure in
  let patched = first @ patched in
  if (not lenient) && Scan.unsafe patched <> [] then None
  else
    let raising = Patching.raising ~code:true patched in
    let program =
      if tests = [] then raising
      else
        let signature = Signatures.defined ~suspects:Names.Set.empty ~before:env ~after in
        let env = Signatures.with_unit "Solution" signature env in
        let tests = patched_tests ~env ~uses tests in
        Trees.merged raising (Patching.raising ~code:false tests)
    in
    Some
      { program;
        parts = Lines.text ~code structure;
        types = Erasing.key ~code (Erasing.types structure);
        shared = shares (Trees.whole tests);
      }

let program ~lenient ~env ~uses ~code tests =
  let runs () = tests <> [] || match parse code with _ -> true | exception _ -> false in
  match if runs () then tested ~lenient ~env ~uses ~code tests else None with
  | found -> found
  | exception Patching.Hopeless -> None
