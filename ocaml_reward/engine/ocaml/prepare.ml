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

(* The names that the code must own, even where the standard library has them too: what
   the signature declares and the prompt asks for.  A reference's own [abs] or [max] may
   be a mere helper, so it counts only where the prompt mentions it. *)
let asked_for ~signature ~prompt_names ~prompt_words ~defined =
  let declared =
    match parse_text Parse.interface "signature.mli" signature with
    | signature -> Names.declared signature
    | exception _ -> Names.empty
  in
  let prompted = Names.Set.of_list prompt_names in
  let words = Names.Set.of_list prompt_words in
  Names.union declared
    {
      Names.values = Names.Set.union prompted (Names.Set.inter defined.Names.values words);
      modules = Names.Set.union prompted (Names.Set.inter defined.Names.modules words);
      types = Names.Set.empty;
    }

(* What a reference defines, but for the names that tests hardly mean by it. *)
let defined_by reference =
  match parse_text Parse.implementation "reference.ml" reference with
  | structure ->
    let defined = Names.defined structure in
    { defined with
      values = Names.Set.diff defined.values (Names.Set.of_list never_implied) }
  | exception _ -> Names.empty

(* Top-level functions of one argument, called once only, in a place that sees every name
   as their definition does: such a call is replaced by the body. *)
let called_once structure =
  let times_bound = Names.times_bound structure in
  let steady body =
    let free = (Names.free [ Str.eval body ]).Names.values in
    Names.Set.for_all (fun name -> times_bound name <= 1) free
  in
  List.filter_map
    (fun i ->
      match i.pstr_desc with
      | Pstr_value (Asttypes.Nonrecursive, [ b ]) -> (
        match (variable b.pvb_pat, Compat.unary_function b.pvb_expr) with
        | Some name, Some (pattern, body)
          when count_mentions structure name = 1
               && times_bound name = 1 && steady body
               && judges [] body ->
          Some (name, (pattern, body))
        | _ -> None)
      | _ -> None)
    structure

let literal_lists structure =
  let times_bound = Names.times_bound structure in
  List.filter_map
    (fun i ->
      match i.pstr_desc with
      | Pstr_value (Asttypes.Nonrecursive, [ b ]) -> (
        match (variable b.pvb_pat, literal_list b.pvb_expr) with
        | Some name, Some elements when times_bound name = 1 -> Some (name, elements)
        | _ -> None)
      | _ -> None)
    structure

(* What tests may mean by a name of the standard library's once they opened a module: what
   the modules of the reference and the signature hold; without these, what the prompt
   mentions. *)
let in_modules ~signature ~prompt_words ~reference =
  if signature = "" && reference = "" then
    let words = Names.Set.of_list prompt_words in
    let values = Names.Set.diff words (Names.Set.of_list never_implied) in
    { Names.empty with values; modules = words }
  else
    let read parse name text names =
      match parse_text parse name text with tree -> names tree | exception _ -> Names.empty
    in
    Names.union
      (read Parse.implementation "reference.ml" reference Opens.of_reference)
      (read Parse.interface "signature.mli" signature Opens.of_signature)

let names_used structure asked =
  let free = Names.free structure in
  let standard = Lazy.force Names.standard in
  let needed own std asked =
    Names.Set.filter (fun n -> (not (Names.Set.mem n std)) || Names.Set.mem n asked) own
  in
  {
    Names.values = needed free.values standard.values asked.Names.values;
    modules =
      Names.Set.diff (needed free.modules standard.modules asked.Names.modules) ounit_modules;
    types = needed free.types standard.types asked.Names.types;
  }

let tests ~text ~signature ~prompt_names ~prompt_words ~reference ~libraries =
  let structure = parse_text Parse.implementation "tests.ml" text in
  let standard = Lazy.force Names.standard in
  let defined = defined_by reference in
  let asked = asked_for ~signature ~prompt_names ~prompt_words ~defined in
  let uses = names_used structure asked in
  (* Tests that need nothing else must be about what the reference defines. *)
  let uses =
    if Names.Set.is_empty uses.values && Names.Set.is_empty uses.modules then
      names_used structure (Names.union asked defined)
    else uses
  in
  Names.Set.iter
    (fun name ->
      if List.mem name frameworks then
        raise (Unsupported (1, Printf.sprintf "the test framework %s" name)))
    uses.modules;
  let libraries =
    Names.Set.elements
      (Names.Set.inter (Names.Set.of_list libraries) (Names.free structure).Names.modules)
  in
  let uses =
    { uses with modules = Names.Set.diff uses.modules (Names.Set.of_list libraries) }
  in
  let structure = Exits.marked ~own:uses.values structure in
  let st =
    {
      text;
      checks = [];
      items = 0;
      asserting = [];
      once = called_once structure;
      lists = literal_lists structure;
      mentions = count_mentions structure;
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
  let body = Keeping.structure (demands body) in
  let known = Names.Set.union (Names.Set.diff standard.modules uses.modules) in
  let trusted = known (Names.Set.union ounit_modules (Names.Set.of_list (pristine :: libraries))) in
  let own =
    Names.union (Names.union asked uses)
      (Names.union (in_modules ~signature ~prompt_words ~reference)
         (if uses.modules = Names.Set.empty then Names.empty else defined))
  in
  let more = if with_ounit then ounit_restored ~own structure else [] in
  let body = Opens.guarded ~more ~trusted ~own body in
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
  (* Tests that end by [exit 0] have not failed. *)
  let exit =
    Str.value Asttypes.Nonrecursive
      [ Vb.mk (Pat.var (nowhere "exit")) (value (within harness "exit")) ]
  in
  let prelude =
    [ silence; alias solution (lident "Solution") ]
    (* A library's modules are bound before the code is seen, and again after it. *)
    @ List.map (fun name -> alias (aside name) (lident name)) libraries
    @ [ opened solution; opened pristine; exit ]
    @ List.map (fun name -> alias name (lident (aside name))) libraries
    @ (if with_ounit then ounit_aliases else [])
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

let where_and_why e =
  match Location.error_of_exn e with
  | Some (`Ok report) ->
    let loc = report.Location.main.loc in
    let text = Driver.message report in
    (loc.loc_start.pos_lnum, String.concat " " (String.split_on_char '\n' text))
  | _ -> (1, Printexc.to_string e)

let words text = List.filter (( <> ) "") (String.split_on_char ' ' text)

(* A request of prepare.py, and what it gets. *)
let answer = function
  | [ text; signature; prompt_names; prompt_words; reference; libraries ] -> (
    match
      tests ~text ~signature ~prompt_names:(words prompt_names)
        ~prompt_words:(words prompt_words) ~reference ~libraries:(words libraries)
    with
    | prepared ->
      [ "ok"; Trees.as_binary prepared.structure; String.concat " " prepared.uses;
        string_of_bool prepared.dynamic ]
      @ List.concat_map (fun c -> [ string_of_int c.line; c.source ]) prepared.checks
    | exception Unsupported (line, what) -> [ "unsupported"; string_of_int line; what ]
    | exception e ->
      let line, text = where_and_why e in
      [ "error"; string_of_int line; text ])
  | _ -> [ "error"; "1"; "malformed request" ]
