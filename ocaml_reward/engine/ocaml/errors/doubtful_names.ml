(* Finds definitions that contain a type error or use one that does; errors about them elsewhere
   may only follow. *)

open Parsetree

(* The names of values and modules in [program] whose definitions contain one of [holes] or use one that does.
   (ucsd-progsys/yunounderstand-data pair00052) *)
let names holes program =
  let is_wrong known item =
    List.exists (fun hole -> Nodes.inside hole item.pstr_loc) holes
    || not (Names.Set.disjoint known (Names.mentioned [ item ]))
  in
  List.fold_left
    (fun known item ->
      if is_wrong known item then
        let defined = Names.defined [ item ] in
        Names.Set.(union known (union defined.values defined.modules))
      else known)
    Names.Set.empty program
