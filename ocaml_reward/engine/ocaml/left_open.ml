open Parsetree
module Set = Names.Set

let defines i =
  match i.pstr_desc with
  | Pstr_eval _ | Pstr_attribute _ -> false
  | Pstr_value (_, bindings) ->
    List.exists (fun b -> not (Set.is_empty (Names.pattern_names b.pvb_pat))) bindings
  | _ -> true

let modules structure =
  let step (own, opened) i =
    match i.pstr_desc with
    | Pstr_open { popen_expr = { pmod_desc = Pmod_ident { txt; _ }; _ }; _ } ->
      let is_own = match Names.root txt with Some m -> Set.mem m own | None -> false in
      (own, if is_own then (txt, true) :: opened else opened)
    | _ when defines i ->
      ( Set.union (Names.defined [ i ]).Names.modules own,
        List.map (fun (path, _) -> (path, false)) opened )
    | _ -> (own, opened)
  in
  List.rev (snd (List.fold_left step (Set.empty, []) structure))

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
