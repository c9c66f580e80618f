(* Turns a boolean expression into a formula: comparisons of values that the code returns, its
   exceptions, and `&&`, `||` and `not` of these. *)

open Parsetree
open Ast_helper
open Syntax
open Formula
open Binding_time
open Check_parts
open Inlining
open Predicates

(* ---- exceptions ---------------------------------------------------------------------- *)

(* An expression for the exception's constructor, which is its identity. *)
let constructor_of path =
  Exp.extension
    ( nowhere "ocaml.extension_constructor",
      PStr [ Str.eval (Exp.construct path None) ] )

(* The alternatives of a pattern. *)
let rec arms p =
  match p.ppat_desc with Ppat_or (a, b) -> arms a @ arms b | _ -> [ p ]

(* The arguments of a constructor in a pattern. *)
let argument_patterns p =
  match p.ppat_desc with
  | Ppat_construct _ -> (
    match sub_patterns p with
    | [] | [ { ppat_desc = Ppat_any; _ } ] -> []
    | p :: _ -> ( match tuple_patterns p with [] -> [ p ] | ps -> ps))
  | _ -> []

(* The constant that a pattern matches, as an expression; None for other patterns. *)
let rec constant_of_pattern p =
  match p.ppat_desc with
  | Ppat_constant c -> Some (Exp.constant c)
  | Ppat_construct (path, _) when sub_patterns p = [] ->
    Some (Exp.construct path None)
  | Ppat_constraint (p, _) -> constant_of_pattern p
  | _ -> None

(* ---- booleans ------------------------------------------------------------------------ *)

(* How an expression ends that returns no value of interest. *)
type ending = Holds | Fails | Stops | Unclear

(* How an expression ends, as far as its form shows. *)
let rec certain_outcome c e =
  match (boolean_literal e, e.pexp_desc, called c e) with
  | Some holds, _, _ -> if holds then Holds else Fails
  | None, Pexp_construct ({ txt = Longident.Lident "()"; _ }, None), _ -> Holds
  | None, Pexp_assert e, _ -> if boolean_literal e = Some false then Fails else Unclear
  | None, _, Some (("assert_failure" | "OUnit2.assert_failure"), _) when c.ounit -> Fails
  | None, _, Some (name, _) when List.mem name raising -> Stops
  | None, Pexp_constraint (e, _), _ -> certain_outcome c e
  | None, _, _ -> Unclear

(* The piece of an expression that ends so; exceptions of the tests are raised in the oracle
   program.  Raises In_process. *)
let ended c e =
  match certain_outcome c e with
  | Holds -> always true
  | Fails -> always false
  | Stops when time c e = Static ->
    let t, query, oracle = expected_value c e in
    { formula = Is t; query; oracle }
  | Stops | Unclear -> raise (In_process "an exception of the tests' own")

(* The piece that holds if the expression is true.  Raises In_process. *)
let rec boolean c e =
  match (e.pexp_desc, called c e) with
  | Pexp_let _, _ | _, Some (("&&" | "&" | "||" | "or"), [ _; _ ]) -> (
    match of_one_value c e with Some piece -> piece | None -> taken_apart c e)
  | _ -> taken_apart c e

(* The piece of a boolean expression, made of the pieces of its parts.  Raises In_process. *)
and taken_apart c e =
  match (e.pexp_desc, called c e) with
  | _, Some (("&&" | "&"), [ (_, a); (_, b) ]) -> in_order c (fun a b -> And (a, b)) a b
  | _, Some (("||" | "or"), [ (_, a); (_, b) ]) -> in_order c (fun a b -> Or (a, b)) a b
  | _, Some ("not", [ (_, a) ]) ->
    let piece = boolean c a in
    { piece with formula = Not piece.formula }
  | _, Some (operator, [ (_, a); (_, b) ]) when List.mem operator operators ->
    comparison c operator a b
  | _, Some (operator, [ (_, a); (_, b) ]) when List.mem operator equalities ->
    comparison c "=" a b
  | _, Some ((("==" | "!=") as operator), [ (_, a); (_, b) ])
    when is_immediate a || is_immediate b ->
    comparison c (if operator = "==" then "=" else "<>") a b
  | Pexp_constraint (e, _), _ -> boolean c e
  | Pexp_let (recursive, bindings, body), _ ->
    with_bindings c recursive bindings ~body (fun c -> boolean c body)
  | Pexp_sequence (a, b), _ -> after c a (boolean (after_statement c a) b)
  | Pexp_try (body, cases), _ -> handled c body ~value:None cases boolean
  | Pexp_match (body, cases), _ when matches_exceptions cases -> matched c body cases boolean
  | Pexp_match _, _ when time c e <> Static -> piece_of_predicate c e
  | _ when boolean_literal e <> None -> always (boolean_literal e = Some true)
  | _ -> (
    match scoped c e boolean with
    | Some piece -> piece
    | None -> (
      match inlined_body c e with
      | Some body -> boolean (deeper c) body
      | None when is_from_code c.g e || time c e = Static ->
        (* Static expressions are queried too: the code may have mutated what it should not. *)
        let t, query, oracle = query_value c e in
        { formula = Is t; query; oracle }
      | None -> piece_of_predicate c e))

(* The piece of two booleans, of which the second may not be evaluated. *)
and in_order c make a b =
  let first = boolean c a in
  let second = boolean c b in
  if not (is_unit second.query) then require_unconditional c a b;
  joined make first second

(* The piece that holds if two values compare so.  Raises In_process. *)
and comparison c operator a b =
  let negated holds piece = if holds then piece else { piece with formula = Not piece.formula } in
  match (operator, boolean_literal a, boolean_literal b) with
  | "=", _, Some holds when time c a <> Static -> negated holds (boolean c a)
  | "=", Some holds, _ when time c b <> Static -> negated holds (boolean c b)
  | "<>", _, Some holds when time c a <> Static -> negated (not holds) (boolean c a)
  | "<>", Some holds, _ when time c b <> Static -> negated (not holds) (boolean c b)
  | _ -> (
    let order operator e =
      match called c e with
      | Some (name, [ (_, x); (_, y) ]) when List.mem name comparing ->
        Some (compared { c with whole = true } (fun x y -> Order (operator, x, y)) x y)
      | _ -> None
    in
    let is_zero = Constant_compat.is_zero in
    let flipped = function "<" -> ">" | ">" -> "<" | "<=" -> ">=" | ">=" -> "<=" | o -> o in
    let by_order =
      if is_zero b then order operator a
      else if is_zero a then order (flipped operator) b
      else None
    in
    match by_order with
    | Some piece -> piece
    | None ->
      let whole = operator <> "=" && operator <> "<>" in
      compared { c with whole } (fun a b -> Compare (operator, a, b)) a b)

(* The piece [b] after the statement [a]. *)
and after c a b =
  match time c a with
  | Static ->
    let t, _, oracle = expected_value c (ignored a) in
    { b with formula = And (Done t, b.formula); oracle = before oracle b.oracle }
  | _ -> { b with query = before (ignored a) b.query }

(* Whether a case is one of an exception. *)
and matches_exceptions cases =
  List.exists (fun case -> exception_pattern case <> None) cases

(* The piece of a match with exceptions such as [match e with _ -> false | exception E -> true]. *)
and matched : 'a. context -> expression -> case list -> (context -> expression -> piece) -> piece =
  fun c body cases judge ->
  let handlers, values =
    List.partition (fun case -> exception_pattern case <> None) cases
  in
  match values with
  | [ ({ pc_lhs = { ppat_desc = Ppat_any; _ }; pc_guard = None; _ } as value) ]
    when certain_outcome c value.pc_rhs <> Unclear ->
    let handlers =
      List.map
        (fun case ->
          match exception_pattern case with
          | Some p -> { case with pc_lhs = p }
          | None -> case)
        handlers
    in
    handled c body ~value:(Some (certain_outcome c value.pc_rhs)) handlers judge
  | _ -> raise_in_process "a match of the tests' own"

(* The piece of [try ignore e; false with E -> true], or of a handler in which every exception
   fails. *)
and handled c body ~value cases judge =
  let all_fail = List.for_all (fun case -> certain_outcome c case.pc_rhs = Fails) cases in
  let rec acting e =
    match e.pexp_desc with
    | Pexp_sequence (a, b) ->
      Option.map
        (fun (inner, how) ->
          ((match inner with None -> Some a | Some i -> Some (Exp.sequence a i)), how))
        (acting b)
    | _ -> ( match certain_outcome c e with Unclear -> None | how -> Some (None, how))
  in
  match (value, acting body) with
  | None, _ when all_fail -> judge c body
  | _ -> (
    let run, how =
      match (value, acting body) with
      | Some how, _ -> (body, how)
      | None, Some (Some run, how) -> (run, how)
      | _ -> raise_in_process "a handler of the tests' own"
    in
    if time c run <> Dynamic then raise_in_process "a handler of the tests' own";
    if how <> Fails then raise_in_process "a handler of the tests' own";
    match query_value c (ignored run) with
    | Returned number, query, _ ->
      let pieces = List.map (fun case -> caught c number case judge) cases in
      let over f = List.fold_right (fun p rest -> before (f p) rest) pieces unit in
      {
        formula = Handles (number, List.map (fun (catches, p) -> (catches, p.formula)) pieces);
        query = before query (over (fun (_, p) -> p.query));
        oracle = over (fun (_, p) -> p.oracle);
      }
    | _ -> assert false)

(* A case of a handler: the exceptions that it catches, and the formula of its body. *)
and caught c number case judge =
  if case.pc_guard <> None then raise_in_process "a handler of the tests' own";
  let c = ref c and oracle = ref unit in
  let expected_value e =
    let t, _, more = expected_value !c e in
    oracle := before !oracle more;
    t
  in
  let argument place p =
    match (variable p, constant_of_pattern p, p.ppat_desc) with
    | Some name, _, _ ->
      let g = define !c.g name ~time:Dynamic ~codes:true in
      let terms = Names.Map.add name (Argument (number, place + 1)) !c.terms in
      c := { !c with g; terms };
      None
    | None, Some constant, _ -> Some (expected_value constant)
    | None, None, Ppat_any -> None
    | _ -> raise_in_process "an exception's argument"
  in
  let one p =
    match p.ppat_desc with
    | Ppat_any -> (None, [])
    | Ppat_construct (path, _) ->
      let constructor = expected_value (constructor_of path) in
      (Some constructor, List.mapi argument (argument_patterns p))
    | _ -> raise_in_process "a handler of the tests' own"
  in
  let catches = List.map one (arms case.pc_lhs) in
  let piece =
    match certain_outcome !c case.pc_rhs with
    | Holds | Fails | Stops -> ended !c case.pc_rhs
    | Unclear when List.compare_length_with catches 1 = 0 -> judge !c case.pc_rhs
    | Unclear -> raise_in_process "a handler of the tests' own"
  in
  (catches, { piece with oracle = before !oracle piece.oracle })
