(* Of the errors that were found in a program, those that are mistakes of their own: where
   one change elsewhere would take several away, they are one. *)

open Holes
open Repair

let matches (left : hole) hole = Nodes.inside left.at hole.loc || Nodes.inside hole.at left.loc

(* What is left of the errors [holes] once [suspect] is put right: None where that is no
   fewer, or where others come up. *)
let without state env holes (suspect : Blame.suspect) =
  let count = List.length holes in
  let program = Lazy.force suspect.freed in
  let again = starting ~cascade:(Cascade.start ()) ~bound:count ~uses:state.uses in
  again.work <- state.work;
  again.hopeless <- suspect.shown;
  (match Typing.attempt env program with
   | Typed _ -> ()
   | Failed failure -> ignore (repair again env program failure));
  state.work <- again.work;
  let left = maximal (List.rev again.found) in
  let is_left hole = List.exists (fun one -> matches one hole) left in
  let itself =
    match suspect.kept with
    | Some place -> List.exists (fun one -> Nodes.inside one.loc place) left
    | None -> false
  in
  let kept = List.filter is_left holes in
  let fewer = List.length kept + if itself then 0 else 1 in
  if again.gave_up || List.length left <> List.length kept || fewer >= count then None
  else
    let first = List.filter (fun hole -> not (is_left hole)) holes in
    Some (program, kept, if itself then [] else [ List.hd first ])

(* What one attempt costs besides typing. *)
let attempt_work = 20_000

(* The errors among [holes] that are mistakes of their own, in their order. *)
let rec independent state env program holes =
  let try_ found suspect =
    match found with
    | Some _ -> found
    | None when state.work < attempt_work -> None
    | None ->
      state.work <- state.work - attempt_work;
      let found = without state env holes suspect in
      if found <> None then state.causes <- suspect.place :: state.causes;
      found
  in
  match holes with
  | [] | [ _ ] -> holes
  | _ -> (
    let locs = List.map (fun hole -> hole.loc) holes in
    match List.fold_left try_ None (Blame.suspects locs program) with
    | None -> holes
    | Some (program, kept, cause) ->
      let kept = independent state env program kept @ cause in
      List.filter (fun hole -> List.memq hole kept) holes)
