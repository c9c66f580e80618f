(* Merges errors with one cause: where one change elsewhere removes several errors, they count as
   one. *)

open Parsetree
open Nodes
open Holes
open Recovery

(* A program with its errors, and the environments from which it can be typed again. *)
type judged = {
  program : structure;
  holes : hole list;
  changed : Location.t list;  (* locations already corrected *)
  reached : (Location.t * Env.t) list;
}

(* Whether two errors are in the same place: the one's error in the other's hole. *)
let matches (left : hole) hole = Nodes.inside left.at hole.loc || Nodes.inside hole.at left.loc

(* The hole most likely to belong to an error, as holes may be nested; a list of one or none. *)
let nearest one holes =
  let distance hole = if same one.loc hole.loc then -1 else size hole.loc in
  match List.filter (matches one) holes with
  | [] -> []
  | first :: rest ->
    let nearer a b = if distance b < distance a then b else a in
    [ List.fold_left nearer first rest ]

(* Whether a location starts before another. *)
let is_before (place : Location.t) (other : Location.t) =
  place.loc_start.pos_cnum < other.loc_start.pos_cnum

(* Splits the program at the last recorded environment before [place]: the items before, the
   environment, the items after and the environments up to there. *)
let parted env { program; reached; _ } (place : Location.t) =
  match List.filter (fun (start, _) -> not (is_before place start)) reached with
  | [] -> ([], env, program, [])
  | (start, env) :: _ as reached ->
    let before, items = List.partition (fun item -> is_before item.pstr_loc start) program in
    (before, env, items, reached)

(* Whether a hole can replace an error, which is not one that a suspect may explain; not an unbound
   name, which recurs elsewhere. (ucsd-progsys/yunounderstand-data fa15/student25.hw3:7) *)
let unrelated (suspect : Cause_candidates.suspect) hole =
  (match hole.kind with Expression | Pattern | Type -> true | _ -> false)
  && (not (List.memq hole.loc suspect.cured))
  && not (Followups.is_missing hole.report)

(* The items with the change that the suspect proposes. *)
let freed (suspect : Cause_candidates.suspect) items =
  List.concat_map
    (fun item ->
      if inside suspect.place item.pstr_loc then suspect.freed [ item ] else [ item ])
    items

(* The errors in [items]; None if there are any that are not among [holes].
   (ucsd-progsys/yunounderstand-data fa15/student29.hw3:168) *)
let left_in ?(filled = []) state env ~changed ~hopeless holes items =
  let bound = List.length holes in
  let again = starting ~cascade:(Followups.start ()) ~bound ~uses:state.uses in
  again.work <- state.work;
  again.causes <- changed;
  again.hopeless <- hopeless;
  (match Type_items.attempt env items with
   | Typed _ -> ()
   | Failed failure -> ignore (repair again env items failure));
  state.work <- again.work;
  (* Errors around a filled hole may only follow from it. *)
  let is_around one = List.exists (fun hole -> inside hole.loc one.loc) filled in
  let found = List.filter (fun one -> not (is_around one)) (counted again) in
  let known = List.concat_map (fun one -> nearest one holes) found in
  let left = List.filter (fun hole -> List.memq hole known) holes in
  if again.gave_up || List.length left <> List.length found then None
  else Some (left, found, again.reached)

(* The program with [suspect] corrected, and the error that represents it; None unless there are
   fewer errors and no new ones.  First tried with all other errors replaced by holes.
   (ucsd-progsys/yunounderstand-data pair02175) *)
let without state env judged (suspect : Cause_candidates.suspect) =
  let before, env, items, reached = parted env judged suspect.place in
  let items = freed suspect items in
  let changed = suspect.place :: judged.changed in
  let is_before hole = List.exists (fun item -> inside hole.loc item.pstr_loc) before in
  let earlier, holes = List.partition is_before judged.holes in
  let others, later = List.partition (unrelated suspect) holes in
  let itself found =
    match suspect.kept with
    | Some place -> List.exists (fun hole -> hole.missing && inside hole.loc place) found
    | None -> false
  in
  let is_fewer left found holes =
    List.length left + (if itself found then 0 else 1) < List.length holes
  in
  let first = List.hd suspect.cured in
  let hopeless at loc =
    inside at first
    || not (List.exists (fun h -> inside at h.loc || inside h.at loc) holes)
  in
  let filled = Fewest_holes.filled others items in
  match left_in ~filled:others state env ~changed ~hopeless later filled with
  | Some (left, found, _) when is_fewer left (found @ others) later -> (
    match left_in state env ~changed ~hopeless:(fun _ _ -> false) holes items with
    | Some (left, found, more) when is_fewer left found holes ->
      let known (place, _) = List.exists (fun (other, _) -> other = place) reached in
      let reached = List.filter (fun one -> not (known one)) more @ reached in
      let gone = List.filter (fun hole -> not (List.memq hole left)) holes in
      Some
        ( { program = before @ items; holes = earlier @ left; changed; reached },
          if itself found then [] else [ List.hd gone ] )
    | _ -> None)
  | _ -> None

(* The fixed cost of an attempt, and the maximal number. (ucsd-progsys/nate fa15/2583) *)
let attempt_work = 20_000
let most_attempts = 24

(* The errors that are mistakes of their own, in order; the others have a cause in common with one
   of these. *)
let independent state env program holes =
  let attempts = ref 0 in
  let attempt judged found suspect =
    if found <> None || state.work < attempt_work || !attempts = most_attempts then found
    else begin
      state.work <- state.work - attempt_work;
      incr attempts;
      let found = without state env judged suspect in
      if found <> None then state.causes <- suspect.place :: state.causes;
      found
    end
  in
  let rec causes judged =
    match judged.holes with
    | [] | [ _ ] -> judged.holes
    | holes -> (
      let suspects = Cause_candidates.suspects holes judged.program in
      match List.fold_left (attempt judged) None suspects with
      | None -> holes
      | Some (judged, cause) -> causes judged @ cause)
  in
  let kept = causes { program; holes; changed = []; reached = state.reached } in
  List.filter (fun hole -> List.memq hole kept) holes
