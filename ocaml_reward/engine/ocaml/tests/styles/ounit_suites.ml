(* OUnit2 suites: each [label >:: case] becomes a numbered check, which divides the credit. *)

open Parsetree
open Ast_helper
open Syntax
open Assertions

(* Whether tests use OUnit2. (exercism/ocaml exercises/practice/beer-song/test.ml) *)
let uses_ounit structure = Names.Set.mem "OUnit2" (Free_names.names structure).Names.modules

(* The values of OUnit2. (gildor478/ounit src/lib/ounit2/oUnit2.mli) *)
let ounit_values =
  [ ">:"; ">::"; ">:::"; "test_case"; "test_list"; "assert_failure"; "assert_string";
    "assert_bool"; "assert_equal"; "assert_raises"; "skip_if"; "todo"; "cmp_float"; "bracket";
    "non_fatal"; "logf"; "run_test_tt_main" ]

let ounit_types = [ "test"; "test_ctxt"; "test_fun"; "test_length"; "log_severity" ]
let ounit_modules = Names.Set.of_list [ "OUnit2"; "OUnitTest" ]

(* The names that [open OUnit2] brings into scope. *)
let ounit_contents =
  { Names.empty with
    values = Names.Set.of_list ounit_values;
    types = Names.Set.of_list ounit_types }

