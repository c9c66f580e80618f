(* Splits a check into a query, an oracle and a formula.  Query and oracle are expressions of
   type unit that send one value after the other, with the tests' bindings around them that they
   need. *)

open Parsetree
open Ast_helper
open Syntax
open Formula
open Binding_time
module Set = Names.Set

(* The check has to be decided in the code's process, for this reason. *)
exception In_process of string

(* What the oracle program applies to returned values: nothing, predicates of the tests, or also
   several assertions on one named value. *)
type applies = Nothing | Predicates | Names

(* The state of the analysis at an expression. *)
type context = {
  g : Binding_time.t;
  terms : Formula.term Names.Map.t;  (* arguments of an exception, by their names *)
  slots : int ref * int ref;  (* the numbers of values returned, and expected, so far *)
  depth : int;
  ounit : bool;
  applies : applies;
  whole : bool;  (* send values of any length, because they are ordered *)
}

(* A formula with the expressions that send its values. *)
type piece = { formula : Formula.t; query : expression; oracle : expression }

let is_unit e = is_constructor "()" e

(* One expression after the other, without [()]. *)
let before a b = if is_unit a then b else if is_unit b then a else Exp.sequence a b

(* The piece of two pieces, with the formula [make]. *)
let joined make a b =
  { formula = make a.formula b.formula;
    query = before a.query b.query;
    oracle = before a.oracle b.oracle }

(* The piece of a check with a known result. *)
let always holds = { formula = Always holds; query = unit; oracle = unit }

(* Counts up and returns the number before. *)
let next counter =
  let number = !counter in
  incr counter;
  number

(* A call that sends the value of [e]; [whole]: at any length. *)
let send ?(whole = false) number e =
  let how = if whole then "send_whole_value" else "send_value" in
  call ~loc:e.pexp_loc (value (within harness how)) [ int number; thunk e ]

(* OUnit's functions that decide in the process that calls them. *)
let ounit_assertions =
  [ "assert_equal"; "assert_bool"; "assert_raises"; "assert_failure"; "assert_string";
    "skip_if"; "todo"; "non_fatal"; "bracket"; "exit" ]

(* Whether an expression asserts. *)
let asserts c =
  exists (fun e ->
      match e.pexp_desc with
      | Pexp_assert _ -> true
      | _ -> c.ounit && is_named ounit_assertions e)

(* Sends a value from the code's process: the formula's term, the query and the oracle.  Raises
   In_process. *)
let query_value c e =
  if Names.Map.exists (fun name _ -> mentions name e) c.terms then
    raise (In_process "what an exception carries");
  if asserts c e then raise (In_process "an assertion that the code may call");
  let number = next (fst c.slots) in
  (Returned number, send ~whole:c.whole number e, unit)

(* Sends a value of any length from the code's process: its number and the query.  Raises
   In_process. *)
let query_whole_value c e =
  match query_value { c with whole = true } e with
  | Returned number, query, _ -> (number, query)
  | _ -> raise (In_process "what an exception carries")

(* Sends an expected value from the oracle program: the formula's term, the query and the oracle. *)
let expected_value c e =
  let number = next (snd c.slots) in
  (Expected number, unit, send ~whole:c.whole number e)

(* The time of an expression. *)
let time c e = of_expression c.g e

(* The context after a statement. *)
let after_statement c e = if time c e = Static then c else { c with g = after_mutation c.g }

(* Every query is sent even if an earlier answer would have short-circuited it in the original
   test.  Raises In_process if that could change the result: if the second part is about a value
   that the code returned, or repeats a call of the first. *)
let require_unconditional c first second =
  let text e = Format.asprintf "%a" Pprintast.expression e in
  let calls = ref [] in
  let called_by_code e =
    match e.pexp_desc with
    | Pexp_apply (f, _) ->
      is_from_code c.g e || (time c f = Dynamic && not (Function_compat.is_function f))
    | _ -> false
  in
  let note e =
    if called_by_code e then calls := text e :: !calls;
    false
  in
  ignore (exists note first);
  let of_code e =
    match e.pexp_desc with
    | Pexp_ident { txt = Longident.Lident name; _ } ->
      Names.Map.mem name c.g.times && time c e = Dynamic && not (Names.Map.mem name c.g.helpers)
    | _ -> false
  in
  let depends e =
    match e.pexp_desc with
    | Pexp_apply (_, arguments) ->
      called_by_code e
      && (List.mem (text e) !calls || List.exists (fun (_, a) -> exists of_code a) arguments)
    | _ -> false
  in
  if exists depends second then
    raise (In_process "whether its second part is reached is seen while the tests run")

(* Arithmetic that formulas.py does on returned values, by its names. *)
let arithmetic =
  [ ("-.", "-."); ("+.", "+."); ("*.", "*."); ("/.", "/."); ("~-.", "~-."); ("abs_float", "abs.");
    ("-", "-"); ("+", "+"); ("~-", "~-"); ("abs", "abs"); ("Float.abs", "abs.");
    ("Int.abs", "abs") ]

(* The name of a value of the standard library by its path; None if it is none or shadowed. *)
let standard c path =
  match Path_compat.components path with
  | [ name ] when not (Names.Map.mem name c.g.times || Set.mem name c.g.code_values) -> Some name
  | [ "Stdlib"; name ] -> Some name
  | [ m; name ] | [ "Stdlib"; m; name ] when not (is_dynamic_module c.g m) -> Some (m ^ "." ^ name)
  | _ -> None

(* The name and the arguments of a call of a function of the standard library; None for other
   expressions. *)
let called c e =
  match e.pexp_desc with
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, arguments) ->
    Option.map (fun name -> (name, arguments)) (standard c txt)
  | _ -> None

(* The arguments if none has a label. *)
let plain arguments =
  if List.for_all (fun (label, _) -> label = Asttypes.Nolabel) arguments then
    Some (List.map snd arguments)
  else None

(* The term of a value, with the query and the oracle that send its parts.  Raises In_process. *)
let rec term c e =
  match (e.pexp_desc, called c e) with
  | Pexp_ident { txt = Longident.Lident name; _ }, _ when Names.Map.mem name c.terms ->
    (Names.Map.find name c.terms, unit, unit)
  | Pexp_constraint (e, _), _ when time c e = Dynamic -> term c e
  | _ when time c e = Static -> expected_value c e
  | _, Some (name, arguments) when List.mem_assoc name arithmetic && plain arguments <> None ->
    let terms, query, oracle =
      (* As the compiler does, from the last argument. *)
      List.fold_right
        (fun (_, e) (terms, query, oracle) ->
          let t, a, b = term c e in
          (t :: terms, before query a, before oracle b))
        arguments ([], unit, unit)
    in
    (Apply (List.assoc name arithmetic, terms), query, oracle)
  | _ -> query_value c e

(* Whether an expression is a constant. *)
let is_literal e =
  match e.pexp_desc with
  | Pexp_constant _ | Pexp_construct (_, None) | Pexp_variant (_, None) -> true
  | _ -> false

(* A statement that copies mutable values before the code runs; see copied_arguments.ml. *)
let copied_names names =
  let keep name = ignored (call (value (within harness "copied")) [ value (lident name) ]) in
  List.fold_left (fun all name -> before all (keep name)) unit (Set.elements names)

(* The term, query and oracle of the side of a comparison that the code received, as it was before:
   [f m = m].  None if code may change it otherwise. *)
let expected_mutable c e =
  let names = mutable_names c.g e in
  if not (Set.disjoint names c.g.escaped) then None
  else
    let t, _, oracle = expected_value c e in
    Some (t, copied_names names, oracle)

(* The piece of two values with the formula [make], each value queried or expected.  Raises
   In_process. *)
let compared c make a b =
  let one_sided query_side oracle_side ~left =
    match expected_mutable c oracle_side with
    | None -> raise (In_process "state that the code shares")
    | Some (t, kept, oracle) ->
      let q, query, more = term c query_side in
      let formula = if left then make q t else make t q in
      { formula; query = before kept query; oracle = before oracle more }
  in
  match (time c a, time c b) with
  | Dynamic, Mutable -> one_sided a b ~left:true
  | Mutable, Dynamic -> one_sided b a ~left:false
  | Mutable, Mutable -> raise (In_process "state that the code shares")
  | Dynamic, Dynamic
    when not (Names.Map.mem "" c.terms) && Names.Map.is_empty c.terms ->
    raise (In_process "both sides come from the code")
  | Static, Static ->
    (* Values of the tests are sent by the query, as the code could have changed them. *)
    let a_query = not (is_literal a) in
    let tb, query_b, oracle_b = (if a_query then expected_value else query_value) c b in
    let ta, query_a, oracle_a = (if a_query then query_value else expected_value) c a in
    { formula = make ta tb; query = before query_b query_a; oracle = before oracle_b oracle_a }
  | _ ->
    let tb, query_b, oracle_b = term c b in
    let ta, query_a, oracle_a = term c a in
    { formula = make ta tb; query = before query_b query_a; oracle = before oracle_b oracle_a }

(* The library's comparing operators. *)
let operators = [ "="; "<>"; "<"; ">"; "<="; ">=" ]

(* The library's functions that are [=] at one type. *)
let equalities =
  [ "String.equal"; "Int.equal"; "Bool.equal"; "Char.equal"; "Int64.equal"; "Int32.equal" ]

(* The library's functions that are [compare]. *)
let comparing = [ "compare"; "String.compare"; "Int.compare"; "Char.compare"; "Float.compare" ]

(* The value of [true] or [false]; None for other expressions. *)
let boolean_literal e =
  if is_constructor "true" e then Some true
  else if is_constructor "false" e then Some false
  else None
