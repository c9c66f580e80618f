open Parsetree
open Syntax
module Set = Names.Set

type t = { before : structure; behind : structure }

let begins_item line =
  List.exists
    (fun word ->
      let n = String.length word in
      String.length line >= n && String.sub line 0 n = word)
    [ "let "; "type "; "module "; "exception "; "open "; "(*"; "external "; "class " ]

(* The items of a piece up to where it does not parse. *)
let rec items lines =
  match parse_text Parse.implementation "prompt.ml" (String.concat "\n" lines) with
  | structure -> structure
  | exception _ -> (
    let rec without = function
      | [] -> []
      | line :: before -> if begins_item line then before else without before
    in
    match List.rev (without (List.rev lines)) with [] -> [] | fewer -> items fewer)

let nowhere_at_all =
  let mapper = { Ast_mapper.default_mapper with location = (fun _ _ -> Location.none) } in
  mapper.structure_item mapper

let text_of i = Format.asprintf "%a" Pprintast.structure [ i ]

let constructors_of i = Names.constructors [ i ]

(* The names that an item gives to values, modules, types and the like. *)
let defined_by i =
  let { Names.values; modules; types } = Names.defined [ i ] in
  let others =
    match i.pstr_desc with
    | Pstr_modtype { pmtd_name = { txt; _ }; _ } -> Set.singleton txt
    | Pstr_type _ | Pstr_typext _ | Pstr_exception _ -> constructors_of i
    | _ -> Set.empty
  in
  List.fold_left Set.union others [ values; modules; types ]

(* ---- what may be given ---------------------------------------------------------------- *)

(* Types of values that cannot change, as long as no function of such types remembers. *)
let still_types =
  Set.of_list
    [ "int"; "float"; "string"; "bool"; "char"; "unit"; "list"; "option"; "result"; "int32";
      "int64" ]

let has_still_type env name =
  match Env.find_value_by_name (Longident.Lident name) env with
  | _, { Types.val_type; _ } ->
    let in_word = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' -> true | _ -> false in
    let text = Format.asprintf "%a" Printtyp.type_scheme val_type in
    let words = String.map (fun c -> if in_word c then c else ' ') text in
    List.for_all
      (fun word -> word = "" || word.[0] = '\'' || Set.mem word still_types)
      (String.split_on_char ' ' words)
  | exception _ -> false

(* Does an expression make something that can change? *)
let makes_state =
  exists (fun e ->
      match e.pexp_desc with
      | Pexp_array _ | Pexp_lazy _ | Pexp_object _ | Pexp_new _ -> true
      | Pexp_ident { txt; _ } -> (Purity.of_library (Path_compat.components txt)).fresh
      | _ -> false)

let is_still env b =
  Function_compat.is_function b.pvb_expr
  || (not (makes_state b.pvb_expr))
     && Set.for_all (has_still_type env) (Names.pattern_names b.pvb_pat)

(* Is what an item defines the same each time? *)
let rec is_one env i =
  let generative = ref false in
  let default = Ast_iterator.default_iterator in
  let structure_item self i =
    (match i.pstr_desc with
     | Pstr_type _ | Pstr_typext _ | Pstr_exception _ | Pstr_class _ -> generative := true
     | _ -> ());
    default.Ast_iterator.structure_item self i
  in
  let module_type _ _ = () in
  let iterator = { default with structure_item; module_type } in
  iterator.structure_item iterator i;
  (not !generative)
  &&
  match i.pstr_desc with
  | Pstr_value (_, bindings) -> List.for_all (is_still env) bindings
  | Pstr_module { pmb_expr = m; _ } -> is_one_module env m
  | Pstr_include { pincl_mod = m; _ } -> is_one_module env m
  | Pstr_modtype _ | Pstr_attribute _ -> true
  | _ -> false

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

(* What stands for what is to be written, at any depth. *)
let stubs_in items =
  let found = ref (Stubs.names items) in
  let default = Ast_iterator.default_iterator in
  let add i =
    match i.pstr_desc with
    | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } ->
      let module_expr self m =
        (match m.pmod_desc with
         | Pmod_structure inside when not (Set.is_empty (Stubs.names inside)) ->
           found := Set.add name !found
         | _ -> ());
        default.Ast_iterator.module_expr self m
      in
      let iterator = { default with module_expr } in
      iterator.module_expr iterator pmb_expr
    | _ -> ()
  in
  List.iter add items;
  !found

(* The items that take nothing but the library's and each other's, each with whether it is the
   same each time. *)
