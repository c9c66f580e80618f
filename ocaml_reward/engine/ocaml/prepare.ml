(* Rewrites a problem's tests, once, into numbered checks.

   The result is a compilation unit of its own.  It sees the code through [open!], then
   the pristine standard library on top of it, so that nothing the code shadows reaches
   an assertion; only names the problem itself asks for are taken back from the code.
   Module names that start with '*' cannot be written in source: the code cannot define
   or shadow them. *)

open Parsetree
open Ast_helper

exception Unsupported of int * string

type check = { line : int; source : string }

type t = {
  structure : structure;
  checks : check list;
  dynamic : bool;  (* the number of checks is only known by running the tests *)
  uses : string list;
}

let harness = "*harness"
let pristine = "*pristine"
let solution = "*solution"
let ounit = "*ounit"
let nowhere txt = Location.mknoloc txt
let lident name = nowhere (Longident.Lident name)
let within m name = nowhere (Compat.dot (Longident.Lident m) name)
let value ?loc path = Exp.ident ?loc path
let call ?loc f arguments =
  Exp.apply ?loc f (List.map (fun a -> (Asttypes.Nolabel, a)) arguments)

let int n = Exp.constant (Const.int n)
let thunk body = Compat.lambda (Pat.any ()) body
let ignored e = call (value (within pristine "ignore")) [ e ]
let unit_pattern () = Pat.construct (lident "()") None
let line_of (loc : Location.t) = loc.loc_start.pos_lnum

let last_name path = try Longident.last path with Misc.Fatal_error -> ""

let frameworks =
  [ "Alcotest"; "QCheck"; "QCheck2"; "Crowbar"; "OUnit"; "Expect_test_helpers"; "Testing" ]

(* Does any sub-expression satisfy [holds]? *)
let exists holds e =
  let default = Ast_iterator.default_iterator in
  let found = ref false in
  let expr self e =
    if not !found then if holds e then found := true else default.expr self e
  in
  let iterator = { default with expr } in
  iterator.expr iterator e;
  !found

let is_named names e =
  match e.pexp_desc with
  | Pexp_ident { txt; _ } -> List.mem (last_name txt) names
  | _ -> false

let raising = [ "failwith"; "raise"; "raise_notrace"; "invalid_arg"; "exit" ]

(* An expression that judges: it asserts, or calls a function that does. *)
let judges asserting e =
  exists
    (fun e ->
      match e.pexp_desc with
      | Pexp_assert _ -> true
      | _ -> is_named raising e || is_named asserting e)
    e

let comparisons =
  [ "="; "<>"; "=="; "!="; "<"; ">"; "<="; ">="; "not"; "&&"; "||" ]

let is_comparison e =
  match e.pexp_desc with Pexp_apply (f, _) -> is_named comparisons f | _ -> false

let rec literal_list e =
  match e.pexp_desc with
  | Pexp_construct ({ txt = Longident.Lident "[]"; _ }, None) -> Some []
  | Pexp_construct
      ( { txt = Longident.Lident "::"; _ },
        Some { pexp_desc = Pexp_tuple [ head; tail ]; _ } ) ->
    Option.map (fun rest -> head :: rest) (literal_list tail)
  | Pexp_constraint (e, _) -> literal_list e
  | _ -> None

type state = {
  text : string;
  mutable checks : check list;  (* newest first *)
  mutable items : int;
  mutable asserting : string list;
  once : (string * expression) list;  (* unit functions called exactly once: their bodies *)
  lists : (string * expression list) list;  (* top-level literal lists *)
}

let excerpt st (loc : Location.t) =
  let from = loc.loc_start.pos_cnum and upto = loc.loc_end.pos_cnum in
  if loc.loc_ghost || from < 0 || upto > String.length st.text || upto <= from then ""
  else String.sub st.text from (upto - from)

let number ?source st (loc : Location.t) =
  let index = List.length st.checks in
  let source = match source with Some s -> s | None -> excerpt st loc in
  st.checks <- { line = line_of loc; source } :: st.checks;
  index

