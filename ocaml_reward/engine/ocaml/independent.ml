(* Of the errors that were found in a program, those that are mistakes of their own: where
   one change elsewhere would take several away, they are one. *)

open Parsetree
open Holes
open Repair

(* A program and its errors, with the places from which on it can be typed anew. *)
type judged = { program : structure; holes : hole list; reached : (Location.t * Env.t) list }

let matches (left : hole) hole = Nodes.inside left.at hole.loc || Nodes.inside hole.at left.loc

let is_before (place : Location.t) (other : Location.t) =
  place.loc_start.pos_cnum < other.loc_start.pos_cnum

(* The program parted at the last item from which on it can be typed anew, and that is not
   behind [place]. *)
let parted env { program; reached; _ } (place : Location.t) =
  match List.filter (fun (start, _) -> not (is_before place start)) reached with
  | [] -> ([], env, program, [])
  | (start, env) :: _ as reached ->
    let before, items = List.partition (fun item -> is_before item.pstr_loc start) program in
    (before, env, items, reached)

(* What there is once [suspect] is put right, and the error that stands for it: None where
   errors are not fewer then, or others. *)
let without state env judged (suspect : Blame.suspect) =
  let before, env, items, reached = parted env judged suspect.place in
  let items = suspect.freed items in
  let in_items hole = List.exists (fun item -> Nodes.inside hole.loc item.pstr_loc) before in
  let earlier, later = List.partition in_items judged.holes in
  let count = List.length later in
  let again = starting ~cascade:(Cascade.start ()) ~bound:count ~uses:state.uses in
  again.work <- state.work;
  again.hopeless <- suspect.shown;
  (match Typing.attempt env items with
   | Typed _ -> ()
   | Failed failure -> ignore (repair again env items failure));
  state.work <- again.work;
  let left = maximal (List.rev again.found) in
  let is_left hole = List.exists (fun one -> matches one hole) left in
  let itself =
    match suspect.kept with
    | Some place -> List.exists (fun one -> Nodes.inside one.loc place) left
    | None -> false
  in
  let kept, gone = List.partition is_left later in
  let fewer = List.length kept + if itself then 0 else 1 in
  if again.gave_up || List.length left <> List.length kept || fewer >= count then None
  else
    let others (place, _) = not (List.exists (fun (known, _) -> known = place) reached) in
    let reached = List.filter others again.reached @ reached in
    Some
      ( { program = before @ items; holes = earlier @ kept; reached },
        if itself then [] else [ List.hd gone ] )

(* What one attempt costs besides typing, and how many there are at most. *)
let attempt_work = 20_000
let most_attempts = 24

(* The errors that are mistakes of their own, in their order. *)
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
      let suspects = Blame.suspects holes judged.program in
      match List.fold_left (attempt judged) None suspects with
      | None -> holes
      | Some (judged, cause) -> causes judged @ cause)
  in
  let kept = causes { program; holes; reached = state.reached } in
  List.filter (fun hole -> List.memq hole kept) holes
