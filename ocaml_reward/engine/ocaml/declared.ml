open Parsetree
open Nodes
open Remedies
open Mentions
open Slips

let base_types = [ "int"; "string"; "float"; "bool"; "char"; "unit" ]

(* What a declared type could say instead, by the [words] of an error. *)
let others words t =
  let open Ast_helper in
  let named name arguments = Typ.constr (Location.mknoloc (Longident.Lident name)) arguments in
  let is_said name = List.mem name words in
  let wrappers = "option" :: "list" :: List.filter is_said [ "array"; "ref" ] in
  let base = List.filter is_said base_types in
  let without =
    match t.ptyp_desc with
    | Ptyp_constr (_, [ inner ]) -> inner :: List.map (fun other -> named other [ inner ]) wrappers
    | _ -> []
  in
  without
  @ List.map (fun name -> named name []) base
  @ List.map (fun name -> named name [ t ]) wrappers

let parts t =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let typ self t =
    found := t :: !found;
    default.typ self t
  in
  let iterator = { default with typ } in
  iterator.typ iterator t;
  List.rev !found

let of_components words holes program read suspected =
  let below = denied_below (denied holes program) program in
  let of_component (name, t) =
    let near = suspected 1 name in
    let is_near hole = List.memq hole near || List.mem (name, hole) below in
    match List.filter is_near holes with
    | [] | [ _ ] -> []
    | shown :: _ as cured ->
      let words = words shown in
      let is_said t =
        match t.ptyp_desc with
        | Ptyp_constr ({ txt; _ }, _) -> List.mem (last txt) words
        | _ -> false
      in
      List.concat_map
        (fun part ->
          let place = part.ptyp_loc in
          List.map
            (fun other ->
              instead place cured (with_type place other))
            (others words part))
        (List.filter is_said (parts t))
  in
  List.concat_map of_component read.components

(* Which constructor an error finds applied to too many or too few, and to how many. *)
let misapplied words =
  let rec go = function
    | name :: "expects" :: _ :: "argument" :: rest -> (
      match List.rev rest with
      | "s" :: "argument" :: number :: _ | "argument" :: number :: _ ->
        Option.map (fun number -> (name, number)) (int_of_string_opt number)
      | _ -> None)
    | _ :: rest -> go rest
    | [] -> None
  in
  go (List.filter (( <> ) "") words)

(* All uses of a constructor deny how many arguments its declaration gives it; two are as
   likely to be wrong as it is, unless it has none at all. *)
let of_constructors words holes read =
  let said hole = Option.map (fun said -> (said, hole)) (misapplied (words hole)) in
  let wrong = List.filter_map said holes in
  (* Of one that has none nobody knows what they are. *)
  let bare place program =
    let name = Location.mkloc (Longident.Lident lost_name) place in
    let lost = Ast_helper.Typ.constr ~loc:place name [] in
    lost_type :: with_arguments place [ lost ] program
  in
  let others d c number =
    let open Ast_helper in
    let itself = Typ.constr (Location.mknoloc (Longident.Lident d.ptype_name.txt)) in
    let itself = itself (List.map fst d.ptype_params) in
    match c.pcd_args with
    | Pcstr_tuple types ->
      let known = List.length types in
      if number < known then [ List.filteri (fun i _ -> i < number) types ]
      else
        let more t = types @ List.init (number - known) (fun _ -> t) in
        more itself :: (match List.rev types with last :: _ -> [ more last ] | [] -> [])
    | Pcstr_record _ -> []
  in
  let of_constructor (d, c) =
    let own = List.filter (fun ((name, _), _) -> name = c.pcd_name.txt) wrong in
    let alike number = List.for_all (fun ((_, other), _) -> other = number) own in
    match own with
    | _ :: _ :: _ when c.pcd_args = Pcstr_tuple [] && c.pcd_res = None ->
      [ instead c.pcd_loc (List.map snd own) (bare c.pcd_loc) ]
    | ((_, number), _) :: _ :: _ :: _ when alike number ->
      let place = c.pcd_loc and cured = List.map snd own in
      let suspect types =
        instead place cured (with_arguments place types)
      in
      List.map suspect (others d c number)
    | _ -> []
  in
  if wrong = [] then [] else List.concat_map of_constructor read.constructors

(* The types that a library's modules are made for may be others: of [Map.Make (String)], where
   what is put into it are all integers. *)
let with_key place name program =
  let open Ast_helper in
  let known = Location.mkloc (Longident.Lident name) place in
  let key = Type.mk ~loc:place ~manifest:(Typ.constr ~loc:place known []) in
  let values = Names.Set.of_list [ "compare"; "equal"; "hash" ] in
  let items =
    [ Str.type_ ~loc:place Nonrecursive [ key (Location.mkloc "t" place) ];
      hole_values place values ]
  in
  let default = Ast_mapper.default_mapper in
  let module_expr self m =
    if m.pmod_loc = place then Mod.structure ~loc:place items
    else default.module_expr self m
  in
  let mapper = { default with module_expr } in
  mapper.structure mapper program

let of_keys words holes program =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let module_binding self m =
    (match (m.pmb_name.txt, m.pmb_expr.pmod_desc) with
     | Some name, Pmod_apply (_, { pmod_loc = place; _ }) ->
       let is_key = function "key" | "elt" -> true | _ -> false in
       let rec speaks = function
         | word :: (part :: _ as rest) -> (word = name && is_key part) || speaks rest
         | _ -> false
       in
       let is_near hole = is_after hole place && speaks (words hole) in
       (match List.filter is_near holes with
        | shown :: _ :: _ as cured ->
          let words = words shown in
          let bases = List.filter (fun name -> List.mem name words) base_types in
          let other name = instead place cured (with_key place name) in
          found := !found @ List.map other bases
        | _ -> ())
     | _ -> ());
    default.module_binding self m
  in
  let iterator = { default with module_binding } in
  if List.compare_length_with holes 1 > 0 then iterator.structure iterator program;
  !found