let boolean st loc condition =
  let index = number st loc in
  call ~loc (value (within harness "check")) [ int index; thunk condition ]

let statement_check ?at st e =
  let loc = match at with Some loc -> loc | None -> e.pexp_loc in
  let index = number st loc in
  call ~loc:e.pexp_loc (value (within harness "run")) [ int index; thunk (ignored e) ]

let sequence = function
  | [] -> Exp.construct (lident "()") None
  | first :: rest -> List.fold_left (fun a b -> Exp.sequence a b) first rest

(* A statement with each assertion in statement position turned into a check. *)
let rec statement st e =
  match e.pexp_desc with
  | Pexp_assert condition -> boolean st e.pexp_loc condition
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ }, [ _ ])
    when List.mem_assoc name st.once ->
    statement st (List.assoc name st.once)
  | _ when not (judges st.asserting e) -> e
  | Pexp_sequence (a, b) ->
    let a = statement st a in
    { e with pexp_desc = Pexp_sequence (a, statement st b) }
  | Pexp_let (recursive, bindings, body) when judges st.asserting body ->
    { e with pexp_desc = Pexp_let (recursive, bindings, statement st body) }
  | Pexp_open (o, body) -> { e with pexp_desc = Pexp_open (o, statement st body) }
  | Pexp_letmodule (name, m, body) ->
    { e with pexp_desc = Pexp_letmodule (name, m, statement st body) }
  | Pexp_letexception (c, body) ->
    { e with pexp_desc = Pexp_letexception (c, statement st body) }
  | Pexp_constraint (body, t) -> { e with pexp_desc = Pexp_constraint (statement st body, t) }
  | Pexp_apply (iter, [ (Asttypes.Nolabel, f); (Asttypes.Nolabel, over) ])
    when is_named [ "iter" ] iter -> (
    match elements st over with
    | Some elements ->
      sequence (List.map (fun (at, element) -> statement_check ~at st (call f [ element ])) elements)
    | None -> statement_check st e)
  | _ -> statement_check st e

(* The elements of a list written out in the tests, here or at the top level. *)
and elements st over =
  match (literal_list over, over.pexp_desc) with
  | Some elements, _ -> Some (List.map (fun e -> (e.pexp_loc, e)) elements)
  | None, Pexp_ident { txt = Longident.Lident name; _ } when List.mem_assoc name st.lists ->
    let nth i =
      call (value (nowhere (Compat.dot (Compat.dot (Longident.Lident pristine) "List") "nth")))
        [ over; int i ]
    in
    Some (List.mapi (fun i e -> (e.pexp_loc, nth i)) (List.assoc name st.lists))
  | _ -> None

let guard st loc make =
  let first = List.length st.checks in
  let body = make () in
  let last = List.length st.checks - 1 in
  let item = st.items in
  st.items <- item + 1;
  call ~loc
    (value (within harness "guard"))
    [ int item; int first; int last; thunk (ignored body) ]

(* A definition evaluated by the tests: reported if it raises.  Only an application is
   wrapped: everything else is a value already, and wrapping would lose its generality. *)
let definition binding =
  match binding.pvb_expr.pexp_desc with
  | Pexp_apply _ ->
    { binding with
      pvb_expr =
        call ~loc:binding.pvb_expr.pexp_loc (value (within harness "setup"))
          [ thunk binding.pvb_expr ] }
  | _ -> binding

let is_unit_pattern p =
  match p.ppat_desc with
  | Ppat_any | Ppat_construct ({ txt = Longident.Lident "()"; _ }, None) -> true
  | Ppat_constraint ({ ppat_desc = Ppat_any | Ppat_construct _; _ }, _) -> true
  | _ -> false

let variable p =
  match p.ppat_desc with
  | Ppat_var { txt; _ } | Ppat_constraint ({ ppat_desc = Ppat_var { txt; _ }; _ }, _) ->
    Some txt
  | _ -> None

