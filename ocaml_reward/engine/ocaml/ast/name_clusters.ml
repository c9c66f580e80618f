(* What names reach: groups of names that share state, and what the bindings of a [let] reach. *)

module Set = Names.Set

(* Returns a function from names to the representatives of their groups: the names of each set
   belong together. *)
let merged linked =
  let parents = Hashtbl.create 64 in
  let rec top name =
    match Hashtbl.find_opt parents name with
    | None -> name
    | Some parent ->
      let found = top parent in
      Hashtbl.replace parents name found;
      found
  in
  let merge a b = if top a <> top b then Hashtbl.replace parents (top a) (top b) in
  List.iter
    (fun reached ->
      Option.iter (fun first -> Set.iter (merge first) reached) (Set.min_elt_opt reached))
    linked;
  Set.map top

(* The state after the bindings of a [let], each name bound to the set [of_expression]. *)
let bind_all ~bind_pattern ~of_expression t recursive bindings =
  let open Parsetree in
  if recursive = Asttypes.Recursive then
    let patterns = List.map (fun b -> b.pvb_pat) bindings in
    let inner = List.fold_left (bind_pattern Set.empty) t patterns in
    let add reached b = Set.union reached (of_expression inner b.pvb_expr) in
    let reached = List.fold_left add Set.empty bindings in
    List.fold_left (bind_pattern reached) t patterns
  else
    List.fold_left
      (fun inner b -> bind_pattern (of_expression t b.pvb_expr) inner b.pvb_pat)
      t bindings

(* Numbers in order as ranges: [3-5,9-9]. *)
let ranges places =
  let add found place =
    match found with
    | (first, last) :: rest when place = last + 1 -> (first, place) :: rest
    | _ -> (place, place) :: found
  in
  let range (first, last) = Printf.sprintf "%d-%d" first last in
  String.concat "," (List.rev_map range (List.fold_left add [] places))
