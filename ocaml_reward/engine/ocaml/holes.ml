(* Where errors were found in a program, and which of these places count as a mistake each. *)

open Nodes

type hole = {
  kind : node;
  loc : Location.t;
  at : Location.t;  (* where the error itself was reported *)
  report : string;  (* as the compiler prints it *)
  names : Names.Set.t;  (* entry points mentioned in the hole, for tests *)
}

(* The holes that lie in no other, each with the report of the first error found in it:
   the first is the one ocamlc itself stops at.  A dropped item hides nothing found in it
   before; it only counts if its own error is a new one. *)
let maximal holes =
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
  let outermost h =
    not
      (List.exists
         (fun other ->
           other.kind <> Item && inside h.loc other.loc && not (same h.loc other.loc))
         holes)
  in
  let first_inside h =
    if h.kind = Item then h else List.find (fun other -> inside other.loc h.loc) holes
  in
  List.map
    (fun h -> { h with report = (first_inside h).report })
    (without_repeats (List.filter outermost holes))

(* In tests one report per entry point: what else is wrong with it follows. *)
let one_per_name holes =
  let _, kept =
    List.fold_left
      (fun (known, kept) hole ->
        if kept <> [] && Names.Set.subset hole.names known then (known, kept)
        else (Names.Set.union known hole.names, hole :: kept))
      (Names.Set.empty, []) holes
  in
  List.rev kept