let rec item st i =
  match i.pstr_desc with
  | Pstr_value (Asttypes.Nonrecursive, [ b ])
    when is_unit_pattern b.pvb_pat && not (Compat.is_function b.pvb_expr) ->
    let body = guard st b.pvb_loc (fun () -> statement st b.pvb_expr) in
    [ Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ Vb.mk (unit_pattern ()) body ] ]
  | Pstr_value (Asttypes.Nonrecursive, [ b ])
    when (not (Compat.is_function b.pvb_expr)) && judges st.asserting b.pvb_expr ->
    let body = guard st b.pvb_loc (fun () -> statement st b.pvb_expr) in
    [ Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ { b with pvb_expr = body } ] ]
  | Pstr_value (recursive, bindings) ->
    List.iter
      (fun b ->
        match variable b.pvb_pat with
        | Some name when judges st.asserting b.pvb_expr -> st.asserting <- name :: st.asserting
        | _ -> ())
      bindings;
    if recursive = Asttypes.Nonrecursive then
      [ Str.value ~loc:i.pstr_loc recursive (List.map definition bindings) ]
    else [ i ]
  | Pstr_eval (e, _) ->
    let body =
      guard st i.pstr_loc (fun () ->
          if is_comparison e then boolean st e.pexp_loc e else statement st e)
    in
    [ Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ Vb.mk (unit_pattern ()) body ] ]
  | Pstr_extension (({ txt; loc }, _), _) ->
    raise (Unsupported (line_of loc, Printf.sprintf "the extension [%%%%%s]" txt))
  | Pstr_module { pmb_expr = { pmod_desc = Pmod_structure items; _ } as m; _ } -> (
    match i.pstr_desc with
    | Pstr_module binding ->
      let items = List.concat_map (item st) items in
      [ { i with
          pstr_desc =
            Pstr_module { binding with pmb_expr = { m with pmod_desc = Pmod_structure items } } } ]
    | _ -> [ i ])
  | _ -> [ i ]

(* ---- OUnit2 --------------------------------------------------------------------- *)

let uses_ounit structure = Names.Set.mem "OUnit2" (Names.free structure).Names.modules

let ounit_values =
  [ ">:"; ">::"; ">:::"; "@?"; "test_case"; "test_list"; "assert_failure"; "assert_string";
    "assert_bool"; "assert_equal"; "assert_raises"; "todo"; "cmp_float"; "run_test_tt_main" ]

let ounit_types = [ "test"; "test_ctxt"; "test_fun"; "test_length" ]
let unsupported_ounit = [ "bracket"; "bracket_tmpfile"; "bracket_tmpdir"; "assert_command"; "skip_if" ]

(* Gives every [label >:: case] its check; [case] is delayed, so that code it calls while
   the suite is being built is caught and timed with its own check. *)
