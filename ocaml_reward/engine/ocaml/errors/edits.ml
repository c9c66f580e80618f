(* Edits of a program: replaces an expression, a declared type or a definition. *)

open Parsetree
open Nodes

(* Replaces the expressions at these locations by others. *)
let with_expressions others program =
  let expr self e =
    match List.assoc_opt e.pexp_loc others with
    | Some other -> other
    | None -> Visit.mapper.expr self e
  in
  Visit.map program { Visit.mapper with expr }

(* Replaces the type at a location. *)
let with_type place other program =
  let typ self t = if t.ptyp_loc = place then other else Visit.mapper.typ self t in
  Visit.map program { Visit.mapper with typ }

(* A binding to a value of one unknown type: as an array's element it is not generalised. *)
let unknown loc name =
  let open Ast_helper in
  let pattern = Pat.array ~loc [ Pat.var ~loc (Location.mkloc name loc) ] in
  Vb.mk ~loc pattern (Exp.array ~loc [ hole_expression loc ])

(* Replaces a definition by a value of one unknown type. (ucsd-progsys/nate sp14/0100) *)
let with_unknown name place program =
  let is_it b = b.pvb_loc = place in
  let parted bindings =
    let rest = List.filter (fun b -> not (is_it b)) bindings in
    if List.compare_lengths rest bindings = 0 then None else Some rest
  in
  let expr self e =
    match e.pexp_desc with
    | Pexp_let (recursive, bindings, body) -> (
      match parted bindings with
      | None -> Visit.mapper.expr self e
      | Some rest ->
        let body =
          if rest = [] then body
          else { e with pexp_desc = Pexp_let (recursive, rest, body) }
        in
        { e with pexp_desc = Pexp_let (Nonrecursive, [ unknown place name ], body) })
    | _ -> Visit.mapper.expr self e
  in
  let structure self items =
    let without item =
      match item.pstr_desc with
      | Pstr_value (recursive, bindings) -> (
        match parted bindings with
        | None -> [ Visit.mapper.structure_item self item ]
        | Some rest ->
          Ast_helper.Str.value ~loc:place Nonrecursive [ unknown place name ]
          ::
          (if rest = [] then []
           else [ { item with pstr_desc = Pstr_value (recursive, rest) } ]))
      | _ -> [ self.Ast_mapper.structure_item self item ]
    in
    List.concat_map without items
  in
  Visit.map program { Visit.mapper with expr; structure }

(* Lets calls of a function have any type inside the bindings that define it.
   (ucsd-progsys/nate sp14/0452) *)
let with_free_calls name place program =
  let free b =
    let loc = b.pvb_expr.pexp_loc in
    let itself = hole_bindings loc (Names.Set.singleton name) in
    { b with pvb_expr = Ast_helper.Exp.let_ ~loc Nonrecursive itself b.pvb_expr }
  in
  let freed bindings =
    if List.exists (fun b -> b.pvb_loc = place) bindings then List.map free bindings
    else bindings
  in
  (* Inner bindings first: they may have the same location. *)
  let expr self e =
    let e = Visit.mapper.expr self e in
    match e.pexp_desc with
    | Pexp_let (recursive, bindings, body) ->
      { e with pexp_desc = Pexp_let (recursive, freed bindings, body) }
    | _ -> e
  in
  let structure_item self item =
    let item = Visit.mapper.structure_item self item in
    match item.pstr_desc with
    | Pstr_value (recursive, bindings) ->
      { item with pstr_desc = Pstr_value (recursive, freed bindings) }
    | _ -> item
  in
  Visit.map program { Visit.mapper with expr; structure_item }

(* Gives later uses of a definition any type. (ucsd-progsys/nate fa15/3079) *)
let with_any_uses name place program =
  let is_it = List.exists (fun b -> b.pvb_loc = place) in
  Hole_types.mapper (fun _ bindings ->
      if is_it bindings then Names.Set.singleton name else Names.Set.empty)
  |> Visit.map program

(* The item with [rec] where [name] is used in the bindings that define it as a function; None if
   there are none. (ucsd-progsys/yunounderstand-data student13/hw3/sqsum/0066) *)
let with_rec name (place : Location.t) item =
  let found = ref false in
  let is_it b =
    Function_compat.is_function b.pvb_expr
    && match b.pvb_pat.ppat_desc with Ppat_var { txt; _ } -> txt = name | _ -> false
  in
  let made recursive bindings =
    let uses b = inside place b.pvb_loc in
    if recursive = Asttypes.Nonrecursive && List.exists uses bindings
       && List.exists is_it bindings
       && List.for_all (fun b -> Function_compat.is_function b.pvb_expr) bindings
    then (found := true; Asttypes.Recursive)
    else recursive
  in
  let expr self e =
    match e.pexp_desc with
    | Pexp_let (recursive, bindings, body) ->
      let recursive = made recursive bindings in
      Visit.mapper.expr self { e with pexp_desc = Pexp_let (recursive, bindings, body) }
    | _ -> Visit.mapper.expr self e
  in
  let structure_item self item =
    match item.pstr_desc with
    | Pstr_value (recursive, bindings) ->
      Visit.mapper.structure_item self
        { item with pstr_desc = Pstr_value (made recursive bindings, bindings) }
    | _ -> Visit.mapper.structure_item self item
  in
  let item = Visit.map_item item { Visit.mapper with expr; structure_item } in
  if !found then Some item else None
