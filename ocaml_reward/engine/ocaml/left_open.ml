open Parsetree
module Set = Names.Set

let defines i =
  match i.pstr_desc with
  | Pstr_eval _ | Pstr_attribute _ -> false
  | Pstr_value (_, bindings) ->
    List.exists (fun b -> not (Set.is_empty (Names.pattern_names b.pvb_pat))) bindings
  | _ -> true

(* The modules that are written out in a structure, each with what stands in it. *)
let written_out items =
  List.filter_map
    (fun i ->
      match i.pstr_desc with
      | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } -> (
        match pmb_expr.pmod_desc with
        | Pmod_structure inside -> Some (name, inside)
        | _ -> Some (name, []))
      | _ -> None)
    items

(* What a path leads to from the modules in scope, by its path from the top. *)
let resolved own path =
  let further found name =
    Option.map
      (fun (path, inside) ->
        let inside = Option.value ~default:[] (List.assoc_opt name (written_out inside)) in
        (Compat.dot path name, inside))
      found
  in
  match Compat.components path with
  | first :: rest -> List.fold_left further (Names.Map.find_opt first own) rest
  | [] -> None

let modules structure =
  let step (own, opened) i =
    match i.pstr_desc with
    | Pstr_open { popen_expr = { pmod_desc = Pmod_ident { txt; _ }; _ }; _ } -> (
      match resolved own txt with
      | None -> (own, opened)
      | Some (path, inside) ->
        let bring own (name, inside) = Names.Map.add name (Compat.dot path name, inside) own in
        (List.fold_left bring own (written_out inside), (path, true) :: opened))
    | _ when defines i ->
      let inside = written_out [ i ] in
      let add name own =
        let inside = Option.value ~default:[] (List.assoc_opt name inside) in
        Names.Map.add name (Longident.Lident name, inside) own
      in
      ( Set.fold add (Names.defined [ i ]).Names.modules own,
        List.map (fun (path, _) -> (path, false)) opened )
    | _ -> (own, opened)
  in
  List.rev (snd (List.fold_left step (Names.Map.empty, []) structure))

let mentions_open code =
  let rec from place =
    match String.index_from_opt code place 'o' with
    | None -> false
    | Some found ->
      (found + 4 <= String.length code && String.sub code found 4 = "open") || from (found + 1)
  in
  from 0

let modules_of ~code =
  if not (mentions_open code) then []
  else
    match Silence.during (fun () -> Syntax.parse_text Parse.implementation "solution.ml" code) with
    | structure -> modules structure
    | exception _ -> []

let below_solution path =
  List.fold_left Compat.dot (Longident.Lident Syntax.solution) (Compat.components path)

(* What is defined behind an [open] hides what that has brought. *)
let before opened tests =
  let open Ast_helper in
  let items is_last =
    List.filter_map
      (fun (path, last) ->
        if last <> is_last then None
        else
          let m = Mod.ident (Syntax.nowhere (below_solution path)) in
          Some (Str.open_ (Opn.mk ~override:Asttypes.Override m)))
      opened
  in
  let around i =
    match i.pstr_desc with
    | Pstr_open { popen_expr = { pmod_desc = Pmod_ident { txt = Lident name; _ }; _ }; _ }
      when name = Syntax.solution ->
      items false @ [ i ] @ items true
    | _ -> [ i ]
  in
  if opened = [] then tests else List.concat_map around tests

let key opened =
  let text (path, is_last) =
    String.concat "." (Compat.components path) ^ if is_last then "!" else "?"
  in
  String.concat " " (List.map text opened)
