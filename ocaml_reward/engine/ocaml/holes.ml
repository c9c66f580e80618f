open Nodes

type hole = {
  kind : node;
  loc : Location.t;
  at : Location.t;
  report : string;
  names : Names.Set.t;
  missing : bool;
}

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

let one_per_name holes =
  let _, kept =
    List.fold_left
      (fun (known, kept) hole ->
        if kept <> [] && Names.Set.subset hole.names known then (known, kept)
        else (Names.Set.union known hole.names, hole :: kept))
      (Names.Set.empty, []) holes
  in
  List.rev kept
