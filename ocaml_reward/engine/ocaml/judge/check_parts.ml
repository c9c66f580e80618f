(* Splits a check into a query, an oracle and a formula. Query and oracle are expressions of
   type unit that send one value after the other, with the tests' bindings around them that they
   need. *)

open Parsetree
open Ast_helper
open Syntax
open Formula
open Binding_time
module Set = Names.Set

(* Why a check has to be decided beside the code. *)
exception In_process of string

(* What is applied to values where no code is: nothing, predicates of the tests' own, or also what
   is said more than once of a value with a name. *)
type applies = Nothing | Predicates | Names

(* What is known where an expression stands. *)
type context = {
  g : Binding_time.t;
  terms : Formula.term Names.Map.t;  (* arguments of an exception, by their names *)
  slots : int ref * int ref;  (* how many values are query, and oracle *)
  depth : int;
  ounit : bool;
  applies : applies;
  whole : bool;  (* values are send out at any length: they are put in order *)
}

(* What is said, with the expressions that query_value and expected_value. *)
type piece = { formula : Formula.t; query : expression; oracle : expression }

(* Is there nothing to query_value or to expected_value? *)
let is_unit e = is_constructor "()" e

(* One after the other, where there is anything. *)
let before a b = if is_unit a then b else if is_unit b then a else Exp.sequence a b

(* Two pieces, the first before the second. *)
let joined make a b =
  { formula = make a.formula b.formula; query = before a.query b.query; oracle = before a.oracle b.oracle }

(* Says that it holds, or does not, and asks nothing. *)
let always holds = { formula = Always holds; query = unit; oracle = unit }

(* The number that a counter is at, which grows. *)
let next counter =
  let number = !counter in
  incr counter;
  number

(* Hands out a value under this number, at any length where it is [whole]. *)
let send ?(whole = false) number e =
  let how = if whole then "send_whole_value" else "send_value" in
  call ~loc:e.pexp_loc (value (within harness how)) [ int number; thunk e ]

