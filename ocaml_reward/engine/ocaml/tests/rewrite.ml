(* Rewrites the tests of a problem into numbered checks.  The result is a unit that opens the
   code and then the pristine standard library over it, so that the code cannot shadow a name;
   only names that the problem asks for are taken from the code. *)

open Parsetree
open Ast_helper
open Syntax
open Assertions
open Ounit_suites
open Stdlib_names

type t = {
  structure : structure;
  (* The tests with code whose answers are wrong, to find checks that can never fail. *)
  unasked : structure;
  changed : structure;
  catches : bool;
  programs : (structure * structure) option;  (* query program, oracle program *)
  typed : bool;  (* expected values use types of the code *)
  checks : (check * Split_program.verdict * string) list;  (* with the names of the code that it
                                                              uses *)
  dynamic : bool;  (* the number of checks is only known by running the tests *)
  uses : string list;
  given : string * string list;  (* definitions given to code that lacks them, and those that
                                    tests use *)
  leaning : string;  (* see shared_state.ml *)
  constant : int list;  (* checks that neither depend on state nor call the code *)
  files : Names.Set.t;  (* modules that stand for the code's file (code_file.ml) *)
  written : structure;  (* the tests as they were written: their end decides *)
  prints : bool;
  exits : bool;  (* with a status that is not 0 *)
  notes : bool;  (* handlers take what they catch for failures *)
  unjudged : Location.t option;  (* why they have to run, as the checks do not judge all of it *)
}

(* The file name of given definitions in locations. *)
let given_file = "given.ml"

(* An item that opens a module. *)
let opened name =
  Str.open_ (Opn.mk ~override:Asttypes.Override (Mod.ident (lident name)))

(* The functions of one argument that are called once, where all names mean the same as at the
   definition: the call is replaced by the body. (ocaml/Zarith tests/ofstring.ml) *)
let called_once structure =
  let times_bound = Names.times_bound structure in
  let same_names body =
    let free = (Free_names.names [ Str.eval body ]).Names.values in
    Names.Set.for_all (fun name -> times_bound name <= 1) free
  in
  List.filter_map
    (fun i ->
      match i.pstr_desc with
      | Pstr_value (Asttypes.Nonrecursive, [ b ]) -> (
        match (variable b.pvb_pat, Function_compat.unary_function b.pvb_expr) with
        | Some name, Some (pattern, body)
          when count_mentions structure name = 1
               && times_bound name = 1 && same_names body
               && judges [] body ->
          Some (name, (pattern, body))
        | _ -> None)
      | _ -> None)
    structure

(* The literal lists that tests name once, with their elements. (ocaml/Zarith tests/zq.ml) *)
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

(* Whether tests may ask for what the jail has not, such as files: only a run shows.
   (sauravbhattacharya001/Ocaml-sample-code raytracer.ml) *)
let may_be_absent structure =
  let is_of_system e =
    match e.pexp_desc with
    | Pexp_ident { txt; _ } -> (
      match List.rev (Path_compat.components txt) with
      | name :: path ->
        List.exists
          (fun m -> List.mem m [ "Sys"; "Unix"; "Filename"; "In_channel"; "Out_channel"; "Thread" ])
          path
        || (String.length name > 5 && List.mem (String.sub name 0 5) [ "open_" ])
      | [] -> false)
    | _ -> false
  in
  somewhere is_of_system (Visit.in_structure structure)

(* Whether tests print. (sauravbhattacharya001/Ocaml-sample-code crdt.ml) *)
let prints structure =
  let names = Pristine.printing @ [ "printf"; "eprintf"; "print_flush" ] in
  somewhere (is_named names) (Visit.in_structure structure)

(* The modules defined at any depth. *)
let bound_modules items =
  let found = ref Names.Set.empty in
  let note = Option.iter (fun name -> found := Names.Set.add name !found) in
  Visit.each_bound_module (fun name _ -> note name) items;
  Visit.(in_structure items (each ~pat:(fun p -> note (Scope_compat.unpacked p)) ()));
  !found

(* Items with the code's types: those of the reference or the signature.
   (exercism/ocaml exercises/practice/allergies/.meta/example.ml) *)
let code_types ~signature ~reference ~files =
  let code = Mod.ident (lident solution) and aliases = Code_file.aliases files in
  if reference <> "" then
    let structure = parse_text Parse.implementation "reference.ml" reference in
    if aliases = [] then structure
    else
      alias solution (lident solution) :: Str.include_ (Incl.mk code) :: aliases
      |> Opened_by_code.(before (of_code structure))
      |> Stored_trees.merged structure
  else
    let typ = Mty.signature (parse_text Parse.interface "signature.mli" signature) in
    (* Never evaluated. *)
    let itself = Mod.constraint_ code (Mty.ident (lident solution)) in
    [ Str.modtype (Mtd.mk ~typ (nowhere solution));
      Str.rec_module [ Mb.mk (nowhere (Some solution)) itself ];
      Str.include_ (Incl.mk code) ]
    @ aliases

(* The known types of the code's names. *)
let known_types ~signature ~reference ~lent ~promised ~files names =
  if signature = "" && reference = "" then Top_booleans.Names { names; promised }
  else
    match code_types ~signature ~reference ~files with
    | types -> Typed (if reference = "" then lent @ types else types)
    | exception _ -> Names { names; promised }

(* Raises Unsupported for given definitions that are unsafe or do not type.  They are not
   type-checked if they may use packages.
   (ocaml-sf/learn-ocaml-corpus exercises/mooc/projects/klotski/prepare.ml) *)
let require_sound ~libraries given =
  let structure = parse_text Parse.implementation given_file given in
  let wrong (line, what) = raise (Unsupported (-line, what)) in
  List.iter wrong (Forbidden_features.unsafe ~source:(lazy given) structure);
  if libraries = [] then
    match Type_items.undo (Lazy.force Names.env) structure with
    | Failed (Some { at; words; _ }) ->
      wrong (at.loc_start.pos_lnum, String.concat " " words)
    | Typed _ | Failed None -> Type_items.reset ()

(* Whether a name is the library's, whatever the tests and the code define.
   (sauravbhattacharya001/Ocaml-sample-code frp.ml) *)
let is_library ~(uses : Names.t) ~(of_suites : Names.t) ~libraries structure =
  let standard = Names.standard () in
  let values = Names.Set.diff (Names.Set.union standard.values of_suites.values) uses.values in
  let modules =
    Names.Set.(union (union standard.modules ounit_modules) (of_list libraries))
    |> fun all -> Names.Set.(diff (diff all uses.modules) (bound_modules structure))
  in
  let times_bound = Names.times_bound structure in
  fun name ->
    Names.Set.mem name modules || (Names.Set.mem name values && times_bound name = 0)

(* The tests with numbered checks, and whether cases are numbered at run time. *)
let numbered st ~in_suites ~among structure =
  if in_suites then begin
    let structure, dynamic = ounit_sites st ~among structure in
    if st.unjudged = None then st.unjudged <- Ounit_suites.unjudged st structure;
    let last = if dynamic then max_int / 2 else List.length st.checks - 1 in
    (List.map (ounit_item st last) structure, dynamic)
  end
  else (List.concat_map (item st) structure, false)

(* The tests with holes for constructors and labels of missing code, whose types are unknown.
   (exercism/ocaml exercises/practice/allergies/test.ml) *)
let with_holes known body =
  let step (holes, items) i =
    let holes, found = Holes_for_names.item holes i in
    (holes, List.rev_append found items)
  in
  let holes = Holes_for_names.start ~hole:Wrong_answers.lie Names.Set.empty known in
  Nodes.lost_type :: List.rev (snd (List.fold_left step (holes, []) body))

(* The attribute that turns warnings off. *)
let silence =
  Str.attribute
    (Attr.mk (nowhere "ocaml.warning") (PStr [ Str.eval (Exp.constant (Const.string "-a")) ]))

(* The definition of [exit] as the harness's: [exit 0] ends the tests well, whoever calls it, as with
   plain OCaml. *)
let exit = define "exit" (value (within harness "exit"))

(* The statement from which on the tests run as they were written.
   (sauravbhattacharya001/Ocaml-sample-code lambda.ml) *)
let run_as_written = do_ (call (value (within harness "run_as_written")) [ unit ])

(* The statement that names the checks in which handlers catch nothing with right answers. *)
let catch_nothing places =
  do_ (call (value (within harness "catch_nothing")) [ Exp.array (List.map int places) ])

(* The statement that ends the tests. *)
let finish = do_ (call (value (within harness "finish")) [ unit ])

(* The statement that has cases without a number numbered at run time. *)
let built_by_code = do_ (call (value (within suites "built_by_code")) [ unit ])

(* The library's modules that are the problem's own.
   (kappelmann/eidi2_repetitorium_tum
   2017/ocaml/data_structures/case_example_stack/List_Stack.ml) *)
let own_modules ~signature ~prompt_names ~shown ~owned solved structure =
  let declared = of_signature ~none:Names.empty Names.declared signature in
  let keys items = List.fold_left Names.Set.union Names.Set.empty (Given_code.keys items) in
  let items = List.concat_map (fun text -> List.map fst (Given_code.parsable_items text)) shown in
  let modules = (Prompt_definitions.as_names (keys (solved @ items))).modules in
  let own =
    List.fold_left Names.Set.union (Prompt_definitions.bare (keys solved))
      [ declared.values; declared.modules; declared.types ]
  in
  Code_file.like_library ~asked:(Names.Set.of_list prompt_names) ~owned
    ~modules:(Names.Set.union declared.modules modules)
    ~defined:(if Names.Set.is_empty own then None else Some own)
    structure

(* Modules of libraries that come with OCaml and are not its standard library.
   (anwarmamat/cmsc330spring2024 examples/parser_class_example/test/public.ml) *)
let of_distribution = [ ("Unix", "unix"); ("Str", "str") ]

(* Raises Unsupported where tests use such a module, if it is among the [unknown]. *)
let require_named_libraries unknown structure =
  let note ({ txt; loc } : Longident.t Location.loc) =
    match Names.root txt with
    | Some name when Names.Set.mem name unknown && List.mem_assoc name of_distribution ->
      let library = List.assoc name of_distribution in
      let why = Printf.sprintf "%s of the library %s: name that in `libraries`" name library in
      raise (Unsupported (line_of loc, why))
    | _ -> ()
  in
  Visit.(in_structure structure (each_path note))

(* Rewrites the tests of a problem.  Raises Unsupported for tests that cannot be checks.
   (mirage/alcotest examples/lwt/test.ml) *)
let tests ~text ~signature ~given ~prompt_names ~prompt_code ~reference ~libraries ~frameworks
    ~owned ~applies ~in_process ~idle ~constant:known_constant ~strict ~whole:as_a_whole ~tried =
  let structure = parse_text Parse.implementation "tests.ml" text in
  require_few_assertions structure;
  let structure = Inline_tests.asserted (Ounit1.translated structure) in
  let structure = Functor_tests.inlined structure in
  let defined = defined_by reference in
  let solved = of_reference ~none:[] Fun.id reference in
  Names.own_modules :=
    own_modules ~signature ~prompt_names ~shown:(given :: prompt_code) ~owned solved structure;
  let standard = Names.standard () in
  let prompt_names = prompted ~reference prompt_names in
  let required = required_names ~signature ~prompt_names ~owned ~defined in
  let uses = names_used structure required in
  let required =
    if signature <> "" || reference <> "" then required
    else
      let never = Names.Set.of_list never_implied in
      Names.union required (Implied_names.of_tests ~never ~uses structure)
  in
  let uses = names_used structure required in
  let declared = required_names ~signature ~prompt_names:[] ~owned:false ~defined in
  if given <> "" then require_sound ~libraries given;
  let { Prompt_definitions.behind; lent; state; text = given; needed } =
    Prompt_definitions.given ~required:declared ~used:uses ~reference:solved ~tests:structure
      ~libraries:(Names.Set.of_list libraries)
      (if given = "" then prompt_code else [ given ])
  in
  let structure = behind @ structure in
  let required = Names.union state (Names.without (Names.defined behind) required) in
  let uses = names_used structure required in
  (* Tests that use no other name must test the reference's names. *)
  let uses =
    if Names.Set.is_empty uses.values && Names.Set.is_empty uses.modules then
      names_used structure (Names.union required defined)
    else uses
  in
  Names.Set.iter
    (fun name ->
      if List.mem name unknown_frameworks then
        raise (Unsupported (1, Printf.sprintf "the test framework %s" name)))
    uses.modules;
  let expected = Names.Set.union required.modules defined.modules in
  let known = List.fold_left (Fun.flip Names.Set.add) expected libraries in
  require_named_libraries (Names.Set.diff uses.modules known) structure;
  let of_these modules =
    let named = Names.Set.diff (Free_names.names structure).modules ounit_modules in
    Names.Set.elements
      (Names.Set.inter (Names.Set.of_list modules) (Names.Set.diff named expected))
  in
  let of_frameworks =
    List.filter
      (fun name -> not (List.mem name libraries))
      (of_these (Frameworks.modules frameworks))
  in
  let among = of_frameworks <> [] in
  let own_libraries = of_these libraries in
  let libraries = own_libraries @ of_frameworks in
  let uses =
    { uses with modules = Names.Set.diff uses.modules (Names.Set.of_list libraries) }
  in
  let structure = At_exit_calls.moved ~own:uses.values structure in
  let with_ounit = uses_ounit structure in
  let in_suites =
    with_ounit || (among && somewhere Frameworks.makes_case (Visit.in_structure structure))
  in
  let opened_among =
    let opened = Frameworks.opened structure in
    List.filter (fun name -> Names.Set.mem name opened) of_frameworks
  in
  let held among =
    List.fold_left
      (fun all name -> Names.union all (Frameworks.contents name))
      (if with_ounit then ounit_contents else Names.empty)
      among
  in
  let of_suites = held opened_among in
  let uses =
    let left = Names.without (held (List.filter Frameworks.is_ours opened_among)) uses in
    { left with modules = uses.modules }
  in
  (* Tests that open no module of the code either are in the code's file, or use the code only
     through a module that stands for the file; in the latter case bare names are the library's. *)
  let known = Names.Set.union standard.modules ounit_modules in
  let shown = (Names.defined lent).modules in
  let missing = Names.Set.diff uses.modules (Names.Set.union known shown) in
  let opens = Code_file.opens_other known structure in
  let in_code_file = not (opens || Names.Set.subset uses.values standard.values) in
  let is_apart = not (opens || in_code_file || Names.Set.is_empty missing) in
  let with_own (names : Names.t) =
    if is_apart then { names with values = Names.Set.diff names.values standard.values }
    else names
  in
  let required = with_own required and uses = with_own uses in
  let unexpected =
    if in_code_file && reference = "" then Names.Set.empty else Names.Set.diff missing expected
  in
  let files, _ = Code_file.of_tests (if in_code_file then unexpected else missing) structure in
  let below, members = Code_file.of_tests unexpected structure in
  let unexpected = Code_file.modules below in
  let structure =
    let names = Names.Set.union uses.values uses.modules in
    let names = Names.Set.union names of_suites.values in
    let promised = Prompt_definitions.promised prompt_code in
    let known = known_types ~signature ~reference ~lent ~promised ~files names in
    let judging = Frameworks.asserts ~opened:(opened_among <> []) of_frameworks in
    Top_booleans.asserted ~known ~strict:(not in_suites) ~judging structure
  in
  let as_they_were = structure in
  let is_library = is_library ~uses ~of_suites ~libraries structure in
  let state_of, leading_to = Shared_state.by_name structure in
  let st =
    {
      text;
      checks = [];
      items = 0;
      asserting = (if among then Frameworks.asserting else []);
      unchecked_call = None;
      unjudged = None;
      met = 0;
      idle;
      constant = known_constant;
      prints = solved <> [] && (not in_suites) && prints structure;
      uses;
      is_library;
      once = called_once structure;
      lists = literal_lists structure;
      mentions = count_mentions structure;
      state_of;
      leading_to;
    }
  in
  let body, dynamic = numbered st ~in_suites ~among structure in
  let known = Names.Set.union (Names.Set.diff standard.modules uses.modules) in
  let trusted = known (Names.Set.union ounit_modules (Names.Set.of_list (pristine :: libraries))) in
  let own =
    Names.union (Names.union required uses)
      (Names.union (in_modules ~signature ~reference)
         (if uses.modules = Names.Set.empty then Names.empty else defined))
  in
  (* Given types count as the reference's. *)
  let declaring = given ^ "\n" ^ reference in
  let types = library_types ~signature ~reference:declaring structure in
  let known =
    List.fold_left
      (fun known name -> Names.Map.add name (Some (Frameworks.contents name)) known)
      (if with_ounit then ounit_known else Names.Map.empty)
      of_frameworks
  in
  let guarded = Opened_modules.guarded ~known ~trusted ~own ~types ~libraries in
  let finished body = guarded (Copied_arguments.structure ~is_library (Handlers.demands body)) in
  let labels = labels ~signature ~reference structure in
  let programs =
    if dynamic || among then None
    else
      let required =
        if Names.Set.is_empty uses.modules then required else Names.union required own
      in
      let g = Binding_time.start ~uses ~required ~labels in
      Some (Split_program.programs ~ounit:with_ounit ~applies ~in_process g body)
  in
  let taken = Names_per_check.of_tests ~own:uses body in
  let leaning, constant =
    if dynamic then ("", []) else Shared_state.of_tests ~own:uses ~labels body
  in
  if st.checks = [] && not (dynamic || as_a_whole) then
    raise (Unsupported (1, "tests without an assertion: nothing could ever be credited"));
  let owned_values =
    List.map
      (fun name -> define name (value (within solution name)))
      (Names.Set.elements (Names.Set.inter uses.values standard.values))
  in
  let owned_modules =
    List.map
        (fun name -> alias name (within solution name))
        (Names.Set.elements (Names.Set.inter uses.modules standard.modules))
  in
  let code = [ alias solution (lident "Solution") ] in
  let interface =
    List.concat_map Prompt_definitions.types_of_interface (signature :: prompt_code)
  in
  let prelude ?(code = code) owned =
    (silence :: code)
    @ Opened_by_code.declaring interface
    (* The modules of libraries are saved before the code is opened. *)
    @ List.map (fun name -> alias (aside name) (lident name)) own_libraries
    @ Frameworks.aside of_frameworks
    @ [ opened solution; opened pristine; exit ]
    @ (if strict = [] then [] else [ catch_nothing strict ])
    @ (if dynamic then [ built_by_code ] else []) @ types
    @ List.map (fun name -> alias name (lident (aside name))) libraries
    @ (if with_ounit then ounit_aliases else [])
    @ owned
    @ Code_file.aliases files
  in
  let used_of_code = uses in
  let uses =
    List.fold_left Names.Set.union members
      [ uses.values; uses.types; Names.Set.diff uses.modules unexpected ]
  in
  let whole = finished body in
  (* The tests with code whose answers are wrong. *)
  let tried_on how =
    let items =
      if solved = [] then
        let uses = Names.without (Names.defined lent) used_of_code in
        lent @ Wrong_answers.of_tests ~uses structure
      else Wrong_answers.of_reference how solved
    in
    let code = bind_module solution (Mod.structure items) in
    let known body = if solved <> [] then body else with_holes (lent @ structure) body in
    let tests =
      if as_a_whole then run_as_written :: guarded (known as_they_were) else finished (known body)
    in
    let owned = owned_values @ owned_modules in
    prelude ~code:[ code; Wrong_answers.begins () ] owned @ tests @ [ finish ]
    |> Opened_by_code.(before (of_code items))
  in
  let catches = Wrong_answers.catches whole in
  (* If tests catch nothing, an exception of the code fails what surely calls it. *)
  let may_be_idle place (c : check) =
    c.kind <> Assertion || c.perhaps || taken place = "" || List.mem place constant
  in
  let needs_trial () =
    as_a_whole || catches || in_suites || may_be_absent structure
    || List.exists Fun.id (List.mapi may_be_idle (List.rev st.checks))
  in
  let on_wrong how = if tried && needs_trial () then tried_on how else [] in
  (* The programs of checks that are judged outside.
     (ocaml/ocaml.org data/exercises/003_nth_element.md) *)
  let outside { Split_program.query_program; oracle_program; verdicts } =
    let is_outside _ verdict found =
      found || match verdict with Split_program.Outside _ -> true | In_process _ -> false
    in
    if not (Hashtbl.fold is_outside verdicts false) then None
    else
      (* The original tests are only typed with the code; the query runs in its own scope, which
         may leave types open. *)
      let typed =
        Str.modtype
          (Mtd.mk ~typ:(Mty.typeof_ (Mod.structure whole)) (nowhere Stored_trees.original_name))
      in
      let run items =
        do_ (Scope_compat.in_module "Run*" (Mod.structure (finished items)) unit)
      in
      Some
        ( prelude (owned_values @ owned_modules) @ [ typed; run query_program; finish ],
          prelude owned_modules @ [ run oracle_program; finish ] )
  in
  let verdict index =
    match programs with
    | None when among -> Split_program.In_process "what the framework's library runs"
    | None -> Split_program.In_process "the number of checks is only known by running the tests"
    | Some { verdicts; _ } ->
      Option.value ~default:(Split_program.In_process "a check inside a function or a branch")
        (Hashtbl.find_opt verdicts index)
  in
  {
    structure = prelude (owned_values @ owned_modules) @ whole @ [ finish ];
    unasked = on_wrong Wrong_answers.Unasked;
    changed = (if solved = [] then [] else on_wrong Changed);
    catches;
    programs = Option.bind programs outside;
    typed = mentions_constructors_of ~signature ~reference:declaring structure;
    checks =
      List.mapi (fun index check -> (check, verdict index, taken index)) (List.rev st.checks);
    dynamic;
    uses = Names.Set.elements uses;
    given = (given, Names.Set.elements needed);
    leaning;
    constant;
    files = unexpected;
    written =
      prelude (owned_values @ owned_modules)
      @ (run_as_written :: guarded as_they_were) @ [ finish ];
    prints = prints structure;
    exits = somewhere exits_badly (Visit.in_structure structure);
    notes = Handlers.notes_failures structure;
    unjudged = Assertions.unjudged st;
  }

(* The line (negative in given definitions) and the message of an exception. *)
let where_and_why e =
  match Location.error_of_exn e with
  | Some (`Ok report) ->
    let loc = report.Location.main.loc in
    let text = Typing_compat.message report in
    let line = loc.loc_start.pos_lnum in
    ((if loc.loc_start.pos_fname = given_file then -line else line), String.concat " " (String.split_on_char '\n' text))
  | _ -> (1, Printexc.to_string e)

(* The line (from 1) and column (from 0) of the start and the end, as words. *)
let placed (loc : Location.t) =
  let place (p : Lexing.position) = Printf.sprintf "%d %d" p.pos_lnum (p.pos_cnum - p.pos_bol) in
  place loc.loc_start ^ " " ^ place loc.loc_end

(* The words that prepare_messages.py expects to its request. *)
let answered = function
  | [ text; signature; given; prompt_names; prompt_code; reference; libraries; frameworks; owned;
      applies; in_process; idle; constant; strict; whole; tried ] -> (
    match
      tests ~text ~signature ~given ~prompt_names:(words prompt_names)
        ~prompt_code:(String.split_on_char '\000' prompt_code) ~reference
        ~libraries:(words libraries) ~frameworks:(words frameworks) ~owned:(bool_of_string owned)
        ~applies:
          (match applies with
           | "names" -> Check_parts.Names
           | "predicates" -> Check_parts.Predicates
           | _ -> Check_parts.Nothing)
        ~in_process:(List.map int_of_string (words in_process))
        ~idle:(List.map int_of_string (words idle))
        ~constant:(List.map int_of_string (words constant))
        ~strict:(List.map int_of_string (words strict))
        ~whole:(bool_of_string whole) ~tried:(bool_of_string tried)
    with
    | prepared ->
      let stored tree = if tree = [] then "" else Stored_trees.as_binary tree in
      let query, oracle = Option.value ~default:([], []) prepared.programs in
      let places holds =
        List.mapi (fun place (c, _, _) -> (place, c)) prepared.checks
        |> List.filter_map (fun (place, c) -> if holds c then Some (string_of_int place) else None)
        |> String.concat " "
      in
      let places_of kind = places (fun (c : check) -> c.kind = kind) in
      let verdict = function
        | Split_program.Outside judgement -> Formula.to_string judgement
        | In_process why -> why
      in
      [ "ok"; Stored_trees.as_binary prepared.structure; String.concat " " prepared.uses;
        string_of_bool prepared.dynamic; stored query; stored oracle;
        string_of_bool prepared.typed; prepared.leaning;
        places_of Printing; places_of Statement; places_of Definition;
        places (fun (c : check) -> c.perhaps);
        string_of_bool prepared.prints; string_of_bool prepared.exits;
        string_of_bool prepared.notes;
        String.concat " " (Names.Set.elements prepared.files); fst prepared.given;
        String.concat " " (snd prepared.given) ]
      @ [ stored prepared.unasked; stored prepared.changed; string_of_bool prepared.catches;
          String.concat " " (List.map string_of_int prepared.constant);
          Stored_trees.as_binary prepared.written;
          Option.fold ~none:"" ~some:placed prepared.unjudged;
          Option.fold ~none:"" ~some:(excerpt_of text) prepared.unjudged ]
      @ List.concat_map
          (fun ((c : check), v, taken) ->
            [ placed c.loc; c.source; verdict v; taken;
              String.concat " " (Names.Set.elements c.state) ])
          prepared.checks
    | exception Unsupported (line, what) -> [ "unsupported"; string_of_int line; what ]
    | exception e ->
      let line, text = where_and_why e in
      [ "error"; string_of_int line; text ])
  | _ -> [ "error"; "1"; "malformed request" ]

(* Answers a request of prepare_messages.py. *)
let answer request =
  Fun.protect
    ~finally:(fun () -> Names.own_modules := Names.Set.empty)
    (fun () -> answered request)