let ounit_sites st structure =
  let dynamic = ref false in
  let depth = ref 0 in
  let default = Ast_mapper.default_mapper in
  let expr self e =
    match e.pexp_desc with
    | Pexp_ident { txt; loc } when List.mem (last_name txt) unsupported_ounit ->
      raise (Unsupported (line_of loc, "OUnit2's " ^ last_name txt))
    | Pexp_apply (operator, [ (_, label); (_, case) ]) when is_named [ ">::" ] operator ->
      let index = if !depth > 0 then (dynamic := true; -1) else number st e.pexp_loc in
      let case =
        if Compat.is_function case then case
        else
          Compat.lambda
            (Pat.var (nowhere "*context"))
            (call ~loc:case.pexp_loc case [ value (lident "*context") ])
      in
      call ~loc:e.pexp_loc
        (value (within ounit "site"))
        [ int index; int (line_of e.pexp_loc); label; default.expr self case ]
    | _ when Compat.is_function e ->
      incr depth;
      let e = default.expr self e in
      decr depth;
      e
    | _ -> default.expr self e
  in
  (* A test case's own body holds no sites: its functions do not make a suite dynamic. *)
  let mapper = { default with expr } in
  let structure = mapper.structure mapper structure in
  if !dynamic && st.checks <> [] then begin
    (* Numbers given while running and numbers given here would clash. *)
    let renumber self e =
      match e.pexp_desc with
      | Pexp_apply (({ pexp_desc = Pexp_ident { txt; _ }; _ } as f), (_, _) :: rest)
        when txt = (within ounit "site").txt ->
        default.expr self
          { e with pexp_desc = Pexp_apply (f, (Asttypes.Nolabel, int (-1)) :: rest) }
      | _ -> default.expr self e
    in
    st.checks <- [];
    let mapper = { default with expr = renumber } in
    (mapper.structure mapper structure, true)
  end
  else (structure, !dynamic)

let ounit_item st last i =
  match i.pstr_desc with
  | Pstr_value (Asttypes.Nonrecursive, [ b ]) when is_unit_pattern b.pvb_pat ->
    let index = st.items in
    st.items <- index + 1;
    let body =
      call ~loc:i.pstr_loc (value (within harness "guard"))
        [ int index; int 0; int last; thunk (ignored b.pvb_expr) ]
    in
    Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ Vb.mk (unit_pattern ()) body ]
  | Pstr_value (Asttypes.Nonrecursive, bindings) ->
    Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive
      (List.map (fun b -> if Compat.is_function b.pvb_expr then b else definition b) bindings)
  | Pstr_eval (e, _) ->
    let index = st.items in
    st.items <- index + 1;
    let body =
      call ~loc:i.pstr_loc (value (within harness "guard"))
        [ int index; int 0; int last; thunk (ignored e) ]
    in
    Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ Vb.mk (unit_pattern ()) body ]
  | _ -> i

(* ---- the unit ------------------------------------------------------------------- *)

let alias name target = Str.module_ (Mb.mk (nowhere (Some name)) (Mod.ident target))

let opened name =
  Str.open_ (Opn.mk ~override:Asttypes.Override (Mod.ident (lident name)))

(* Operators a reference may redefine for itself, but tests never take from the code
   unless the prompt or the signature asks for them. *)
let never_implied = comparisons @ [ "compare"; "raise"; "failwith"; "ignore"; "exit" ]

let parse_text parse name text =
  let lexbuf = Lexing.from_string text in
  Location.init lexbuf name;
  parse lexbuf

(* The names that the code must own, even where the standard library has them too. *)
let asked_for ~signature ~prompt_names ~reference =
  let declared =
    match parse_text Parse.interface "signature.mli" signature with
    | signature -> Names.declared signature
    | exception _ -> Names.empty
  in
  let defined =
    match parse_text Parse.implementation "reference.ml" reference with
    | structure -> Names.defined structure
    | exception _ -> Names.empty
  in
  let implied = Names.Set.of_list never_implied in
  let defined = { defined with values = Names.Set.diff defined.values implied } in
  let prompted = Names.Set.of_list prompt_names in
  ( Names.union declared
      (Names.union defined
         { Names.values = prompted; modules = prompted; types = Names.Set.empty }),
    defined )

let count_mentions structure name =
  let n = ref 0 in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    (match e.pexp_desc with
     | Pexp_ident { txt = Longident.Lident found; _ } when found = name -> incr n
     | _ -> ());
    default.expr self e
  in
  let iterator = { default with expr } in
  iterator.structure iterator structure;
  !n

(* Top-level [let name () = body] called once only, as the statement [name ()]. *)
let called_once structure =
  List.filter_map
    (fun i ->
      match i.pstr_desc with
      | Pstr_value (Asttypes.Nonrecursive, [ b ]) -> (
        match (variable b.pvb_pat, Compat.unit_function_body b.pvb_expr) with
        | Some name, Some body when count_mentions structure name = 1 -> Some (name, body)
        | _ -> None)
      | _ -> None)
    structure

let literal_lists structure =
  List.filter_map
    (fun i ->
      match i.pstr_desc with
      | Pstr_value (Asttypes.Nonrecursive, [ b ]) -> (
        match (variable b.pvb_pat, literal_list b.pvb_expr) with
        | Some name, Some elements -> Some (name, elements)
        | _ -> None)
      | _ -> None)
    structure

