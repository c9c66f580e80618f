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

(* A type under its own name, with its constructors or labels, in a module of its own: what
   tests mention of it comes back with that, and nothing else. *)
let type_again name (declaration : Types.type_declaration) =
  let parsed text =
    match Parse.implementation (Lexing.from_string text) with
    | [ { pstr_desc = Pstr_type (_, [ d ]); _ } ] -> Some d
    | _ -> None
    | exception _ -> None
  in
  let named d =
    let parameters = List.map fst d.Parsetree.ptype_params in
    let same = Typ.constr (nowhere (Longident.Lident name)) parameters in
    { d with ptype_manifest = Some same }
  in
  let parameters = List.mapi (fun i _ -> Printf.sprintf "'p%d" i) declaration.type_params in
  let plain = Printf.sprintf "type %s %s" (match parameters with
      | [] -> "" | _ -> "(" ^ String.concat ", " parameters ^ ")") name
  in
  let whole =
    match declaration.type_kind with
    | Type_variant _ | Type_record _ ->
      parsed
        (Format.asprintf "%a" (Printtyp.type_declaration (Ident.create_local name)) declaration)
    | _ -> None
  in
  Option.map named (match whole with Some _ -> whole | None -> parsed plain)

let types env =
  let add name _ d found = if name = "exn" then found else (name, d) :: found in
  Env.fold_types add None env []
  |> List.sort_uniq (fun (a, _) (b, _) -> String.compare a b)
  |> List.filter_map (fun (name, d) ->
         Option.map
           (fun again ->
             Str.module_
               (Mb.mk (nowhere (Some (Names.type_home name)))
                  (Mod.structure [ Str.type_ Asttypes.Nonrecursive [ again ] ])))
           (type_again name d))

let exceptions () =
  List.map
    (fun name ->
      let again =
        Str.exception_
          (Te.mk_exception (Te.rebind (nowhere name) (nowhere (Longident.Lident name))))
      in
      Str.module_ (Mb.mk (nowhere (Some (Names.exception_home name))) (Mod.structure [ again ])))
    (Names.Set.elements (Lazy.force Names.standard_exceptions))

let structure () =
  let env = Lazy.force Names.env in
  let prefix = Some (Longident.Lident "Stdlib") in
  let values = Env.fold_values (fun name _ d found -> (name, d) :: found) prefix env [] in
  let modules = (Names.known prefix).Names.modules in
  types env
  @ exceptions ()
  @ List.filter_map (fun (name, d) -> value name d) (List.sort compare values)
  @ List.map
      (fun name -> Str.module_ (Mb.mk (nowhere (Some name)) (Mod.ident (stdlib name))))
      (Names.Set.elements modules)
  @ [ (let stdlib = Mod.ident (nowhere (Longident.Lident "Stdlib")) in
       Str.module_ (Mb.mk (nowhere (Some "Stdlib")) stdlib)) ]

let effects () =
  let found = (Names.known (Some (Longident.Lident "Stdlib"))).Names.modules in
  if not (Names.Set.mem "Effect" found) then []
  else
    let name = nowhere (Compat.dot (stdlib "Effect").txt "Continuation_already_resumed") in
    [ Str.value Asttypes.Nonrecursive [ Vb.mk (Pat.any ()) (Exp.construct name None) ] ]
