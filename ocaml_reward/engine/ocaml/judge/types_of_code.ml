(* Reduces code to its declarations of types, exceptions and module types, which the oracle
   program needs.  No expression is left, so none of the code can run. *)

open Parsetree
module Set = Names.Set

(* Whether the module of a path stands for itself: the library's, and those of the code that are
   left. *)
let is_left left path =
  match Names.root path with
  | Some name -> Set.mem name left || Set.mem name (Names.standard ()).modules
  | None -> false

(* The names of modules that are left, and the reduced items. *)
let rec items left structure =
  let add (left, kept) i =
    match item left i with
    | Some (i, names) -> (Set.union names left, i :: kept)
    | None -> (left, kept)
  in
  let left, kept = List.fold_left add (left, []) structure in
  (left, List.rev kept)

(* The reduced item with the modules that it defines; None if nothing is left. *)
and item left i =
  match (i.pstr_desc, Syntax.module_of_item i) with
  | (Pstr_type _ | Pstr_typext _ | Pstr_exception _ | Pstr_modtype _), _ -> Some (i, Set.empty)
  | Pstr_module { pmb_name = { txt = None; _ }; _ }, _ -> None
  | desc, Some (m, with_module) ->
    let bound =
      match desc with
      | Pstr_module { pmb_name = { txt = Some name; _ }; _ } -> Set.singleton name
      | _ -> Set.empty
    in
    Option.map (fun m -> (with_module m, bound)) (module_expr left m)
  | _ -> None

(* The reduced module; None if nothing is left. *)
and module_expr left m =
  match m.pmod_desc with
  | Pmod_structure structure ->
    Some { m with pmod_desc = Pmod_structure (snd (items left structure)) }
  (* A signature would ask for the values as well; what it makes abstract has no literals. *)
  | Pmod_constraint (m, _) -> module_expr left m
  | Pmod_ident { txt; _ } when is_left left txt -> Some m
  | _ -> None

(* The reduced code. *)
let types structure = snd (items Set.empty structure)

(* Two types with a constructor or a label of one name: which one an answer means depends on
   what the code's values are, and none of these is here. *)
exception Ambiguous

(* The code itself.  Raises Ambiguous if two types have a constructor or label of one name. *)
let unambiguous structure =
  let seen = Hashtbl.create 16 in
  let declare kind { Asttypes.txt = name; _ } =
    if Hashtbl.mem seen (kind, name) then raise Ambiguous;
    Hashtbl.add seen (kind, name) ()
  in
  let type_declaration it d =
    (* With a manifest it is another name for a type that stands elsewhere. *)
    (match d.ptype_kind with
    | Ptype_variant cases when d.ptype_manifest = None ->
      List.iter (fun c -> declare "constructor" c.pcd_name) cases
    | Ptype_record labels when d.ptype_manifest = None ->
      List.iter (fun l -> declare "label" l.pld_name) labels
    | _ -> ());
    Visit.default.type_declaration it d
  in
  let extension_constructor _ c = declare "constructor" c.pext_name in
  let module_type _ _ = () in
  Visit.(in_structure structure
           { default with type_declaration; extension_constructor; module_type });
  structure

(* A key of these declarations.  [code] is the source of [structure]: declarations are copied
   from it, because printing a tree is slow. *)
let key ~code structure =
  let text { Location.loc_start; loc_end; _ } =
    String.sub code loc_start.pos_cnum (loc_end.pos_cnum - loc_start.pos_cnum)
  in
  let written i =
    match i.pstr_desc with
    | Pstr_type _ | Pstr_exception _ | Pstr_typext _ | Pstr_modtype _ -> "=" ^ text i.pstr_loc
    | _ -> "~" ^ Format.asprintf "%a" Pprintast.structure [ i ]
  in
  Digest.to_hex (Digest.string (Netstring.encode_all (List.map written structure)))
