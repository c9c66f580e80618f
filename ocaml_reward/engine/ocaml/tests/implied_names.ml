open Parsetree

let head path = match Path_compat.components path with name :: _ -> name | [] -> ""

(* Values of any type for all that is named by one of [heads], or lies in it. *)
let with_any heads items =
  let default = Ast_mapper.default_mapper in
  let expr self e =
    match e.pexp_desc with
    | Pexp_ident { txt; _ } when Names.Set.mem (head txt) heads -> Nodes.hole_expression e.pexp_loc
    | _ -> default.expr self e
  in
  let mapper = { default with expr } in
  mapper.structure mapper items

let of_tests ~never ~(uses : Names.t) structure =
  let standard = Lazy.force Names.standard in
  let unknown = Names.Set.union uses.values uses.modules in
  let typed env implied item =
    match Type_items.undo env (with_any (Names.Set.union unknown implied) [ item ]) with
    | Type_items.Typed left -> Some left
    | Failed _ -> None
  in
  let is_value name = Names.Set.mem name standard.values in
  (* The fewest without which the item does not type; none if it does not type with all. *)
  let needed env implied item =
    let free = Free_names.names [ item ] in
    let of_library = Names.Set.union (Names.Set.inter free.values standard.values) in
    let candidates = of_library (Names.Set.inter free.modules standard.modules) in
    let all = Names.Set.union implied (Names.Set.diff candidates never) in
    if typed env all item = None then implied
    else
      let without name kept =
        let fewer = Names.Set.remove name kept in
        if Names.Set.mem name implied || typed env fewer item = None then kept else fewer
      in
      Names.Set.fold without all all
  in
  let step (env, implied) item =
    match typed env implied item with
    | Some left -> (left, implied)
    | None ->
      let implied = needed env implied item in
      (Option.value ~default:env (typed env implied item), implied)
  in
  match List.fold_left step (Lazy.force Names.env, Names.Set.empty) structure with
  | _, implied ->
    Type_items.reset ();
    let values, modules = Names.Set.partition is_value implied in
    { Names.empty with values; modules }
  | exception _ -> Names.empty
