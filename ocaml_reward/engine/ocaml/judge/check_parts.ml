(* Splits a check into a query, an oracle and a formula. Query and oracle are expressions of
   type unit that send one value after the other, with the tests' bindings around them that they
   need. *)

open Parsetree
open Ast_helper
open Syntax
open Judgement
open Binding_time
module Set = Names.Set

(* Why a check has to be decided beside the code. *)
exception Beside of string

(* What is applied to values where no code is: nothing, predicates of the tests' own, or also what
   is said more than once of a value with a name. *)
type applies = Nothing | Predicates | Names

(* What is known where an expression stands. *)
type context = {
  g : Binding_time.t;
  terms : Judgement.term Names.Map.t;  (* arguments of an exception, by their names *)
  slots : int ref * int ref;  (* how many values are asked, and told *)
  depth : int;
  ounit : bool;
  applies : applies;
  whole : bool;  (* values are handed out at any length: they are put in order *)
}

(* What is said, with the expressions that ask and tell. *)
type piece = { says : Judgement.t; asked : expression; told : expression }

(* Is there nothing to ask or to tell? *)
let is_unit e = is_constructor "()" e

(* One after the other, where there is anything. *)
let before a b = if is_unit a then b else if is_unit b then a else Exp.sequence a b

(* Two pieces, the first before the second. *)
let joined make a b =
  { says = make a.says b.says; asked = before a.asked b.asked; told = before a.told b.told }

(* Says that it holds, or does not, and asks nothing. *)
let always holds = { says = Always holds; asked = unit; told = unit }

(* The number that a counter is at, which grows. *)
let next counter =
  let number = !counter in
  incr counter;
  number

(* Hands out a value under this number, at any length where it is [whole]. *)
let handed ?(whole = false) number e =
  let how = if whole then "hand_out_whole" else "hand_out" in
  call ~loc:e.pexp_loc (value (within harness how)) [ int number; thunk e ]

(* Words that judge by themselves, and would do so in the code's process. *)
let judging_words =
  [ "assert_equal"; "assert_bool"; "assert_raises"; "assert_failure"; "assert_string";
    "skip_if"; "todo"; "non_fatal"; "bracket"; "exit" ]

let asserts c =
  exists (fun e ->
      match e.pexp_desc with
      | Pexp_assert _ -> true
      | _ -> c.ounit && is_named judging_words e)

(* Asks for a value: the term, what asks, what tells. Raises Beside. *)
let ask c e =
  if Names.Map.exists (fun name _ -> mentions name e) c.terms then
    raise (Beside "what an exception carries");
  if asserts c e then raise (Beside "an assertion that the code may call");
  let number = next (fst c.slots) in
  (Asked number, handed ~whole:c.whole number e, unit)

(* At any length: it is looked into again. *)
let ask_whole c e =
  match ask { c with whole = true } e with
  | Asked number, asked, _ -> (number, asked)
  | _ -> raise (Beside "what an exception carries")

(* Tells a value: likewise. *)
let tell c e =
  let number = next (snd c.slots) in
  (Told number, unit, handed ~whole:c.whole number e)

(* When an expression can be evaluated. *)
let time c e = of_expression c.g e

(* What is known behind a statement. *)
let behind c e = if time c e = Known then c else { c with g = stirred c.g }

(* What is asked is asked whatever the code has answered before. That would be another question
   where only the first part says whether the second makes sense: where this is about a value that
   the code has returned, or calls what the first has called. Raises Beside there. *)
let reached c first second =
  let text e = Format.asprintf "%a" Pprintast.expression e in
  let calls = ref [] in
  let called_by_code e =
    match e.pexp_desc with
    | Pexp_apply (f, _) ->
      is_codes c.g e || (time c f = Coded && not (Function_compat.is_function f))
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
      Names.Map.mem name c.g.times && time c e = Coded && not (Names.Map.mem name c.g.helpers)
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
    raise (Beside "whether its second part is reached is seen while the tests run")

(* Arithmetic that the judge does itself: what it is done with has left the process. *)
let arithmetic =
  [ ("-.", "-."); ("+.", "+."); ("*.", "*."); ("/.", "/."); ("~-.", "~-."); ("abs_float", "abs.");
    ("-", "-"); ("+", "+"); ("~-", "~-"); ("abs", "abs"); ("Float.abs", "abs.");
    ("Int.abs", "abs") ]

(* A name of the standard library's by its path, where nothing stands in its way. *)
let standard c path =
  match Path_compat.components path with
  | [ name ] when (not (Names.Map.mem name c.g.times)) && not (Set.mem name c.g.coded) -> Some name
  | [ "Stdlib"; name ] -> Some name
  | [ m; name ] | [ "Stdlib"; m; name ] when not (is_coded_module c.g m) -> Some (m ^ "." ^ name)
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
  | Pexp_constraint (e, _), _ when time c e = Coded -> term c e
  | _ when time c e = Known -> tell c e
  | _, Some (name, arguments) when List.mem_assoc name arithmetic && plain arguments <> None ->
    let terms, asked, told =
      (* As the compiler does it, from the last argument on. *)
      List.fold_right
        (fun (_, e) (terms, asked, told) ->
          let t, a, b = term c e in
          (t :: terms, before asked a, before told b))
        arguments ([], unit, unit)
    in
    (Apply (List.assoc name arithmetic, terms), asked, told)
  | _ -> ask c e

(* Is an expression a constant, or a constructor alone? *)
let is_literal e =
  match e.pexp_desc with
  | Pexp_constant _ | Pexp_construct (_, None) | Pexp_variant (_, None) -> true
  | _ -> false

(* Keeps the content of what these names stand for, which the code may be handed. *)
let kept_names names =
  let keep name = ignored (call (value (within harness "kept")) [ value (lident name) ]) in
  List.fold_left (fun all name -> before all (keep name)) unit (Set.elements names)

(* The side that tests have handed to the code, as it was before: [f m = m]. *)
let told_fresh c e =
  let names = fresh_names c.g e in
  if not (Set.disjoint names c.g.disturbed) then None
  else
    let t, _, told = tell c e in
    Some (t, kept_names names, told)

(* Says something of two values, which are asked for or told as they can be. Raises Beside. *)
let compared c make a b =
  let one_sided asked_side told_side ~left =
    match told_fresh c told_side with
    | None -> raise (Beside "state that the code shares")
    | Some (t, kept, told) ->
      let q, asked, more = term c asked_side in
      let says = if left then make q t else make t q in
      { says; asked = before kept asked; told = before told more }
  in
  match (time c a, time c b) with
  | Coded, Fresh -> one_sided a b ~left:true
  | Fresh, Coded -> one_sided b a ~left:false
  | Fresh, Fresh -> raise (Beside "state that the code shares")
  | Coded, Coded
    when not (Names.Map.mem "" c.terms) && Names.Map.is_empty c.terms ->
    raise (Beside "both sides come from the code")
  | Known, Known ->
    (* What the tests hold is looked at where the code could have changed it. *)
    let a_asked = not (is_literal a) in
    let tb, asked_b, told_b = (if a_asked then tell else ask) c b in
    let ta, asked_a, told_a = (if a_asked then ask else tell) c a in
    { says = make ta tb; asked = before asked_b asked_a; told = before told_b told_a }
  | _ ->
    let tb, asked_b, told_b = term c b in
    let ta, asked_a, told_a = term c a in
    { says = make ta tb; asked = before asked_b asked_a; told = before told_b told_a }

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
