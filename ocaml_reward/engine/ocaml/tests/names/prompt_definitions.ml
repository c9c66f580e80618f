(* Definitions in the prompt that code may repeat or leave out.  Those that tests use to judge
   belong to the tests, so that code cannot replace them.  Types, exceptions and state exist
   once for code and tests: the code's own, or those given before it. *)

open Parsetree
open Syntax
module Set = Names.Set

(* [behind]: definitions after the code, in the tests.  [lent]: definitions given to code that
   lacks them; [state]: those that differ with each definition; [needed]: their names that tests
   use. *)
type t = {
  behind : structure;
  lent : structure;
  state : Names.t;
  text : string;
  needed : Names.Set.t;
}

(* The tree of a text; None if it does not parse. *)
let tree parse name text = try Some (parse_text parse name text) with _ -> None

(* The items of a text; None if it does not parse. *)
let structure = tree Parse.implementation "prompt.ml"

(* The items of an interface; None if it does not parse. *)
let interface = tree Parse.interface "prompt.mli"

(* The item without locations. *)
let nowhere_at_all =
  let mapper = { Ast_mapper.default_mapper with location = (fun _ _ -> Location.none) } in
  mapper.structure_item mapper

(* ---- what may be given ---------------------------------------------------------------- *)

(* Types of immutable values. *)
let immutable_types =
  Set.of_list
    [ "int"; "float"; "string"; "bool"; "char"; "unit"; "list"; "option"; "result"; "int32";
      "int64" ]

(* Whether a value has a type that consists of immutable types.
   (ocaml-sf/learn-ocaml-corpus exercises/smelodesousa/F5/5-shine-in-society/prelude.ml) *)
let has_immutable_type env name =
  match Env.find_value_by_name (Longident.Lident name) env with
  | _, { Types.val_type; _ } ->
    let in_word = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' -> true | _ -> false in
    let text = Format.asprintf "%a" Printtyp.type_scheme val_type in
    let words = String.map (fun c -> if in_word c then c else ' ') text in
    List.for_all
      (fun word -> word = "" || word.[0] = '\'' || Set.mem word immutable_types)
      (String.split_on_char ' ' words)
  | exception _ -> false

(* Whether an expression creates a mutable value. *)
let makes_state =
  exists (fun e ->
      match e.pexp_desc with
      | Pexp_array _ | Pexp_lazy _ | Pexp_object _ | Pexp_new _ -> true
      | Pexp_ident { txt; _ } -> (Purity.of_library (Path_compat.components txt)).is_mutable
      | _ -> false)

(* Whether a binding's values are immutable. *)
let is_immutable env b =
  Function_compat.is_function b.pvb_expr
  || (not (makes_state b.pvb_expr))
     && Set.for_all (has_immutable_type env) (Names.pattern_names b.pvb_pat)

(* Whether evaluating an item twice gives equal definitions.
   (ocaml-sf/learn-ocaml-corpus exercises/mooc/week2/seq3/ex1/prepare.ml) *)
let rec is_one env i =
  let generative = ref false in
  let structure_item i =
    match i.pstr_desc with
    | Pstr_type _ | Pstr_typext _ | Pstr_exception _ | Pstr_class _ -> generative := true
    | _ -> ()
  in
  Visit.(in_item i { (each ~structure_item ()) with module_type = (fun _ _ -> ()) });
  (not !generative)
  &&
  match i.pstr_desc with
  | Pstr_value (_, bindings) -> List.for_all (is_immutable env) bindings
  | Pstr_module { pmb_expr = m; _ } -> is_one_module env m
  | Pstr_include { pincl_mod = { pmod_desc = Pmod_ident { txt; _ }; _ }; _ } ->
    (* What a module of the prompt's own brings is that module's. *)
    let is_library m = Set.mem m (Names.standard ()).modules in
    Option.fold ~none:false ~some:is_library (Names.root txt)
  | Pstr_include { pincl_mod = m; _ } -> is_one_module env m
  | Pstr_modtype _ | Pstr_attribute _ -> true
  | _ -> false

(* Whether evaluating a module twice gives equal definitions.  No real tests judge by aliases and
   functors of a prompt; without these forms code could put its own modules into the tests. *)
and is_one_module env m =
  match m.pmod_desc with
  | Pmod_structure items -> (
    match Type_items.undo env items with
    | Type_items.Typed inside -> List.for_all (is_one inside) items
    | Failed _ -> false)
  | Pmod_constraint (m, _) | Pmod_functor (_, m) -> is_one_module env m
  | Pmod_apply (f, _) -> is_one_module env f
  | Pmod_ident _ -> true
  | _ -> false

(* The keys of stubs, at any depth, which the code has to replace.
   (ocaml-sf/learn-ocaml-corpus exercises/fpottier/tree_iterators/template.ml) *)
let stubs_in items =
  let found = ref (Set.map (Scope.key Value) (Stubs.names items)) in
  let add i =
    match i.pstr_desc with
    | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } ->
      let module_expr m =
        match m.pmod_desc with
        | Pmod_structure inside when not (Set.is_empty (Stubs.names inside)) ->
          found := Set.add (Scope.key Module name) !found
        | _ -> ()
      in
      Visit.(in_module pmb_expr (each ~module_expr ()))
    | _ -> ()
  in
  List.iter add items;
  !found

let is_open i = match i.pstr_desc with Pstr_open _ -> true | _ -> false

(* The items that use only the library, packages and each other; with whether they are the same at
   each evaluation.  Packages are not inspected.
   (exercism/ocaml exercises/practice/binary-search/binary_search.mli) *)
let closed ~libraries items =
  let of_package i =
    not (Set.disjoint libraries (Free_names.names [ i ]).Names.modules)
  in
  let step (env, opened, found) (i, text) =
    match Type_items.undo env [ i ] with
    | Type_items.Typed env -> (env, opened, (i, text, is_one env i) :: found)
    | Failed _ when opened || of_package i ->
      (env, opened || is_open i, (i, text, false) :: found)
    | Failed _ -> (env, opened, found)
  in
  let _, _, found = List.fold_left step (Lazy.force Names.env, false, []) items in
  Type_items.reset ();
  List.rev found

(* Whether a definition may be one that the task is to correct.  No real prompt needs it; without it
   code could put its own constants into the tests. *)
let may_be_mended i =
  let rec is_structure m =
    match m.pmod_desc with
    | Pmod_structure _ -> true
    | Pmod_constraint (m, _) | Pmod_functor (_, m) -> is_structure m
    | _ -> false
  in
  match i.pstr_desc with
  | Pstr_value (_, bindings) ->
    List.exists (fun b -> Function_compat.is_function b.pvb_expr) bindings
  | Pstr_module { pmb_expr; _ } -> is_structure pmb_expr
  | _ -> false

(* Whether an item declares an abstract type. *)
let is_abstract i =
  match i.pstr_desc with
  | Pstr_type (_, declarations) ->
    List.exists
      (fun d -> d.ptype_kind = Ptype_abstract && d.ptype_manifest = None)
      declarations
  | _ -> false

(* ---- what is --------------------------------------------------------------------------- *)

(* The name of a key (scope.ml). *)
let bare_key key = String.sub key 1 (String.length key - 1)

let bare = Set.map bare_key

(* The keys of values and modules, which begin with another letter. *)
let as_keys { Names.values; modules; _ } =
  Set.union (Set.map (Scope.key Value) values) (Set.map (Scope.key Module) modules)

(* The values, modules and types among keys. *)
let as_names keys =
  let of_kind letter = bare (Set.filter (fun key -> key.[0] = letter) keys) in
  { Names.values = of_kind 'v'; modules = of_kind 'm'; types = of_kind 't' }

(* The [wanted] definitions and those that they use. *)
let needed keys_of wanted items =
  let keep (wanted, kept) i =
    let names = bare (keys_of i) in
    if Set.disjoint names wanted then (wanted, kept)
    else (Set.union (Names.mentioned [ i ]) (Set.diff wanted names), i :: kept)
  in
  snd (List.fold_left keep (wanted, []) (List.rev items))

(* The items with the prompt's opens, which apply to these items only, where they need them.
   (ocaml-sf/learn-ocaml-corpus exercises/fpottier/breaking_sort/prepare.ml) *)
let behind_opens opens items =
  let types items =
    match Type_items.undo (Lazy.force Names.env) items with
    | Type_items.Typed _ -> Type_items.reset (); true
    | Failed _ -> Type_items.reset (); false
  in
  if items = [] || opens = [] || types items then items
  else Ast_helper.[ Str.open_ (Opn.mk (Mod.structure (opens @ [ Str.include_ (Incl.mk (Mod.structure items)) ]))) ]

(* The items without those that only repeat one: prompts show a type again beside an example.  No
   real one was found; without this types do not type, and booleans are lost in silence. *)
let distinct items =
  let seen = Hashtbl.create 16 in
  let is_new (i, _) =
    let text = text_of i in
    let is_new = not (Hashtbl.mem seen text) in
    Hashtbl.replace seen text ();
    is_new
  in
  List.filter is_new items

(* The definitions in the prompt that use only the library, [libraries] and each other.  Left
   out: what does not parse, stubs, what the [reference] defines differently, and [required]
   names.  If the prompt defines all [used] names, the task is to correct some of them.
   (ocaml-sf/learn-ocaml-corpus exercises/fpottier/alpha_beta/prelude.ml) *)
let given ~required ~used ~reference ~tests ~libraries pieces =
  let items = distinct (List.concat_map Given_code.parsable_items pieces) in
  let shown = List.map fst items in
  let keys = List.combine shown (Given_code.keys shown) in
  let keys_of i = List.assq i keys in
  let all_keys items = List.fold_left (fun all i -> Set.union all (keys_of i)) Set.empty items in
  let standard = Names.standard () in
  let stubs = stubs_in shown in
  let solved = List.combine (Given_code.keys reference) (List.map text_of reference) in
  let in_reference key = List.filter (fun (keys, _) -> Set.mem key keys) solved in
  let used = as_keys used in
  let to_be_mended =
    (* If the prompt defines all names that the tests use, the task is to correct some.
       (jaylene-zhang/ArtifactProgramming2025 README.md) *)
    if not (Set.subset used (Set.diff (as_keys (Names.defined shown)) stubs)) then Set.empty
    else
      let mended = Set.inter used (all_keys (List.filter may_be_mended shown)) in
      if Set.is_empty mended then used else mended
  in
  let to_be_written = List.fold_left Set.union stubs [ as_keys required; to_be_mended ] in
  let of_library key =
    let mem known = Set.mem key (as_keys known) in
    mem standard || Set.mem key (Set.map (Scope.key Type) standard.types)
  in
  let may_be_given (i, _, _) =
    let text = text_of i in
    let same key =
      (* A different definition in the reference replaces it. *)
      let theirs = in_reference key in
      theirs = [] || List.exists (fun (_, theirs) -> theirs = text) theirs
    in
    let keys = keys_of i in
    is_open i || (Set.disjoint keys to_be_written && Set.for_all same keys)
  in
  let closed = List.filter may_be_given (closed ~libraries items) in
  let trees = List.map (fun (i, _, _) -> i) in
  let opens, definitions = List.partition is_open (trees closed) in
  let is_one i = List.exists (fun (other, _, is_one) -> other == i && is_one) closed in
  let of_reference = Names.mentioned reference in
  let left_out key = reference <> [] && in_reference key = [] in
  let is_behind i =
    let keys = keys_of i in
    (* If the reference uses the library's definition, so do the tests.  Values of the reference
       cannot have a type that it does not mention. *)
    (not (Set.exists (fun key -> left_out key && of_library key) keys))
    &&
    match i.pstr_desc with
    | Pstr_module _ ->
      is_one i || (Set.for_all left_out keys && Set.disjoint (bare keys) of_reference)
    | _ -> is_one i
  in
  let wanted = needed keys_of (Names.mentioned tests) definitions in
  let behind = List.filter is_behind wanted in
  let is_lent (i, _, _) =
    is_open i
    || (not (Set.is_empty (keys_of i) || is_abstract i))
       && Forbidden_features.unsafe ~source:(lazy "") [ i ] = []
  in
  let lent = List.filter is_lent closed in
  let taken = Set.diff (Names.mentioned (behind @ tests)) (bare (all_keys behind)) in
  {
    behind = behind_opens opens (List.map nowhere_at_all behind);
    lent = trees lent;
    state = as_names (all_keys (List.filter (fun i -> not (is_one i)) (trees lent)));
    text = String.concat "\n" (List.map (fun (_, text, _) -> text) lent);
    needed = Set.filter (fun key -> Set.mem (bare_key key) taken) (all_keys (trees lent));
  }

(* ---- what is promised ------------------------------------------------------------------ *)

(* Holes for the values that a line of an interface declares. *)
let declared_in line =
  let declared i =
    match i.psig_desc with
    | Psig_value { pval_name; pval_type; _ } ->
      let hole = Nodes.hole_expression Location.none in
      Some (define pval_name.txt (Ast_helper.Exp.constraint_ hole pval_type))
    | _ -> None
  in
  List.filter_map declared (Option.value ~default:[] (interface line))

(* Declared values that the code has to define, as holes: [val f : int -> bool], or [let f (n :
   int) : bool =] at the end of a piece. (kirang89/ocamler-grpo eval/ocaml_tests_sample.csv) *)
let promised pieces =
  let of_piece text =
    let finished =
      match structure text with
      | Some found -> found
      | None -> List.map fst (Given_code.parsable_items (text ^ "\nassert false"))
    in
    List.concat_map declared_in (String.split_on_char '\n' text) @ finished
  in
  List.concat_map of_piece pieces

(* The types of a piece that is an interface with values.
   (exercism/ocaml exercises/practice/allergies/allergies.mli) *)
let types_of_interface text =
  match interface text with
  | Some signature ->
    let is_value i = match i.psig_desc with Psig_value _ -> true | _ -> false in
    let types i =
      match i.psig_desc with
      | Psig_type (recursive, types) -> [ Ast_helper.Str.type_ recursive types ]
      | _ -> []
    in
    if List.exists is_value signature then List.concat_map types signature else []
  | None -> []
