(* Turns each assertion in statement position into a numbered check.  That divides the credit, which
   the run of the tests as they were written (as_written.py) does not. *)

open Parsetree
open Ast_helper
open Syntax

(* What a check is: one assertion, a statement that asserts, one that is a check of printed text
   only, a definition that asserts, or a suite's case. *)
type kind = Assertion | Statement | Printing | Definition | Case

(* [state]: the tests' mutable values that it leads to.  [perhaps]: an assertion that calls the code,
   but not whenever it is evaluated. *)
type check = {
  loc : Location.t;
  source : string;
  kind : kind;
  state : Names.Set.t;
  perhaps : bool;
}

type state = {
  text : string;
  mutable checks : check list;  (* newest first *)
  mutable items : int;
  mutable asserting : string list;  (* the tests' own values, classes and modules that assert *)
  mutable unchecked_call : Location.t option;  (* after the last check *)
  mutable unjudged : Location.t option;  (* what runs and is no check any more *)
  mutable met : int;  (* candidate checks so far *)
  idle : int list;  (* candidates that can never fail *)
  constant : int list;  (* those of [idle] that do not depend on the code *)
  prints : bool;  (* statements that only print are checks, too *)
  uses : Names.t;  (* what tests take from the code *)
  is_library : string -> bool;  (* a value or module of the library, by its name *)
  once : (string * (pattern * expression)) list;  (* functions called exactly once *)
  lists : (string * expression list) list;  (* literal lists, named once in the file *)
  mentions : string -> int;
  state_of : Names.Set.t -> Names.Set.t;  (* the tests' mutable values that these lead to *)
  leading_to : Names.Set.t -> string list;  (* the tests' values that lead to some of these *)
}

(* The part of a text at a location, "" if there is none. *)
let excerpt_of text (loc : Location.t) =
  let from = loc.loc_start.pos_cnum and upto = loc.loc_end.pos_cnum in
  if loc.loc_ghost || from < 0 || upto > String.length text || upto <= from then ""
  else String.sub text from (upto - from)

(* At most so many, as in sizes.py. *)
let most_checks = 5_000

(* Raises Unsupported if this number of checks is too large. *)
let require_few count loc =
  if count > most_checks then
    raise (Unsupported (line_of loc, Printf.sprintf "more than %d checks" most_checks))

(* Raises Unsupported early if there are too many. *)
let require_few_assertions items =
  let count = ref 0 in
  let expr e =
    match e.pexp_desc with
    | Pexp_assert _ -> incr count; require_few !count e.pexp_loc
    | _ -> ()
  in
  Visit.(in_structure items (each ~expr ()))

(* Adds a check and returns its number.  Raises Unsupported if there are too many. *)
let number ?(perhaps = false) st kind items (loc : Location.t) =
  let index = List.length st.checks in
  require_few (index + 1) loc;
  let source = excerpt_of st.text loc in
  let state = st.state_of (Free_names.names items).Names.values in
  st.checks <- { loc; source; kind; state; perhaps } :: st.checks;
  st.unchecked_call <- None;
  index

(* The statements one after the other. *)
let sequence = function
  | [] -> unit
  | first :: rest -> List.fold_left (fun a b -> Exp.sequence a b) first rest

(* Whether items name anything other than the library's. *)
let calls st items =
  Names.Set.exists
    (fun name -> not (st.is_library name))
    (Names.values_and_modules (Free_names.names ~types:false items))

(* Whether an expression is a function of the code. *)
let is_of_code st f =
  match f.pexp_desc with
  | Pexp_ident { txt; _ } -> (
    match Path_compat.components txt with
    | [ name ] -> Names.Set.mem name st.uses.Names.values
    | root :: _ -> Names.Set.mem root st.uses.Names.modules
    | [] -> false)
  | _ -> false

(* Whether an expression calls the code whenever it is evaluated, as far as its text tells.
   (ocaml/ocaml testsuite/tests/lib-list/test.ml) *)
let rec surely_calls st e =
  let surely = surely_calls st in
  match e.pexp_desc with
  | Pexp_apply (f, (_, first) :: _) when is_named [ "&&"; "||"; "&"; "or" ] f -> surely first
  | Pexp_apply (f, arguments) ->
    is_of_code st f || surely f || List.exists (fun (_, a) -> surely a) arguments
  | Pexp_let (_, bindings, body) ->
    List.exists (fun b -> surely b.pvb_expr) bindings || surely body
  | Pexp_sequence (a, b) -> surely a || surely b
  | Pexp_ifthenelse (over, _, _) | Pexp_match (over, _) -> surely over
  | Pexp_constraint (e, _) | Pexp_field (e, _) | Pexp_construct (_, Some e)
  | Pexp_variant (_, Some e) ->
    surely e
  | Pexp_tuple _ -> List.exists surely (Path_compat.tuple e)
  | _ -> false

(* Whether an expression calls the code, but not whenever it is evaluated. *)
let perhaps_calls st e =
  let calls e = match e.pexp_desc with Pexp_apply (f, _) -> is_of_code st f | _ -> false in
  exists calls e && not (surely_calls st e)

(* Makes a candidate check one with [make], or keeps it with [otherwise] if it is known that it
   cannot fail. (ocaml/ocaml.org data/exercises/003_nth_element.md) *)
let unless_idle st otherwise make =
  let place = st.met in
  st.met <- place + 1;
  if not (List.mem place st.idle) then make ()
  else begin
    let unjudged = st.unjudged in
    let left = otherwise () in
    if List.mem place st.constant then st.unjudged <- unjudged;
    left
  end

(* Notes what runs and is no check. *)
let leave st loc =
  st.unchecked_call <- Some loc;
  if st.unjudged = None then st.unjudged <- Some loc

(* Keeps a statement as it is; notes it if it calls the code. *)
let left st e = if calls st [ Str.eval e ] then leave st e.pexp_loc; e

(* A check that a condition is true. (anwarmamat/cmsc330spring2024 examples/lambda/src/lambda.ml) *)
let boolean st loc condition =
  unless_idle st
    (fun () -> left st (Exp.assert_ ~loc condition))
    (fun () ->
      let perhaps = perhaps_calls st condition in
      let index = number ~perhaps st Assertion [ Str.eval condition ] loc in
      call ~loc (value (within harness "check")) [ int index; thunk condition ])

(* Notes that what shares state with an asserting statement may assert: the statement may only put
   its assertion into a list, which a later one runs.
   (kappelmann/eidi2_repetitorium_tum
   additional_exercises/2016_17/Blatt 7 Lösungen/ocaml/ha7_test.ml) *)
let note_registered st e =
  let state = st.state_of (Free_names.names [ Str.eval e ]).Names.values in
  st.asserting <- st.leading_to state @ st.asserting

(* A check that a statement returns.
   (janestreet/learn-ocaml-workshop 02-exercises/04-call_functions/problem.ml) *)
let statement_check ?at ?(kind = Statement) st e =
  let loc = match at with Some loc -> loc | None -> e.pexp_loc in
  if kind = Statement then note_registered st e;
  unless_idle st
    (fun () -> left st { (ignored e) with pexp_loc = loc })
    (fun () ->
      let index = number st kind [ Str.eval e ] loc in
      let dropped = call ~loc:e.pexp_loc (value (within harness "drop")) [ e ] in
      call ~loc:e.pexp_loc (value (within harness "run")) [ int index; thunk dropped ])

(* Notes the names of functions and objects that assert.
   (sauravbhattacharya001/Ocaml-sample-code test_crdt.ml) *)
let note_asserting st bindings =
  List.iter
    (fun b ->
      if judges st.asserting b.pvb_expr then
        st.asserting <- Names.Set.elements (Names.pattern_names b.pvb_pat) @ st.asserting)
    bindings

(* Whether a module asserts, or defines what does. *)
let module_judges st m = judged st.asserting (Visit.in_module m)

(* Whether evaluating a module asserts. *)
let module_asserts st m =
  judged ~now:true ~raises:false st.asserting (Visit.in_module m)

(* Whether an expression is the library's value of a path, such as [List.iter], not another of that
   name. *)
let is_library st path e =
  match e.pexp_desc with
  | Pexp_ident { txt; _ } ->
    let components = Path_compat.components txt in
    (components = path || components = "Stdlib" :: path) && st.is_library (List.hd components)
  | _ -> false

(* Turns each assertion in statement position into a check.  [tail]: nothing follows in the item.
   (kirang89/ocamler-grpo eval/ocaml_tests_sample.csv) *)
let rec statement ?(tail = true) st e =
  match e.pexp_desc with
  | Pexp_assert condition -> boolean st e.pexp_loc condition
  | Pexp_apply
      ( { pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ },
        [ (Asttypes.Nolabel, argument) ] )
    when List.mem_assoc name st.once ->
    let pattern, body = List.assoc name st.once in
    Exp.let_ ~loc:e.pexp_loc Asttypes.Nonrecursive [ Vb.mk pattern argument ]
      (statement ~tail st body)
  | Pexp_let (recursive, bindings, body) ->
    note_asserting st bindings;
    if judges st.asserting body then
      { e with pexp_desc = Pexp_let (recursive, bindings, statement ~tail st body) }
    else if judges st.asserting e then statement_check st e
    else returning ~tail st e
  | _ when not (judges st.asserting e) -> returning ~tail st e
  | Pexp_sequence (a, b) ->
    let a = statement ~tail:(tail && is_constructor "()" b) st a in
    { e with pexp_desc = Pexp_sequence (a, statement ~tail st b) }
  (* The type of a packed module is kept with it.  No real tests have one here; without its type
     nothing would compile. *)
  | Pexp_constraint ({ pexp_desc = Pexp_pack _; _ }, _) -> statement_check st e
  | Pexp_constraint (body, t) ->
    { e with pexp_desc = Pexp_constraint (statement ~tail st body, t) }
  | Pexp_apply (iter, [ (Asttypes.Nolabel, f); (Asttypes.Nolabel, over) ])
    when is_library st [ "List"; "iter" ] iter ->
    over_elements st e f over
  | Pexp_apply
      ( pipe,
        [ (_, over);
          (_, { pexp_desc = Pexp_apply (iter, [ (Asttypes.Nolabel, f) ]); _ }) ] )
    when is_library st [ "|>" ] pipe && is_library st [ "List"; "iter" ] iter ->
    over_elements st e f over
  | _ -> (
    match Scope_compat.local e with
    | Some ((Open { popen_expr = m; _ } | Module (_, m)), _) when module_judges st m ->
      statement_check st e
    | Some (_, body) -> Scope_compat.with_body e (statement ~tail st body)
    | None -> statement_check st e)

(* A statement without an assertion: a check if it prints, else noted if it calls the code. *)
and returning ~tail st e =
  if not (calls st [ Str.eval e ]) then e
  else if st.prints then statement_check ~kind:Printing st e
  else begin
    if tail then st.unchecked_call <- Some e.pexp_loc;
    e
  end

(* One check for each element of a literal list to which [List.iter f] is applied, or one for all.
   (ocaml/Zarith tests/zq.ml) *)
and over_elements st e f over =
  match elements st over with
  | Some elements ->
    sequence
      (List.map (fun (at, element) -> statement_check ~at st (call f [ element ])) elements)
  | None -> statement_check st e

(* The elements of a literal list, here or named at the top level, with locations.
   (ocaml/Zarith tests/zq.ml) *)
and elements st over =
  match (literal_list over, over.pexp_desc) with
  | Some elements, _ -> Some (List.map (fun e -> (e.pexp_loc, e)) elements)
  | None, Pexp_ident { txt = Longident.Lident name; _ } when List.mem_assoc name st.lists ->
    let nth i =
      let list = Path_compat.dot (Longident.Lident pristine) "List" in
      call (value (nowhere (Path_compat.dot list "nth")))
        [ over; int i ]
    in
    Some (List.mapi (fun i e -> (e.pexp_loc, nth i)) (List.assoc name st.lists))
  | _ -> None

(* The statement in a guard, which reports if it raises.  If it ends with a call, the next check
   fails with it; a check of its own would pass for anything that returns.
   (sauravbhattacharya001/Ocaml-sample-code test_lru_cache.ml) *)
let guard st loc make =
  let first = List.length st.checks and earlier = st.unchecked_call in
  st.unchecked_call <- None;
  let body = make () in
  let behind = List.length st.checks in
  let last = if st.unchecked_call = None then behind - 1 else behind in
  if behind = first && st.unchecked_call = None then st.unchecked_call <- earlier;
  let item = st.items in
  st.items <- item + 1;
  call ~loc
    (value (within harness "guard"))
    [ int item; int first; int last; thunk (ignored body) ]

(* The binding so that it reports if its evaluation raises.  Only applications are wrapped: wrapping
   other values would make them less general.
   (kappelmann/eidi2_repetitorium_tum
   2017/ocaml/data_structures/case_example_stack/List_Stack.ml) *)
let definition binding =
  match binding.pvb_expr.pexp_desc with
  | Pexp_apply _ ->
    { binding with
      pvb_expr =
        call ~loc:binding.pvb_expr.pexp_loc (value (within harness "setup"))
          [ thunk binding.pvb_expr ] }
  | _ -> binding

(* Whether a pattern is [()] or [_], with or without a type. *)
let is_unit_pattern p =
  match p.ppat_desc with
  | Ppat_any | Ppat_construct ({ txt = Longident.Lident "()"; _ }, None) -> true
  | Ppat_constraint ({ ppat_desc = Ppat_any | Ppat_construct _; _ }, _) -> true
  | _ -> false

(* Whether an expression evidently returns [()]. *)
let rec yields_unit e =
  match e.pexp_desc with
  | Pexp_assert _ -> true
  | Pexp_sequence (_, e) | Pexp_let (_, _, e) -> yields_unit e
  | _ -> (
    match Scope_compat.local e with
    | Some ((Open _ | Module _), body) -> yields_unit body
    | _ -> is_constructor "()" e)

(* Whether an expression builds a structure, like a list of test functions, or is a function.
   (igorpo/CIS341 hw5/gradedtests.ml) *)
let rec builds_value e =
  match e.pexp_desc with
  | Pexp_construct (_, Some _) | Pexp_tuple _ | Pexp_record _ | Pexp_array _ | Pexp_object _ ->
    true
  | Pexp_let (_, _, e) | Pexp_constraint (e, _) -> builds_value e
  | _ -> (
    match Scope_compat.local e with
    | Some (Open _, body) -> builds_value body
    | _ -> Function_compat.is_function e)

(* Whether a binding only asserts, such as MultiPL-E's [let assertions = ...]: its value is not used
   elsewhere, nor built like a list of test functions.
   (nuprl/MultiPL-E prompts/humaneval-ml-reworded.jsonl) *)
let only_asserts st b =
  judges st.asserting b.pvb_expr
  && (not (builds_value b.pvb_expr))
  && (yields_unit b.pvb_expr
      || match variable b.pvb_pat with Some name -> st.mentions name = 0 | None -> false)

(* One check around an item that asserts in another way.
   (kappelmann/eidi2_repetitorium_tum
   2017/ocaml/data_structures/case_example_stack/List_Stack.ml) *)
let bracketed st (loc : Location.t) items =
  unless_idle st
    (fun () -> if calls st items then leave st loc; items)
    (fun () ->
      let index = int (number st Definition items loc) in
      let mark name = do_ ~loc (call ~loc (value (within harness name)) [ index ]) in
      (mark "begins" :: items) @ [ mark "ends" ])

(* Whether an expression is a comparison by the library's operators, whose operands may not type.
   No real tests have one that does not; it would be lost in silence. *)
let is_boolean st e =
  is_comparison e
  && match e.pexp_desc with
     | Pexp_apply (f, _) -> List.exists (fun name -> is_library st [ name ] f) comparisons
     | _ -> false

(* A statement in a guard, with its checks. *)
let evaluated st loc e =
  guard st loc (fun () ->
      if is_boolean st e && calls st [ Str.eval e ] then boolean st e.pexp_loc e
      else statement st e)

(* Whether an expression is a function, constant, name or lazy value, so that its evaluation does
   nothing. *)
let is_value e =
  Function_compat.is_function e
  || match e.pexp_desc with Pexp_constant _ | Pexp_ident _ | Pexp_lazy _ -> true | _ -> false

(* Whether a definition does more than define functions. *)
let acts b =
  let does e =
    match e.pexp_desc with
    | Pexp_apply _ | Pexp_assert _ | Pexp_new _ | Pexp_send _ | Pexp_letop _ -> true
    | _ -> false
  in
  somewhere ~now:(not (is_refutable b.pvb_pat)) does (fun it -> it.value_binding it b)

(* The items of a definition, in one check if it asserts at once.
   (kappelmann/eidi2_repetitorium_tum
   2017/ocaml/data_structures/case_example_stack/List_Stack.ml) *)
let definitions st i recursive bindings =
  if recursive = Asttypes.Recursive then note_asserting st bindings;
  let asserts ~now b = judged ~now ~raises:false st.asserting (fun it -> it.value_binding it b) in
  let items =
    if recursive = Asttypes.Nonrecursive then
      [ Str.value ~loc:i.pstr_loc recursive (List.map definition bindings) ]
    else [ i ]
  in
  (* A refutable pattern may force its value, and may itself assert. *)
  let asserts b =
    (acts b && asserts ~now:(not (is_refutable b.pvb_pat)) b)
    || asserts_by_pattern b.pvb_pat
  in
  let here = List.exists asserts bindings in
  note_asserting st bindings;
  if here then bracketed st i.pstr_loc items
  else begin
    let waits b =
      (is_refutable b.pvb_pat || not (is_value b.pvb_expr)) && calls st [ Str.eval b.pvb_expr ]
    in
    if List.exists waits bindings then st.unchecked_call <- Some i.pstr_loc;
    items
  end

(* Notes the name of a module that asserts. *)
let note_module st name judges =
  match name with
  | Some name when judges -> st.asserting <- name :: st.asserting
  | _ -> ()

(* The item with its assertions as numbered checks.  An item that asserts in another way is one
   check; a statement that ends with a call fails the next check if it raises.
   (PoorlyDefinedBehaviour/cs3110 using_functors/using_functors.ml) *)
let rec item st i =
  match i.pstr_desc with
  | Pstr_value (Asttypes.Nonrecursive, [ b ])
    when is_unit_pattern b.pvb_pat && not (Function_compat.is_function b.pvb_expr) ->
    [ do_ ~loc:i.pstr_loc (evaluated st b.pvb_loc b.pvb_expr) ]
  | Pstr_value (Asttypes.Nonrecursive, [ b ]) when only_asserts st b ->
    let body = guard st b.pvb_loc (fun () -> statement st b.pvb_expr) in
    [ Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ { b with pvb_expr = body } ] ]
  | Pstr_value (recursive, bindings) -> definitions st i recursive bindings
  | Pstr_eval (e, _) -> [ do_ ~loc:i.pstr_loc (evaluated st i.pstr_loc e) ]
  | Pstr_extension (({ txt; loc }, _), _) ->
    raise (Unsupported (line_of loc, Printf.sprintf "the extension [%%%%%s]" txt))
  | Pstr_recmodule bindings ->
    let now = List.exists (fun b -> module_asserts st b.pmb_expr) bindings in
    List.iter
      (fun b -> note_module st b.pmb_name.txt (module_judges st b.pmb_expr))
      bindings;
    one st i now
  | Pstr_class classes ->
    let judges c = judged st.asserting (fun it -> it.class_declaration it c) in
    (* No real tests have such a class; without a check what it asserts would be lost. *)
    let binds c = match c.pci_expr.pcl_desc with Pcl_let _ -> judges c | _ -> false in
    let now = List.exists binds classes in
    List.iter (fun c -> note_module st (Some c.pci_name.txt) (judges c)) classes;
    one st i now
  | _ -> (
    match module_of_item i with
    | None -> [ i ]
    | Some (m, with_module) -> (
      match inside st m with
      | Some m -> [ with_module m ]
      | None ->
        let now = module_asserts st m in
        (match i.pstr_desc with
         | Pstr_module b -> note_module st b.pmb_name.txt (module_judges st m)
         | _ -> ());
        one st i now))

(* The item itself, as one check if it asserts.
   (TakaiKinoko/Cornell_CS3110_OCaml Chap5_Modules/07functor/2stackTester.ml) *)
and one st i judges = if judges then bracketed st i.pstr_loc [ i ] else [ i ]

(* The module with the assertions of its structure as checks; None if it is not written out. *)
and inside st m =
  match m.pmod_desc with
  | Pmod_structure items ->
    Some { m with pmod_desc = Pmod_structure (List.concat_map (item st) items) }
  | Pmod_constraint (m', s) ->
    Option.map (fun m' -> { m with pmod_desc = Pmod_constraint (m', s) }) (inside st m')
  | _ -> None

(* What the checks do not judge, so that the tests have to be run as they were written: what runs
   and is no check, or a call or definition behind the last check.
   (sauravbhattacharya001/Ocaml-sample-code lambda.ml) *)
let unjudged st = if st.unjudged <> None then st.unjudged else st.unchecked_call
