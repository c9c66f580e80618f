open Parsetree
open Nodes
open Slips

let with_expressions moved program =
  let default = Ast_mapper.default_mapper in
  let expr self e =
    match List.find_opt (fun (place, _) -> e.pexp_loc = place) moved with
    | Some (_, other) -> other
    | None -> default.expr self e
  in
  let mapper = { default with expr } in
  mapper.structure mapper program

let with_patterns moved program =
  let default = Ast_mapper.default_mapper in
  let pat self p =
    match List.find_opt (fun (place, _) -> p.ppat_loc = place) moved with
    | Some (_, other) -> other
    | None -> default.pat self p
  in
  let mapper = { default with pat } in
  mapper.structure mapper program

let orders = function
  | [ a; b ] -> [ [ b; a ] ]
  | [ a; b; c ] -> [ [ b; c; a ]; [ c; a; b ] ]
  | _ -> []

let of_tuples holes program =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    let is_wrong part = List.exists (same part.pexp_loc) holes in
    let wrong = List.filter is_wrong (Compat.tuple e) in
    let in_order other =
      let places = List.map (fun part -> part.pexp_loc) wrong in
      let place = e.pexp_loc in
      let cured = List.filter (fun hole -> inside hole place) holes in
      instead place cured (with_expressions (List.combine places other))
    in
    found := !found @ List.map in_order (orders wrong);
    default.expr self e
  in
  let iterator = { default with expr } in
  iterator.structure iterator program;
  !found

(* The names that are parts of a tuple's pattern themselves. *)
let named_parts p =
  let named part =
    match part.ppat_desc with Ppat_var { txt; _ } -> Some (txt, part) | _ -> None
  in
  List.filter_map named (tuple_parts p)

let of_patterns holes program =
  let uses = Mentions.denied holes program in
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let pat self p =
    let of_name name (other, hole) = other = name && is_after hole p.ppat_loc in
    let is_denied (name, _) = List.exists (of_name name) uses in
    (match List.filter is_denied (named_parts p) with
     | [ (one, a); (other, b) ] ->
       let is_use hole =
         List.exists (fun (name, at) -> at == hole && (name = one || name = other)) uses
       in
       let moved = [ (a.ppat_loc, b); (b.ppat_loc, a) ] in
       let cured = List.filter is_use holes in
       found := instead p.ppat_loc cured (with_patterns moved) :: !found
     | _ -> ());
    default.pat self p
  in
  let iterator = { default with pat } in
  if uses <> [] then iterator.structure iterator program;
  List.rev !found

let of_calls holes (read : Mentions.read) program =
  let denied = Mentions.denied holes program in
  let variable e =
    match e.pexp_desc with Pexp_ident { txt = Lident name; _ } -> Some name | _ -> None
  in
  let of_call (place, _, arguments) =
    match arguments with
    | [ (Asttypes.Nolabel, a); (Asttypes.Nolabel, b) ] -> (
      let uses name =
        let is_use (other, hole) = other = name && is_after hole place in
        List.map snd (List.filter is_use denied)
      in
      match (variable a, variable b) with
      | Some one, Some other when one <> other && uses one <> [] && uses other <> [] ->
        let is_it hole = List.memq hole (uses one) || List.memq hole (uses other) in
        let moved = [ (a.pexp_loc, b); (b.pexp_loc, a) ] in
        [ instead place (List.filter is_it holes) (with_expressions moved) ]
      | _ -> [])
    | _ -> []
  in
  if denied = [] then [] else List.concat_map of_call read.calls
