open Parsetree
open Nodes
open Remedies
open Mentions
open Slips

(* Patterns that fit each other, and not what is matched. *)
let of_matches holes read =
  let of_match (place, patterns) =
    let wrong hole = List.exists (inside hole) patterns in
    match List.filter wrong holes with
    | _ :: _ :: _ as cured ->
      let freed = with_expression place (fun _ -> hole_expression place) in
      [ instead place cured freed ]
    | _ -> []
  in
  List.concat_map of_match read.matches

(* Branches agree, but for one before them, which gave all their type. *)
let of_branches holes read =
  let is_exit e =
    match e.pexp_desc with
    | Pexp_assert _ -> true
    | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ }, _) ->
      List.mem name [ "raise"; "failwith"; "invalid_arg" ]
    | _ -> false
  in
  (* What a function gives by calling itself has no type of its own. *)
  let calls_itself e =
    match e.pexp_desc with
    | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ }, _) ->
      let is_it (recursive, _, b) =
        recursive = Asttypes.Recursive && inside e.pexp_loc b.pvb_loc
        && Names.Set.mem name (Names.pattern_names b.pvb_pat)
      in
      List.exists is_it read.bindings
    | _ -> false
  in
  let of_branch (item, branches) =
    let holds e = List.exists (fun hole -> inside hole e.pexp_loc) holes in
    let rec parted before = function
      | e :: _ when holds e -> Some (List.rev before, e)
      | e :: rest -> parted (if is_exit e then before else e :: before) rest
      | [] -> None
    in
    match parted [] branches with
    | None | Some ([], _) -> []
    | Some ((earliest :: more as before), wrong) ->
      let first = List.find (fun hole -> inside hole wrong.pexp_loc) holes in
      let suspect { pexp_loc = place; _ } =
        let is_later hole =
          hole != first && inside hole item && (is_after hole place || inside first hole)
        in
        match List.filter is_later holes with
        | [] -> None
        | others ->
          let freed = with_expression place (fun _ -> hole_expression place) in
          Some (instead place (first :: others) freed)
      in
      let tried =
        if List.compare_length_with more 2 < 0 then before
        else
          match List.find_opt (fun e -> not (calls_itself e)) before with
          | Some e when e != earliest -> [ e; earliest ]
          | _ -> [ earliest ]
      in
      List.filter_map suspect tried
  in
  List.concat_map of_branch read.branches

(* A condition without [else] gives nothing, wherever it stands. *)
let of_conditions holes read =
  let of_condition place =
    match List.filter (fun hole -> inside hole place) holes with
    | _ :: _ :: _ as cured when List.exists (same place) cured ->
      let with_else e =
        match e.pexp_desc with
        | Pexp_ifthenelse (c, a, None) ->
          { e with pexp_desc = Pexp_ifthenelse (c, a, Some (hole_expression place)) }
        | _ -> e
      in
      [ instead place cured (with_expression place with_else) ]
    | _ -> []
  in
  List.concat_map of_condition read.halves

(* Cases that were meant for the match around theirs, which lacks its parentheses. *)
let of_nested holes read =
  let of_match (place, patterns) =
    let holding k pattern =
      List.filter (fun hole -> inside hole pattern) holes |> List.map (fun hole -> (k, hole))
    in
    match List.concat (List.mapi holding patterns) with
    | (k, first) :: _ when k > 0 -> (
      let is_later hole = hole != first && inside hole place && is_after hole first in
      match List.filter is_later holes with
      | [] -> []
      | others ->
        let freed = with_cases_outside place k in
        [ instead place (first :: others) freed ])
    | _ -> []
  in
  List.concat_map of_match read.nested
