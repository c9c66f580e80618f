open Parsetree
open Ast_helper
open Syntax
module Set = Names.Set

type t = {
  heads : Set.t;  (* values and modules of the code *)
  members : Set.t;  (* known constructors and labels *)
  types : Set.t;
  classes : Set.t;
  hole : Location.t -> expression;
}

(* The names of classes that a structure defines. *)
let classes_of structure =
  let add found i =
    match i.pstr_desc with
    | Pstr_class classes -> List.fold_left (fun all c -> Set.add c.pci_name.txt all) found classes
    | _ -> found
  in
  List.fold_left add Set.empty structure

(* The names of types and classes that a structure defines, at any depth. *)
let types_of structure =
  let found = ref (classes_of structure) in
  let type_declaration self d =
    found := Set.add d.ptype_name.txt !found;
    Visit.default.type_declaration self d
  in
  let iterator = { Visit.default with type_declaration } in
  iterator.structure iterator structure;
  !found

let start ?(hole = Nodes.hole_expression) heads tests =
  let of_library = Lazy.force Names.standard_constructors in
  let add name _ all = Set.add name all in
  {
    heads;
    members = Names.Map.fold add of_library (Names.constructors tests);
    types = Set.union (Names.standard ()).types (types_of tests);
    classes = classes_of tests;
    hole;
  }

(* Whether a name is a value or module of the code. *)
let is_head t name = Set.mem name t.heads
let is_value_of_code t path = List.exists (is_head t) (Path_compat.components path)

(* Whether a path is the code's; a single name is if it is not in [known]. *)
let is_of_code t ~known path =
  match Path_compat.components path with
  | [ name ] -> not (Set.mem name known)
  | components -> List.exists (is_head t) components

(* Whether [visit] meets a module of the code. *)
let mentions_head t visit =
  let found = ref false in
  let note (path : Longident.t Location.loc) =
    if List.exists (is_head t) (Path_compat.components path.txt) then found := true
  in
  visit (Visit.each_module_path note);
  !found

(* Whether a module is the code's, or made from one.
   (PoorlyDefinedBehaviour/cs3110 using_functors/using_functors.ml) *)
let rec is_opaque t m =
  match m.pmod_desc with
  | Pmod_structure _ | Pmod_functor _ -> false
  | Pmod_constraint (m, _) -> is_opaque t m
  | _ -> mentions_head t (Visit.in_module m)

(* Names that an opened module may define. *)
let brought t m =
  match m.pmod_desc with
  | Pmod_ident { txt; _ } ->
    Set.union t.heads (Names.values_and_modules (Names.contents txt))
  | _ -> t.heads

(* The mapper that puts holes for the code's names; adds to [state] the names that become unknown on
   the way.  No real tests have the code's classes, packed modules, patterns [M.(…)] or exceptions
   bound again; an item that does not type would lose its booleans in silence.
   (exercism/ocaml exercises/practice/allergies/test.ml) *)
let mapper state =
  let hole e = !state.hole e.pexp_loc in
  let applied e arguments = { (call (hole e) arguments) with pexp_loc = e.pexp_loc } in
  let foreign known (path : Longident.t Location.loc) = is_of_code !state ~known path.txt in
  let is_member path = foreign !state.members path in
  let add names = state := { !state with heads = Set.union names !state.heads } in
  let declared = ref false in
  let rec expr self e =
    let inside = self.Ast_mapper.expr self in
    match (e.pexp_desc, Scope_compat.local e) with
    | Pexp_ident { txt; _ }, _ when is_value_of_code !state txt -> hole e
    | Pexp_construct (path, argument), _ when is_member path -> (
      match argument with None -> hole e | Some a -> applied e [ inside a ])
    | Pexp_field (of_, path), _ when is_member path -> applied e [ inside of_ ]
    | Pexp_setfield (of_, path, a), _ when is_member path -> applied e [ inside of_; inside a ]
    | Pexp_record (fields, base), _ when List.exists (fun (path, _) -> is_member path) fields ->
      applied e (List.map (fun (_, a) -> inside a) fields @ List.map inside (Option.to_list base))
    | Pexp_new path, _ when foreign !state.classes path -> hole e
    | Pexp_pack _, _ when Option.fold ~none:false ~some:(is_opaque !state) (Path_compat.packed e) ->
      hole e
    | _, Some (Open { popen_expr = m; _ }, body) when is_opaque !state m ->
      add (brought !state m);
      { (inside body) with pexp_loc = e.pexp_loc }
    | _, Some (Module (name, m), body) when is_opaque !state m ->
      add (Set.of_list (Option.to_list name.txt));
      { (inside body) with pexp_loc = e.pexp_loc }
    | _ -> Visit.mapper.expr self e
  (* The variables of such a pattern get any type, too.
     (exercism/ocaml exercises/practice/allergies/test.ml) *)
  and pat self p =
    match p.ppat_desc with
    | Ppat_construct (path, _) when is_member path -> lost p
    | Ppat_record (fields, _) when List.exists (fun (path, _) -> is_member path) fields -> lost p
    | Ppat_open ({ txt; _ }, _) when is_value_of_code !state txt -> lost p
    | _ -> Visit.mapper.pat self p
  and lost p =
    add (Names.pattern_names p);
    Pat.any ~loc:p.ppat_loc ()
  in
  let typ self t =
    match t.ptyp_desc with
    | Ptyp_constr (path, _) when foreign !state.types path ->
      if !declared then Typ.constr (lident Nodes.lost_name) [] else Typ.any ()
    | Ptyp_class (path, _) when foreign !state.types path -> Typ.any ()
    | _ -> Visit.mapper.typ self t
  in
  let declaring visit self node =
    let before = !declared in
    declared := true;
    let node = visit self node in
    declared := before;
    node
  in
  let module_expr self m =
    match m.pmod_desc with
    | Pmod_constraint (inside, wanted)
      when mentions_head !state (fun it -> it.module_type it wanted) ->
      self.Ast_mapper.module_expr self inside
    | _ -> Visit.mapper.module_expr self m
  in
  let structure_item self i =
    match i.pstr_desc with
    | Pstr_module { pmb_name; pmb_expr; _ } when is_opaque !state pmb_expr ->
      add (Set.of_list (Option.to_list pmb_name.txt));
      []
    | Pstr_open { popen_expr = m; _ } | Pstr_include { pincl_mod = m; _ } ->
      if is_opaque !state m then begin
        add (brought !state m);
        []
      end
      else [ Visit.mapper.structure_item self i ]
    | Pstr_exception { ptyexn_constructor = { pext_name; pext_kind = Pext_rebind path; _ }; _ }
      when is_member path ->
      state := { !state with members = Set.remove pext_name.txt !state.members };
      []
    | _ -> [ Visit.mapper.structure_item self i ]
  in
  let structure self items = List.concat_map (structure_item self) items in
  {
    Visit.mapper with
    expr; pat; typ; module_expr; structure;
    type_declaration = declaring Visit.mapper.type_declaration;
    extension_constructor = declaring Visit.mapper.extension_constructor;
    value_description = declaring Visit.mapper.value_description;
  }

(* The item with holes, and the state after it. *)
let mapped t i =
  let state = ref t in
  let mapper = mapper state in
  let items = mapper.structure mapper [ i ] in
  (!state, items)

(* Twice, as a name may be used before its pattern is visited. *)
let item t i = mapped (fst (mapped t i)) i
