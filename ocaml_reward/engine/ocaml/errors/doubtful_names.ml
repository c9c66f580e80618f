(* Finds definitions that contain a type error or use one that does; errors about them elsewhere
   may only follow. *)

open Parsetree

(* The names that an item defines, "*" for any. *)
let defined item =
  Names.Set.union (Names.defined [ item ]).values
    (Names.Set.of_list (Followups.vanishing (Nodes.Item, item.pstr_loc) [ item ]))

(* The names of definitions in [program] that contain one of [holes] or use one that does; "*"
   stands for any. *)
let names holes program =
  let is_wrong known item =
    Names.Set.mem "*" known
    || List.exists (fun hole -> Nodes.inside hole item.pstr_loc) holes
    || not (Names.Set.is_empty (Names.Set.inter known (Names.mentioned [ item ])))
  in
  List.fold_left
    (fun known item ->
      if is_wrong known item then Names.Set.union known (defined item) else known)
    Names.Set.empty program
