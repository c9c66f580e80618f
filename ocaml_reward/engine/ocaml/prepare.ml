(* Rewrites a problem's tests, once, into numbered checks.

   The result is a compilation unit of its own.  It sees the code through [open!], then
   the pristine standard library on top of it, so that nothing the code shadows reaches
   an assertion; only names the problem itself asks for are taken back from the code. *)

open Parsetree
open Ast_helper
open Syntax
open Statements
open Suites

type t = {
  structure : structure;
  checks : check list;
  dynamic : bool;  (* the number of checks is only known by running the tests *)
  uses : string list;
}

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
