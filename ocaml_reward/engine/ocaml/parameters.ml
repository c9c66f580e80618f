open Parsetree
open Nodes
open Slips

(* The type variables in a declaration that it does not bind, in their order.  A constructor
   that says what it makes binds its own. *)
let unbound d =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let typ self t =
    match t.ptyp_desc with
    | Ptyp_var name -> if not (List.mem name !found) then found := name :: !found
    | Ptyp_poly _ -> ()
    | _ -> default.typ self t
  in
  let constructor_declaration self c =
    if c.pcd_res = None then default.constructor_declaration self c
  in
  let iterator = { default with typ; constructor_declaration } in
  let own t = match t.ptyp_desc with Ptyp_var name -> Some name | _ -> None in
  let bound = List.filter_map (fun (t, _) -> own t) d.ptype_params in
  iterator.type_declaration iterator { d with ptype_params = [] };
  List.filter (fun name -> not (List.mem name bound)) (List.rev !found)

(* What else a parameter has besides its name is not the same in all versions of the parser. *)
let parameters place names =
  let written = String.concat ", " (List.map (( ^ ) "'") names) in
  match Parse.implementation (Lexing.from_string ("type (" ^ written ^ ") t")) with
  | [ { pstr_desc = Pstr_type (_, [ d ]); _ } ] ->
    List.map (fun (t, more) -> ({ t with ptyp_loc = place }, more)) d.ptype_params
  | _ -> []

let with_parameters place names program =
  let default = Ast_mapper.default_mapper in
  let type_declaration self d =
    if d.ptype_loc = place then
      { d with ptype_params = d.ptype_params @ parameters d.ptype_name.loc names }
    else default.type_declaration self d
  in
  let mapper = { default with type_declaration } in
  mapper.structure mapper program

(* Where types of a name are written down. *)
let written name program =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let typ self t =
    (match t.ptyp_desc with
     | Ptyp_constr ({ txt; _ }, _ :: _) when Mentions.last txt = name ->
       found := t.ptyp_loc :: !found
     | _ -> ());
    default.typ self t
  in
  let iterator = { default with typ } in
  iterator.structure iterator program;
  !found

let of_declarations holes program =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let type_declaration self d =
    let place = d.ptype_loc in
    (if List.exists (fun hole -> inside hole place) holes then
       match unbound d with
       | [] -> ()
       | names -> (
         let uses = written d.ptype_name.txt program in
         let is_use hole = List.exists (same hole) uses in
         match List.filter (fun hole -> inside hole place || is_use hole) holes with
         | _ :: _ :: _ as cured ->
           found := instead place cured (with_parameters place names) :: !found
         | _ -> ()));
    default.type_declaration self d
  in
  let iterator = { default with type_declaration } in
  iterator.structure iterator program;
  List.rev !found