(* Words that judge by themselves, and would do so in the code's process. *)
let ounit_assertions =
  [ "assert_equal"; "assert_bool"; "assert_raises"; "assert_failure"; "assert_string";
    "skip_if"; "todo"; "non_fatal"; "bracket"; "exit" ]

let asserts c =
  exists (fun e ->
      match e.pexp_desc with
      | Pexp_assert _ -> true
      | _ -> c.ounit && is_named ounit_assertions e)

(* Asks for a value: the term, what asks, what tells. Raises In_process. *)
let query_value c e =
  if Names.Map.exists (fun name _ -> mentions name e) c.terms then
    raise (In_process "what an exception carries");
  if asserts c e then raise (In_process "an assertion that the code may call");
  let number = next (fst c.slots) in
  (Returned number, send ~whole:c.whole number e, unit)

(* At any length: it is looked into again. *)
let query_whole_value c e =
  match query_value { c with whole = true } e with
  | Returned number, query, _ -> (number, query)
  | _ -> raise (In_process "what an exception carries")

(* Tells a value: likewise. *)
let expected_value c e =
  let number = next (snd c.slots) in
  (Expected number, unit, send ~whole:c.whole number e)

(* When an expression can be evaluated. *)
let time c e = of_expression c.g e

(* What is known behind a statement. *)
let after_statement c e = if time c e = Static then c else { c with g = after_mutation c.g }

(* What is query is query whatever the code has answered before. That would be another question
   where only the first part formula whether the second makes sense: where this is about a value that
   the code has returned, or calls what the first has called. Raises In_process there. *)
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
    raise (In_process "whether its second part is require_unconditional is seen while the tests run")

(* Arithmetic that the judge does itself: what it is done with has left the process. *)
let arithmetic =
  [ ("-.", "-."); ("+.", "+."); ("*.", "*."); ("/.", "/."); ("~-.", "~-."); ("abs_float", "abs.");
    ("-", "-"); ("+", "+"); ("~-", "~-"); ("abs", "abs"); ("Float.abs", "abs.");
    ("Int.abs", "abs") ]

(* A name of the standard library's by its path, where nothing stands in its way. *)
let standard c path =
  match Path_compat.components path with
  | [ name ] when (not (Names.Map.mem name c.g.times)) && not (Set.mem name c.g.code_values) -> Some name
  | [ "Stdlib"; name ] -> Some name
  | [ m; name ] | [ "Stdlib"; m; name ] when not (is_dynamic_module c.g m) -> Some (m ^ "." ^ name)
  | _ -> None

(* A call of one of the standard library's functions: its name, and the arguments. *)
let called c e =
  match e.pexp_desc with
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, arguments) ->
    Option.map (fun name -> (name, arguments)) (standard c txt)
  | _ -> None

let plain arguments =
  if List.for_all (fun (label, _) -> label = Asttypes.Nolabel) arguments then
    Some (List.map snd arguments)
  else None

let rec term c e =
  match (e.pexp_desc, called c e) with
  | Pexp_ident { txt = Longident.Lident name; _ }, _ when Names.Map.mem name c.terms ->
    (Names.Map.find name c.terms, unit, unit)
  | Pexp_constraint (e, _), _ when time c e = Dynamic -> term c e
  | _ when time c e = Static -> expected_value c e
  | _, Some (name, arguments) when List.mem_assoc name arithmetic && plain arguments <> None ->
    let terms, query, oracle =
      (* As the compiler does it, from the last argument on. *)
      List.fold_right
        (fun (_, e) (terms, query, oracle) ->
          let t, a, b = term c e in
          (t :: terms, before query a, before oracle b))
        arguments ([], unit, unit)
    in
    (Apply (List.assoc name arithmetic, terms), query, oracle)
  | _ -> query_value c e

(* Is an expression a constant, or a constructor alone? *)
let is_literal e =
  match e.pexp_desc with
  | Pexp_constant _ | Pexp_construct (_, None) | Pexp_variant (_, None) -> true
  | _ -> false

(* Keeps the content of what these names stand for, which the code may be send. *)
let copied_names names =
  let keep name = ignored (call (value (within harness "copied")) [ value (lident name) ]) in
  List.fold_left (fun all name -> before all (keep name)) unit (Set.elements names)

(* The side that tests have send to the code, as it was before: [f m = m]. *)
let expected_mutable c e =
  let names = mutable_names c.g e in
  if not (Set.disjoint names c.g.escaped) then None
  else
    let t, _, oracle = expected_value c e in
    Some (t, copied_names names, oracle)

(* Says something of two values, which are query for or oracle as they can be. Raises In_process. *)
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
    (* What the tests hold is looked at where the code could have changed it. *)
    let a_query = not (is_literal a) in
    let tb, query_b, oracle_b = (if a_query then expected_value else query_value) c b in
    let ta, query_a, oracle_a = (if a_query then query_value else expected_value) c a in
    { formula = make ta tb; query = before query_b query_a; oracle = before oracle_b oracle_a }
  | _ ->
    let tb, query_b, oracle_b = term c b in
    let ta, query_a, oracle_a = term c a in
    { formula = make ta tb; query = before query_b query_a; oracle = before oracle_b oracle_a }

(* Comparisons that are a boolean. *)
let operators = [ "="; "<>"; "<"; ">"; "<="; ">=" ]

(* Functions of the library that are [=] at one type. *)
let equalities =
  [ "String.equal"; "Int.equal"; "Bool.equal"; "Char.equal"; "Int64.equal"; "Int32.equal" ]

(* Functions that are [compare], at any type or at one. *)
let comparing = [ "compare"; "String.compare"; "Int.compare"; "Char.compare"; "Float.compare" ]

(* [true] or [false], where an expression is that. *)
let boolean_literal e =
  if is_constructor "true" e then Some true
  else if is_constructor "false" e then Some false
  else None
