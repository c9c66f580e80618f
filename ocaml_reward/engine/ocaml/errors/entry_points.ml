(* Decides which entry points of the code the tests find wrong: those that must have another type
   for the errors in the tests to disappear. *)

open Holes
open Recovery

(* The entry points that these holes mention. *)
let mentioned holes =
  List.fold_left (fun names hole -> Names.Set.union names hole.names) Names.Set.empty holes

(* Names sorted by the number of holes that mention them. *)
let by_holes holes names =
  let times name = List.length (List.filter (fun h -> Names.Set.mem name h.names) holes) in
  let counted = List.map (fun name -> (times name, name)) (Names.Set.elements names) in
  List.map snd (List.stable_sort (fun (a, _) (b, _) -> compare b a) counted)

(* A small set with a name of each hole (greedy), including [chosen]. *)
let rec hitting chosen holes =
  let is_hit hole = not (Names.Set.disjoint hole.names chosen) in
  let holes = List.filter (fun hole -> not (is_hit hole)) holes in
  match by_holes holes (mentioned holes) with
  | [] -> chosen
  | name :: _ -> hitting (Names.Set.add name chosen) holes

let most_attempts = 40

(* The remaining errors in the tests if these entry points have any type; None if the work is used
   up. *)
let left_with state env tests ~bound names =
  let env = Inferred_signatures.loosened "Solution" names env in
  let again = starting ~cascade:(Followups.start ()) ~bound ~uses:state.uses in
  again.work <- state.work;
  let before = Type_compat.snapshot () in
  (match Type_items.attempt env tests with
   | Typed _ -> ()
   | Failed failure -> ignore (repair again env tests failure));
  Type_compat.backtrack before;
  state.work <- again.work;
  if again.gave_up then None
  else Some (List.filter (fun hole -> not hole.missing) (counted again))

(* As few names as explain the holes found in these tests. *)
let wrong state env tests found =
  let attempts = ref most_attempts in
  let missing, others = List.partition (fun hole -> hole.missing) found in
  let gone = mentioned missing in
  let bound = List.length found + 1 in
  let rec go chosen holes =
    let attempt best name =
      match best with
      | Some (_, []) -> best
      | _ when !attempts = 0 || state.work < 0 -> best
      | _ -> (
        decr attempts;
        let chosen = Names.Set.add name chosen in
        match (left_with state env tests ~bound chosen, best) with
        | Some left, Some (_, fewest) when List.compare_lengths left fewest < 0 ->
          Some (chosen, left)
        | Some left, None when List.compare_lengths left holes < 0 -> Some (chosen, left)
        | _ -> best)
    in
    let names = Names.Set.diff (mentioned holes) chosen in
    if Names.Set.cardinal names < 2 then Names.Set.union names chosen
    else
      match List.fold_left attempt None (by_holes holes names) with
      | Some (chosen, []) -> chosen
      | Some (chosen, left) -> go chosen left
      | None -> hitting chosen holes
  in
  let is_sole hole = Names.Set.subset hole.names gone in
  let others = List.filter (fun hole -> not (is_sole hole)) others in
  Names.Set.union gone (go Names.Set.empty others)
