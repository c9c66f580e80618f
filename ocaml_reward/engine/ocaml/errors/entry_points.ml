(* Decides which entry points of the code the tests find wrong. *)

open Holes

(* The entry points that these holes mention. *)
let mentioned holes =
  List.fold_left (fun names hole -> Names.Set.union names hole.names) Names.Set.empty holes

(* A small set with a name of each hole, including [chosen]: that of most holes first. *)
let rec hitting chosen holes =
  let holes = List.filter (fun hole -> Names.Set.disjoint hole.names chosen) holes in
  let times name = List.length (List.filter (fun h -> Names.Set.mem name h.names) holes) in
  let more name best = if times name > times best then name else best in
  match Names.Set.elements (mentioned holes) with
  | [] -> chosen
  | name :: names -> hitting (Names.Set.add (List.fold_right more names name) chosen) holes

(* As few names as explain the holes: those that are unbound, and others.
   (ucsd-progsys/yunounderstand-data student13/hw3/pipe/0085) *)
let wrong found =
  let missing, others = List.partition (fun hole -> hole.missing) found in
  hitting (mentioned missing) others
