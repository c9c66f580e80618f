(* The standard library under names the code cannot shadow: every value and module of
   [Stdlib], bound again.  Types are left alone: a problem may ask for a [result] or an
   [option] of its own. *)

open Ast_helper

let nowhere = Location.mknoloc
let stdlib name = nowhere (Compat.dot (Longident.Lident "Stdlib") name)
let boolean () = Typ.constr (nowhere (Longident.Lident "bool")) []

(* [&&] and [||] must stay primitives: a function would evaluate both sides. *)
let lazy_operator name primitive =
  Str.primitive
    (Val.mk ~prim:[ primitive ] (nowhere name)
       (Typ.arrow Asttypes.Nolabel (boolean ())
          (Typ.arrow Asttypes.Nolabel (boolean ()) (boolean ()))))

let value name (description : Types.value_description) =
  match description.val_kind with
  | Types.Val_prim { prim_name = ("%sequand" | "%sequor") as primitive; _ } ->
    Some (lazy_operator name primitive)
  | Types.Val_prim { prim_name; _ }
    when String.length prim_name > 4 && String.sub prim_name 0 5 = "%loc_" ->
    None
  | _ ->
    Some
      (Str.value Asttypes.Nonrecursive
         [ Vb.mk (Pat.var (nowhere name)) (Exp.ident (stdlib name)) ])

let structure () =
  let env = Lazy.force Names.env in
  let prefix = Some (Longident.Lident "Stdlib") in
  let values = Env.fold_values (fun name _ d found -> (name, d) :: found) prefix env [] in
  let modules = (Names.known prefix).Names.modules in
  List.filter_map (fun (name, d) -> value name d) (List.sort compare values)
  @ List.map
      (fun name -> Str.module_ (Mb.mk (nowhere (Some name)) (Mod.ident (stdlib name))))
      (Names.Set.elements modules)
  @ [ Str.module_ (Mb.mk (nowhere (Some "Stdlib")) (Mod.ident (nowhere (Longident.Lident "Stdlib")))) ]

(* An effect that nobody handles is an exception only in a program that has the library's
   [Effect], and its primitives alone do not link it. *)
let effects () =
  let found = (Names.known (Some (Longident.Lident "Stdlib"))).Names.modules in
  if not (Names.Set.mem "Effect" found) then []
  else
    let name = nowhere (Compat.dot (stdlib "Effect").txt "Continuation_already_resumed") in
    [ Str.value Asttypes.Nonrecursive [ Vb.mk (Pat.any ()) (Exp.construct name None) ] ]