let names_used structure asked =
  let free = Names.free structure in
  let standard = Lazy.force Names.standard in
  let needed own std asked =
    Names.Set.filter (fun n -> (not (Names.Set.mem n std)) || Names.Set.mem n asked) own
  in
  {
    Names.values = needed free.values standard.values asked.Names.values;
    modules =
      Names.Set.remove "OUnit2" (needed free.modules standard.modules asked.Names.modules);
    types = needed free.types standard.types asked.Names.types;
  }

let tests ~text ~signature ~prompt_names ~reference ~libraries =
  let structure = parse_text Parse.implementation "tests.ml" text in
  let asked, defined = asked_for ~signature ~prompt_names ~reference in
  let standard = Lazy.force Names.standard in
  let uses = names_used structure asked in
  Names.Set.iter
    (fun name ->
      if List.mem name frameworks then
        raise (Unsupported (1, Printf.sprintf "the test framework %s" name)))
    uses.modules;
  let uses =
    { uses with modules = Names.Set.diff uses.modules (Names.Set.of_list libraries) }
  in
  let st =
    {
      text;
      checks = [];
      items = 0;
      asserting = [];
      once = called_once structure;
      lists = literal_lists structure;
    }
  in
  let with_ounit = uses_ounit structure in
  let uses =
    if not with_ounit then uses
    else
      { uses with
        values = Names.Set.diff uses.values (Names.Set.of_list ounit_values);
        types = Names.Set.diff uses.types (Names.Set.of_list ounit_types) }
  in
  let body, dynamic =
    if with_ounit then begin
      let structure, dynamic = ounit_sites st structure in
      let last = if dynamic then max_int / 2 else List.length st.checks - 1 in
      (List.map (ounit_item st last) structure, dynamic)
    end
    else (List.concat_map (item st) structure, false)
  in
  if st.checks = [] && not dynamic then
    raise (Unsupported (1, "tests without an assertion: nothing could ever be credited"));
  let owned =
    List.map
      (fun name ->
        Str.value Asttypes.Nonrecursive
          [ Vb.mk (Pat.var (nowhere name)) (value (within solution name)) ])
      (Names.Set.elements (Names.Set.inter uses.values standard.values))
    @ List.map
        (fun name -> alias name (within solution name))
        (Names.Set.elements (Names.Set.inter uses.modules standard.modules))
  in
  (* A module that neither the reference nor the standard library defines is the
     solution's own file, as in [open Darts]. *)
  let files =
    if reference = "" then []
    else
      List.filter
        (fun name ->
          not (Names.Set.mem name defined.Names.modules || Names.Set.mem name standard.modules))
        (Names.Set.elements uses.modules)
  in
  let silence =
    Str.attribute
      (Attr.mk (nowhere "ocaml.warning")
         (PStr [ Str.eval (Exp.constant (Const.string "-a")) ]))
  in
  let prelude =
    [
      silence;
      alias harness (lident Units.harness);
      alias pristine (lident Units.pristine);
      alias solution (lident "Solution");
      opened solution;
      opened pristine;
    ]
    @ (if with_ounit then [ alias ounit (lident Units.ounit); alias "OUnit2" (lident ounit) ]
       else [])
    @ owned
    @ List.map (fun name -> alias name (lident solution)) files
  in
  let finish =
    Str.value Asttypes.Nonrecursive
      [ Vb.mk (unit_pattern ())
          (call (value (within harness "finish")) [ Exp.construct (lident "()") None ]) ]
  in
  let uses =
    Names.Set.union uses.values
      (Names.Set.union uses.types
         (Names.Set.filter (fun n -> not (List.mem n files)) uses.modules))
  in
  {
    structure = prelude @ body @ [ finish ];
    checks = List.rev st.checks;
    dynamic;
    uses = Names.Set.elements uses;
  }
