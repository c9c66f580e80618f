(* Turns a statement that asserts (`assert`, OUnit's functions, branches that fail) into a
   formula. *)

open Parsetree
open Syntax
open Formula
open Binding_time
open Check_parts
open Inlining
open Boolean_formula

(* The argument with this label; None if there is none. *)
let labelled name arguments =
  List.find_map
    (function
      | (Asttypes.Labelled l | Asttypes.Optional l), e when l = name -> Some e
      | _ -> None)
    arguments

(* The name and the arguments of a call of OUnit's, unless the name is redefined; None for other
   expressions. *)
let of_ounit c e =
  match e.pexp_desc with
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, arguments) when c.ounit -> (
    match Path_compat.components txt with
    | [ name ] when not (Names.Map.mem name c.g.times) -> Some (name, arguments)
    | [ "OUnit2"; name ] -> Some (name, arguments)
    | _ -> None)
  | _ -> None

(* Whether an expression may fail a check other than by an exception of the code. *)
let may_judge c e =
  (* Each helper is inspected once: they may call each other in many ways. *)
  let seen = ref Names.Set.empty in
  let rec may e =
    judges [] e
    || exists
         (fun e ->
           is_named ounit_assertions e
           ||
           match e.pexp_desc with
           | Pexp_ident { txt = Longident.Lident name; _ } when not (Names.Set.mem name !seen) -> (
             seen := Names.Set.add name !seen;
             match Names.Map.find_opt name c.g.helpers with
             | Some helper -> may helper.body
             | None -> false)
           | _ -> false)
         e
  in
  may e

(* Consecutive assertions as one boolean; None if they are not just that. *)
let rec conjunction c e =
  let both a b =
    let no = Ast_helper.Exp.construct (lident "false") None in
    match (a, b) with
    | Some a, Some b -> Some (Ast_helper.Exp.ifthenelse a b (Some no))
    | _ -> None
  in
  match (e.pexp_desc, of_ounit c e) with
  | Pexp_assert e, _ -> Some e
  | Pexp_sequence (a, b), _ -> both (conjunction c a) (conjunction c b)
  | Pexp_let (recursive, bindings, body), _ ->
    Option.map
      (fun body -> { e with pexp_desc = Pexp_let (recursive, bindings, body) })
      (conjunction c body)
  | _, Some ("assert_equal", arguments) -> (
    match (unlabelled arguments, labelled "cmp" arguments) with
    | [ expected; actual ], None -> Some (call (value (within pristine "=")) [ expected; actual ])
    | _ -> None)
  | _, Some (("assert_bool" | "@?"), arguments) -> (
    match unlabelled arguments with [ _; condition ] -> Some condition | _ -> None)
  | _ -> None

(* The piece that holds if the statement raises nothing that fails its check.  Raises In_process. *)
let rec statement c e =
  match e.pexp_desc with
  | Pexp_let _ | Pexp_sequence _ -> (
    match Option.bind (conjunction c e) (Predicates.of_one_value c) with
    | Some piece -> piece
    | None -> taken_apart c e)
  | _ -> taken_apart c e

(* The piece of a statement, made of the pieces of its parts.  Raises In_process. *)
and taken_apart c e =
  match (e.pexp_desc, of_ounit c e) with
  | Pexp_assert e, _ -> boolean c e
  | Pexp_construct ({ txt = Longident.Lident "()"; _ }, None), _ -> always true
  | Pexp_sequence (a, b), _ ->
    if may_judge c a then
      let a = statement c a in
      let b = statement c b in
      joined (fun a b -> And (a, b)) a b
    else after c a (statement (after_statement c a) b)
  | Pexp_let (recursive, bindings, body), _ ->
    let judges b = (not (Function_compat.is_function b.pvb_expr)) && may_judge c b.pvb_expr in
    if List.exists judges bindings then raise_in_process "an assertion inside a definition";
    with_bindings c recursive bindings ~body (fun c -> statement c body)
  | Pexp_constraint (e, _), _ -> statement c e
  | Pexp_ifthenelse (condition, a, b), _ -> (
    let otherwise = Option.value ~default:unit b in
    match (certain_outcome c a, certain_outcome c otherwise) with
    | (Fails | Stops), Holds ->
      let piece = boolean c condition in
      joined (fun a b -> Or (a, b)) { piece with formula = Not piece.formula } (ended c a)
    | Holds, (Fails | Stops) ->
      let piece = boolean c condition in
      joined (fun a b -> Or (a, b)) piece (ended c otherwise)
    | _ -> raise_in_process "a branch of the tests' own")
  | Pexp_try (body, cases), _ -> handled c body ~value:None cases statement
  | Pexp_match (body, cases), _ when matches_exceptions cases -> matched c body cases statement
  | _, Some ("assert_equal", arguments) -> equal c arguments
  | _, Some (("assert_bool" | "@?"), arguments) -> (
    match unlabelled arguments with
    | [ _; condition ] -> boolean c condition
    | _ -> raise_in_process "a word of OUnit's")
  | _, Some ("assert_raises", arguments) -> (
    match unlabelled arguments with
    | [ expected; case ] when time c expected = Static -> (
      let run =
        match Function_compat.unary_function case with
        | Some (_, body) -> body
        | None -> call case [ unit ]
      in
      if time c run = Static then raise_in_process "an exception of the tests' own";
      let t, _, oracle = expected_value c expected in
      match query_value c (ignored run) with
      | Returned number, query, _ -> { formula = Raises (number, t); query; oracle }
      | _ -> assert false)
    | _ -> raise_in_process "an exception that the code supplies")
  | _, Some ("assert_string", [ (_, text) ]) ->
    comparison c "=" text (Ast_helper.Exp.constant (Ast_helper.Const.string ""))
  | _ when certain_outcome c e = Fails || certain_outcome c e = Stops -> ended c e
  | _ -> (
    match scoped c e statement with
    | Some piece -> piece
    | None -> (
      match inlined_body c e with
      | Some body -> statement (deeper c) body
      | None when not (may_judge c e) -> after c e (always true)
      | None -> raise_in_process "a statement that asserts in its own way"))

(* The piece of [assert_equal]. *)
and equal c arguments =
  match (unlabelled arguments, labelled "cmp" arguments) with
  | [ expected; actual ], None -> comparison c "=" expected actual
  | [ expected; actual ], Some cmp -> (
    let loc = expected.pexp_loc in
    match cmp.pexp_desc with
    | Pexp_ident { txt; _ } when standard c txt = Some "=" -> comparison c "=" expected actual
    | _ -> boolean c (call ~loc cmp [ expected; actual ]))
  | _ -> raise_in_process "a word of OUnit's"

(* ---- one check ----------------------------------------------------------------------- *)

(* The piece of a check's expression, made with [judge].  Raises In_process. *)
let check ~ounit ~applies g judge e =
  let terms = Names.Map.empty and slots = (ref 0, ref 0) in
  let c = { g; terms; slots; depth = 0; ounit; applies; whole = false } in
  if exists (is_named [ "exit"; "at_exit" ]) e then raise_in_process "exit";
  judge c e
