(* GADTs that make any two types equal.

   From [T : ('a X.t, 'a) g] the compilers up to 5.2 conclude that ['a] follows from
   ['a X.t], which is wrong where [X.t] is another name for [unit] (ocaml/ocaml#13579).
   All compilers conclude the same of a ['a t] that is abstract and was included
   (ocaml/ocaml#14982), and those up to 4.13 take ['b] for two different types in
   [T : ('a -> 'b) * ('b -> 'a) -> 'a t] (ocaml/ocaml#10907). *)

open Parsetree

(* Types by name: those that stand for themselves, and those that may stand for another.
   Of the first kind are the ones a structure defines without an equation, and builtin ones. *)
let plain_types structure =
  let plain = ref (Names.Set.of_list [ "list"; "option"; "array"; "ref"; "lazy_t" ]) in
  let doubtful = ref Names.Set.empty in
  let note set d = set := Names.Set.add d.ptype_name.txt !set in
  let default = Ast_iterator.default_iterator in
  let structure_item self i =
    (match i.pstr_desc with
     | Pstr_type (_, declared) ->
       List.iter (fun d -> note (if d.ptype_manifest = None then plain else doubtful) d) declared
     | _ -> ());
    default.structure_item self i
  in
  let signature_item self i =
    (match i.psig_desc with
     | Psig_type (_, declared) -> List.iter (note doubtful) declared
     | _ -> ());
    default.signature_item self i
  in
  let iterator = { default with structure_item; signature_item } in
  iterator.structure iterator structure;
  Names.Set.diff !plain !doubtful

let has_variable t =
  let default = Ast_iterator.default_iterator in
  let found = ref false in
  let typ self t =
    (match t.ptyp_desc with Ptyp_var _ -> found := true | _ -> ());
    default.typ self t
  in
  let iterator = { default with typ } in
  iterator.typ iterator t;
  !found

(* The types in a GADT constructor's result that need not be injective. *)
let weak_indices plain result =
  let default = Ast_iterator.default_iterator in
  let found = ref [] in
  let typ self t =
    (match t.ptyp_desc with
     | Ptyp_constr ({ txt = Longident.Lident name; _ }, _) when Names.Set.mem name plain -> ()
     | Ptyp_constr ({ txt; _ }, (_ :: _ as arguments)) when List.exists has_variable arguments
       ->
       found := String.concat "." (Compat.components txt) :: !found
     | _ -> ());
    default.typ self t
  in
  let iterator = { default with typ } in
  (match result.ptyp_desc with
   | Ptyp_constr (_, arguments) -> List.iter (iterator.typ iterator) arguments
   | _ -> ());
  !found

(* The result of a GADT's constructor in an extension: its last type, in every version. *)
let last_type constructor =
  let default = Ast_iterator.default_iterator in
  let last = ref None in
  let iterator = { default with typ = (fun _ t -> last := Some t) } in
  iterator.extension_constructor iterator constructor;
  !last

(* Does a structure define a GADT, or may it use one of the standard library's? *)
let present structure =
  let default = Ast_iterator.default_iterator in
  let found = ref false in
  let constructor_declaration self c =
    if c.pcd_res <> None then found := true;
    default.constructor_declaration self c
  in
  let extension_constructor self c =
    if last_type c <> None then found := true;
    default.extension_constructor self c
  in
  let note path = if List.mem "Type" (Compat.components path) then found := true in
  let typ self t =
    (match t.ptyp_desc with Ptyp_constr ({ txt; _ }, _) -> note txt | _ -> ());
    default.typ self t
  in
  let module_expr self m =
    (match m.pmod_desc with Pmod_ident { txt; _ } -> note txt | _ -> ());
    default.module_expr self m
  in
  let iterator =
    { default with constructor_declaration; extension_constructor; typ; module_expr }
  in
  iterator.structure iterator structure;
  !found

(* The type variables that occur in a type, but for those it binds itself. *)
let variables t =
  let default = Ast_iterator.default_iterator in
  let found = ref Names.Set.empty in
  let typ self t =
    match t.ptyp_desc with
    | Ptyp_var name -> found := Names.Set.add name !found
    | Ptyp_poly (bound, _) ->
      let outside = !found in
      default.typ self t;
      let bound = Names.Set.of_list (List.map (fun b -> b.Location.txt) bound) in
      found := Names.Set.union outside (Names.Set.diff !found bound)
    | _ -> default.typ self t
  in
  let iterator = { default with typ } in
  iterator.typ iterator t;
  !found

(* Is this another name for a type, one that forgets a parameter? *)
let forgetful d =
  match (d.ptype_kind, d.ptype_manifest) with
  | Ptype_abstract, Some manifest ->
    let kept = variables manifest in
    List.exists
      (fun (parameter, _) ->
        match parameter.ptyp_desc with
        | Ptyp_var name -> not (Names.Set.mem name kept)
        | _ -> true)
      d.ptype_params
  | _ -> false

(* Constructors that hide a type beside one that they show. *)
let hiding structure =
  let default = Ast_iterator.default_iterator in
  let found = ref Names.Set.empty in
  let constructor_declaration self c =
    Option.iter
      (fun result ->
        let inside = ref Names.Set.empty in
        let typ _ t = inside := Names.Set.union (variables t) !inside in
        let iterator = { default with typ } in
        iterator.constructor_declaration iterator { c with pcd_res = None };
        let shown = variables result in
        if not (Names.Set.is_empty shown || Names.Set.subset !inside shown) then
          found := Names.Set.add c.pcd_name.txt !found)
      c.pcd_res;
    default.constructor_declaration self c
  in
  let iterator = { default with constructor_declaration } in
  iterator.structure iterator structure;
  !found

(* Names that a [let] gives to what need not be the result of a call. *)
let named structure =
  let default = Ast_iterator.default_iterator in
  let found = ref Names.Set.empty in
  let value_binding self b =
    (match b.pvb_expr.pexp_desc with
     | Pexp_apply _ -> ()
     | _ -> found := Names.Set.union (Names.pattern_names b.pvb_pat) !found);
    default.value_binding self b
  in
  let iterator = { default with value_binding } in
  iterator.structure iterator structure;
  !found

let taken_out = "a hidden type, taken out of a value of any type"

(* May an expression be of many types at once, as no argument and no result of a call is? *)
let rec general named e =
  match e.pexp_desc with
  | Pexp_ident { txt = Longident.Lident name; _ } -> Names.Set.mem name named
  | Pexp_apply _ | Pexp_constant _ -> false
  | Pexp_constraint (e, _) -> general named e
  | Pexp_tuple _ -> List.exists (general named) (Compat.tuple e)
  | _ -> true
