(* Locations of type errors, and which of them count as mistakes. *)

open Nodes

type hole = {
  kind : Nodes.node;
  loc : Location.t;
  at : Location.t;  (* where the error was reported *)
  report : string;  (* the compiler's message *)
  names : Names.Set.t;  (* entry points mentioned in the hole (tests only) *)
  missing : bool;  (* about an unbound name *)
  sure : bool;  (* wrong in any context *)
}

(* Why an error is no mistake of its own: it follows from an earlier one, a wider hole replaced
   its hole, or one change or one small hole explains it and others. *)
type merged = Follows | Wider | One_cause | One_hole

(* The holes without those that a wider one hides, each once, with the report of the first error
   that it stands for.  [hides other h]: [other] includes [h].
   (ucsd-progsys/yunounderstand-data fa15/student01.hw3:71) *)
let remaining hides holes =
  let holes =
    List.filter
      (fun h ->
        h.kind <> Item
        || not
             (List.exists
                (fun o -> o != h && inside h.at o.loc && inside o.loc h.loc)
                holes))
      holes
  in
  let rec without_repeats = function
    | [] -> []
    | h :: rest -> h :: without_repeats (List.filter (fun other -> not (same other.loc h.loc)) rest)
  in
  let hides other h =
    other.kind <> Item && inside h.loc other.loc && not (same h.loc other.loc) && hides other h
  in
  let is_hidden h = List.exists (fun other -> hides other h) holes in
  let first_of h = List.find (fun other -> same other.loc h.loc || hides h other) holes in
  List.map
    (fun h -> { h with report = (first_of h).report })
    (without_repeats (List.filter (fun h -> not (is_hidden h)) holes))

(* The holes that count, each with the report of the first error that it stands for, in the order
   found.  A hole is dropped if a wider one replaced it.  Errors already found in a dropped item are
   kept; the drop itself counts only if its error is new. (ucsd-progsys/nate sp14/1320) *)
let distinct holes =
  let holes = remaining (fun wider h -> inside wider.at h.loc) holes in
  let follows known h =
    h.kind <> Item
    && List.exists (fun o -> inside o.loc h.loc && not (same o.loc h.loc)) known
  in
  let add known h = if follows known h then known else h :: known in
  List.rev (List.fold_left add [] holes)

(* The holes that mention an entry point that no earlier one mentions.
   (ucsd-progsys/yunounderstand-data student13/hw3/pipe/0085) *)
let one_per_name holes =
  let _, kept =
    List.fold_left
      (fun (known, kept) hole ->
        if kept <> [] && Names.Set.subset hole.names known then (known, kept)
        else (Names.Set.union known hole.names, hole :: kept))
      (Names.Set.empty, []) holes
  in
  List.rev kept