let closed items =
  let step (env, found) i =
    match Type_items.undo env [ i ] with
    | Type_items.Typed env -> (env, (i, is_one env i) :: found)
    | Failed _ -> (env, found)
  in
  let found = snd (List.fold_left step (Lazy.force Names.env, []) items) in
  Type_items.reset ();
  List.rev found

(* ---- what is --------------------------------------------------------------------------- *)

let is_open i = match i.pstr_desc with Pstr_open _ -> true | _ -> false

(* Those that are wanted, or that these take; each with whether it is the same each time. *)
let needed wanted items =
  let keep (wanted, kept) (i, is_one) =
    let names = defined_by i in
    if Set.disjoint names wanted then (wanted, kept)
    else (Set.union (Holes_for_names.names_in [ i ]) (Set.diff wanted names), (i, is_one) :: kept)
  in
  snd (List.fold_left keep (wanted, []) (List.rev items))

(* What the items take of what the prompt has opened is there for them alone. *)
let behind_opens opens items =
  let types items =
    match Type_items.undo (Lazy.force Names.env) items with
    | Type_items.Typed _ -> Type_items.reset (); true
    | Failed _ -> Type_items.reset (); false
  in
  if items = [] || opens = [] || types items then items
  else Ast_helper.[ Str.open_ (Opn.mk (Mod.structure (opens @ [ Str.include_ (Incl.mk (Mod.structure items)) ]))) ]

let given ~asked ~used ~reference ~tests pieces =
  let items = List.concat_map (fun text -> items (String.split_on_char '\n' text)) pieces in
  let standard = Lazy.force Names.standard in
  let stubs = stubs_in items in
  let both { Names.values; modules; _ } = Set.union values modules in
  let solved = List.map (fun i -> (defined_by i, text_of i)) reference in
  let in_reference name = List.find_opt (fun (names, _) -> Set.mem name names) solved in
  let asked_for = both asked in
  let of_library = Set.union standard.types (both standard) in
  let defines = Names.defined items in
  let all = Set.diff (both defines) stubs in
  let may_be_given i =
    let text = text_of i in
    let names = defined_by i in
    Set.disjoint names (Set.union asked_for stubs)
    && Set.for_all
         (fun name ->
           match in_reference name with
           (* A reference that has it otherwise was asked for it. *)
           | Some (_, theirs) -> theirs = text
           | None -> reference = [] || not (Set.mem name of_library))
         names
  in
  if items = [] || Set.subset (both used) all then { before = []; behind = [] }
  else
    let closed = List.filter (fun (i, _) -> is_open i || may_be_given i) (closed items) in
    let opens, definitions = List.partition (fun (i, _) -> is_open i) closed in
    let opens = List.map fst opens in
    (* What the reference leaves out has no values that its own are made of. *)
    let is_free i = reference <> [] && Set.for_all (fun n -> in_reference n = None) (defined_by i) in
    let is_module i = match i.pstr_desc with Pstr_module _ -> true | _ -> false in
    let kept = needed (Holes_for_names.names_in tests) definitions in
    let is_behind (i, is_one) = is_one || (is_module i && is_free i) in
    let behind, before = List.partition is_behind kept in
    let taken = Holes_for_names.names_in (List.map fst behind) in
    let is_lent (i, _) =
      Set.disjoint (defined_by i) of_library
      &&
      match i.pstr_desc with
      (* Code that changes a value of the prompt's, or raises its exception, has it itself. *)
      | Pstr_value _ -> false
      | Pstr_exception _ | Pstr_typext _ -> not (Set.disjoint (defined_by i) taken)
      | _ -> true
    in
    let before = List.filter is_lent before in
    let finished items = List.map (fun (i, _) -> nowhere_at_all i) items in
    {
      before = behind_opens opens (finished before);
      behind = behind_opens opens (finished behind);
    }

(* ---- what is promised ------------------------------------------------------------------ *)

let declared_in line =
  match parse_text Parse.interface "prompt.mli" line with
  | signature ->
    List.filter_map
      (fun i ->
        match i.psig_desc with
        | Psig_value { pval_name; pval_type; _ } ->
          let open Ast_helper in
          let hole = Exp.constraint_ (Nodes.hole_expression Location.none) pval_type in
          Some (Str.value Asttypes.Nonrecursive [ Vb.mk (Pat.var pval_name) hole ])
        | _ -> None)
      signature
  | exception _ -> []

let promised pieces =
  let of_piece text =
    let finished =
      match parse_text Parse.implementation "prompt.ml" text with
      | structure -> structure
      | exception _ -> items (String.split_on_char '\n' (text ^ "\nassert false"))
    in
    List.concat_map declared_in (String.split_on_char '\n' text) @ finished
  in
  List.concat_map of_piece pieces