(* OUnit's modules with their values. *)
let ounit_known =
  let values = Names.Set.of_list ounit_values in
  Names.Set.fold
    (fun name -> Names.Map.add name (Some { Names.empty with values }))
    ounit_modules Names.Map.empty

(* Binds these modules to the stand-in. (gildor478/ounit test/test.ml) *)
let ounit_aliases =
  [ alias "OUnit2" (within ounit "Api"); alias "OUnitTest" (within ounit "OUnitTest") ]

(* Functions that need files, programs or a command line, which the jail lacks. *)
let unsupported_ounit =
  [ "bracket_tmpfile"; "bracket_tmpdir"; "with_bracket_chdir"; "in_testdata_dir"; "assert_command" ]

(* Why the function of a path is not supported; None if it is.
   (gildor478/ounit test/libtest/testOUnit2.ml) *)
let refused_ounit path =
  match List.rev (Path_compat.components path) with
  | name :: _ when List.mem name unsupported_ounit ->
    Some (name ^ ": no files and no other programs are there")
  | _ :: "Conf" :: ([] | "OUnit2" :: _) -> Some "Conf: there is no command line"
  | _ -> None

(* Whether an expression makes cases other than by [>::], which have no place in the source to
   number.  [among]: also by Frameworks. (albertgoncalves/respline src/test/test.ml) *)
let makes_case ~among e =
  if among then Frameworks.makes_case e
  else
  match e.pexp_desc with
  | Pexp_ident { txt; _ } -> List.mem (last_name txt) [ "test_case"; ">::" ]
  | Pexp_construct ({ txt; _ }, Some _) -> last_name txt = "TestCase"
  | _ -> false

(* The definitions that nothing uses. (gildor478/ounit test/libtest/testConf.ml) *)
let never_run structure =
  let taken i = Names.values_and_modules (Free_names.names [ i ]) in
  let is_definition i =
    match i.pstr_desc with
    | Pstr_value (_, bindings) ->
      List.for_all (fun b -> not (Names.Set.is_empty (Names.pattern_names b.pvb_pat))) bindings
    | _ -> false
  in
  let step (live, never) i =
    if is_definition i && Names.Set.disjoint (Names.defined [ i ]).Names.values live then
      (live, i :: never)
    else (Names.Set.union (taken i) live, never)
  in
  snd (List.fold_left step (Names.Set.empty, []) (List.rev structure))

(* Delays a case, so that code called while the suite is built runs in its check.
   (exercism/ocaml exercises/practice/beer-song/test.ml) *)
let delayed case =
  if Function_compat.is_function case then case
  else
    Function_compat.lambda
      (Pat.var (nowhere "*context"))
      (call ~loc:case.pexp_loc case [ value (lident "*context") ])

(* Numbers every case; it is delayed, so that code called while the suite is built runs in its
   check.  [among]: also cases of Frameworks.
   (exercism/ocaml exercises/practice/beer-song/test.ml) *)
let ounit_sites st ~among structure =
  let dynamic = ref false in
  let depth = ref 0 in
  let never_run = never_run structure and is_run = ref true in
  let numbered e ~idle site =
    if not !is_run then site (-1)
    else if !depth > 0 then (dynamic := true; site (-1))
    else unless_idle st idle (fun () -> site (number st Case [ Str.eval e ] e.pexp_loc))
  in
  let expr self e =
    match e.pexp_desc with
    | Pexp_ident { txt; loc } when refused_ounit txt <> None ->
      raise (Unsupported (line_of loc, "OUnit2's " ^ Option.get (refused_ounit txt)))
    | _ when among && Frameworks.case e <> None ->
      let body, whole = Option.get (Frameworks.case e) in
      let site index =
        call ~loc:e.pexp_loc
          (value (within suites "site"))
          [ int index; int (line_of e.pexp_loc); whole (Visit.mapper.expr self (delayed body)) ]
      in
      (* A case without a number does not run. *)
      numbered e site ~idle:(fun () -> site (-2))
    | _ when makes_case ~among e && !is_run ->
      dynamic := true;
      Visit.mapper.expr self e
    | Pexp_apply (operator, [ (_, label); (_, case) ]) when is_named [ ">::" ] operator ->
      let site index =
        call ~loc:e.pexp_loc
          (value (within ounit "site"))
          [ int index; int (line_of e.pexp_loc); label; Visit.mapper.expr self (delayed case) ]
      in
      let idle () = call ~loc:e.pexp_loc (value (within ounit "no_case")) [ label ] in
      numbered e site ~idle
    | _ when Function_compat.is_function e ->
      incr depth;
      let e = Visit.mapper.expr self e in
      decr depth;
      e
    | _ -> Visit.mapper.expr self e
  in
  (* Inside a case no further cases are numbered. *)
  let mapper = { Visit.mapper with expr } in
  let item i =
    (* Cases of suites that are never run do not count. *)
    is_run := not (List.memq i never_run);
    mapper.structure_item mapper i
  in
  let structure = List.map item structure in
  if !dynamic && st.checks <> [] then begin
    (* Numbers are assigned either here or at run time, not both. *)
    let renumber self e =
      match e.pexp_desc with
      | Pexp_apply (({ pexp_desc = Pexp_ident { txt; _ }; _ } as f), (_, _) :: rest)
        when txt = (within ounit "site").txt || txt = (within suites "site").txt ->
        Visit.mapper.expr self
          { e with pexp_desc = Pexp_apply (f, (Asttypes.Nolabel, int (-1)) :: rest) }
      | _ -> Visit.mapper.expr self e
    in
    st.checks <- [];
    (Visit.map structure { Visit.mapper with expr = renumber }, true)
  end
  else (structure, !dynamic)

(* Whether an expression runs a suite; [runners] are functions of the tests that do.
   (c-cube/qcheck example/ounit/QCheck_test.ml) *)
let is_run ?(runners = []) st e =
  let is_runner (_, e) =
    match e.pexp_desc with
    | Pexp_ident { txt = Longident.Lident name; _ } -> List.mem name runners
    | _ -> false
  in
  match applied e with
  | f, (_ :: _ as arguments) when List.exists is_runner ((Asttypes.Nolabel, f) :: arguments) ->
    true
  | { pexp_desc = Pexp_ident { txt; _ }; _ }, _ :: _ ->
    st.is_library (List.hd (Path_compat.components txt))
    && (List.mem (last_name txt) [ "run_test_tt_main"; "run_test_tt" ]
        || Frameworks.runs (last_name txt))
  | _ -> false

(* The item without its runs of suites, and without what only leads to them: if that raises, the
   suite's cases have not run. (c-cube/qcheck example/ounit/QCheck_ounit_test.ml) *)
let without_runs ~runners st i =
  let is_run = is_run ~runners in
  let is_end e =
    match applied e with
    | f, [ (_, status) ] -> is_named [ "exit" ] f && is_run st status
    | _ -> false
  in
  let leads_to_run e = exists (is_run st) e in
  let expr self e =
    if is_run st e || is_end e then sequence []
    else
      match e.pexp_desc with
      | (Pexp_sequence (_, body) | Pexp_let (_, _, body)) when leads_to_run body ->
        self.Ast_mapper.expr self body
      | _ -> Visit.mapper.expr self e
  in
  Visit.map_item i { Visit.mapper with expr }

(* A statement behind the run of a suite that may fail.
   (mirage/ocaml-cohttp cohttp-eio/tests/test_forward_proxy.ml) *)
let unjudged st structure =
  let has_run i = somewhere (is_run st) (Visit.in_item i) in
  (* Behind an earlier run, later cases fail with what fails. *)
  let rec from_last_run = function
    | i :: rest when has_run i && not (List.exists has_run rest) -> i :: rest
    | _ :: rest -> from_last_run rest
    | [] -> []
  in
  let runners =
    List.concat_map
      (fun i ->
        match i.pstr_desc with
        | Pstr_value (_, bindings) when has_run i ->
          List.filter_map
            (fun b ->
              if Function_compat.is_function b.pvb_expr then variable b.pvb_pat else None)
            bindings
        | _ -> [])
      structure
  in
  let matters i =
    let i = without_runs ~runners st i in
    match i.pstr_desc with
    | Pstr_value (_, bindings)
      when List.for_all (fun b -> Function_compat.is_function b.pvb_expr) bindings -> false
    | Pstr_value _ | Pstr_eval _ | Pstr_module _ | Pstr_include _ ->
      calls st [ i ]
    | _ -> false
  in
  Option.map (fun i -> i.pstr_loc) (List.find_opt matters (from_last_run structure))

(* An item with a guard around each run of a suite; the number is the last check's.
   (exercism/ocaml exercises/practice/palindrome-products/test.ml) *)
let ounit_item st last i =
  (* Which cases a statement runs is only known at run time. *)
  let run_all e =
    let index = st.items in
    st.items <- index + 1;
    do_ ~loc:i.pstr_loc
      (call ~loc:i.pstr_loc (value (within harness "guard"))
         [ int index; int 0; int last; thunk (ignored e) ])
  in
  match i.pstr_desc with
  | Pstr_value (Asttypes.Nonrecursive, [ b ]) when is_unit_pattern b.pvb_pat ->
    run_all b.pvb_expr
  | Pstr_value (Asttypes.Nonrecursive, bindings) ->
    Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive
      (List.map
         (fun b -> if Function_compat.is_function b.pvb_expr then b else definition b)
         bindings)
  | Pstr_eval (e, _) -> run_all e
  | _ -> i
