open Parsetree
module Set = Names.Set

type opened = { path : Longident.t; is_last : bool; hides : Names.t }

type t = { opened : opened list; modules : Longident.t Names.Map.t }

let defines i =
  match i.pstr_desc with
  | Pstr_eval _ | Pstr_attribute _ -> false
  | Pstr_value (_, bindings) ->
    List.exists (fun b -> not (Set.is_empty (Names.pattern_names b.pvb_pat))) bindings
  | _ -> true

(* Names of names of names have no end. *)
let most = 2_000
let looked = ref 0

(* What stands in a module: where it is written out, is another one's name, or is made by a
   functor that is written out; a signature may hide some of that. *)
let rec contents own m =
  incr looked;
  match m.pmod_desc with
  | _ when !looked > most -> []
  | Pmod_structure inside -> inside
  | Pmod_functor (_, m) | Pmod_apply (m, _) -> contents own m
  | Pmod_ident { txt; _ } -> (
    match resolved own txt with Some (_, inside) -> inside | None -> [])
  | _ -> []

(* The modules in a structure, each with what stands in it. *)
and written_out own items =
  let step (own, found) i =
    match i.pstr_desc with
    | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } ->
      let inside = contents own pmb_expr in
      (Names.Map.add name (Longident.Lident name, inside) own, (name, inside) :: found)
    | _ -> (own, found)
  in
  List.rev (snd (List.fold_left step (own, []) items))

(* What a path leads to from the modules in scope, by its path from the top. *)
and resolved own path =
  let further found name =
    Option.map
      (fun (path, inside) ->
        let inside = Option.value ~default:[] (List.assoc_opt name (written_out own inside)) in
        (Path_compat.dot path name, inside))
      found
  in
  match Path_compat.components path with
  | first :: rest -> List.fold_left further (Names.Map.find_opt first own) rest
  | [] -> None

(* Which of the library's names such items hide. *)
let hidden items =
  let defined = Names.defined items and standard = Lazy.force Names.standard in
  { Names.empty with
    values = Set.inter defined.values standard.values;
    modules = Set.inter defined.modules standard.modules }

(* What such an item defines, as far as it is written out. *)
let brought own i =
  match i.pstr_desc with
  | Pstr_include { pincl_mod = { pmod_desc = Pmod_ident { txt; _ }; _ }; _ } -> (
    match resolved own txt with Some (_, inside) -> inside | None -> [])
  | Pstr_include { pincl_mod = { pmod_desc = Pmod_structure inside; _ }; _ } -> inside
  | _ -> [ i ]

let of_code structure =
  looked := 0;
  let step (own, opened) i =
    match i.pstr_desc with
    | Pstr_open { popen_expr = { pmod_desc = Pmod_ident { txt; _ }; _ }; _ } -> (
      match resolved own txt with
      | None -> (own, opened)
      | Some (path, inside) ->
        let bring own (name, inside) = Names.Map.add name (Path_compat.dot path name, inside) own in
        ( List.fold_left bring own (written_out own inside),
          { path; is_last = true; hides = hidden inside } :: opened ))
    | _ when defines i ->
      let items = brought own i in
      let inside = written_out own items in
      let add name own =
        let inside = Option.value ~default:[] (List.assoc_opt name inside) in
        Names.Map.add name (Longident.Lident name, inside) own
      in
      let own = Set.fold add (Names.defined items).Names.modules own in
      let behind = hidden items in
      let rest o =
        { o with
          is_last = false;
          hides =
            { o.hides with
              values = Set.diff o.hides.values behind.values;
              modules = Set.diff o.hides.modules behind.modules } }
      in
      (own, List.map rest opened)
    | _ -> (own, opened)
  in
  let own, opened = List.fold_left step (Names.Map.empty, []) structure in
  { opened = List.rev opened; modules = Names.Map.map fst own }

let mentions word code =
  let rec from place =
    match String.index_from_opt code place word.[0] with
    | None -> false
    | Some found ->
      let length = String.length word in
      (found + length <= String.length code && String.sub code found length = word)
      || from (found + 1)
  in
  from 0

let nothing = { opened = []; modules = Names.Map.empty }

let of_text ~code ~tests =
  if not (mentions "open" code || (mentions "module" code && not (Set.is_empty (Code_file.names tests)))) then
    nothing
  else
    match Silently.during (fun () -> Syntax.parse_text Parse.implementation "solution.ml" code) with
    | structure -> of_code structure
    | exception _ -> nothing

(* The tests name what the library has, too, by way of the code's unit: where a module that
   was opened hides it, it is in that module. *)
let found_in opened item =
  let home has path =
    match Path_compat.components path with
    | [ unit_name; name ] when unit_name = Syntax.solution ->
      List.find_opt (fun o -> Set.mem name (has o.hides)) (List.rev opened)
      |> Option.map (fun o -> Path_compat.dot (Syntax.in_solution o.path) name)
    | _ -> None
  in
  let at_home has ({ txt; _ } as at : Longident.t Location.loc) make =
    Option.map (fun txt -> make { at with txt }) (home has txt)
  in
  match item.pstr_desc with
  | Pstr_module ({ pmb_expr = { pmod_desc = Pmod_ident path; _ }; _ } as b) ->
    at_home (fun n -> n.Names.modules) path (fun path ->
        { item with pstr_desc = Pstr_module { b with pmb_expr = Ast_helper.Mod.ident path } })
  | Pstr_value (r, [ ({ pvb_expr = { pexp_desc = Pexp_ident path; _ }; _ } as b) ]) ->
    at_home (fun n -> n.Names.values) path (fun path ->
        { item with pstr_desc = Pstr_value (r, [ { b with pvb_expr = Syntax.value path } ]) })
  | _ -> None

(* What is defined behind an [open] hides what that has brought. *)
let behind_opens opened tests =
  let open Ast_helper in
  let items is_last =
    List.filter_map
      (fun o ->
        if o.is_last <> is_last then None
        else
          let m = Mod.ident (Syntax.nowhere (Syntax.in_solution o.path)) in
          Some (Str.open_ (Opn.mk ~override:Asttypes.Override m)))
      opened
  in
  let around i =
    match i.pstr_desc with
    | Pstr_open { popen_expr = { pmod_desc = Pmod_ident { txt = Lident name; _ }; _ }; _ }
      when name = Syntax.solution ->
      items false @ [ i ] @ items true
    | _ -> [ Option.value ~default:i (found_in opened i) ]
  in
  if opened = [] then tests else List.concat_map around tests

let before { opened; modules } tests =
  behind_opens opened (Code_file.placed modules tests)

let key { opened; modules } tests =
  let text { path; is_last; hides = { values; modules; _ } } =
    String.concat "," (Path_compat.components path @ Set.elements values @ Set.elements modules)
    ^ if is_last then "!" else "?"
  in
  let at (name, path) = String.concat "." (name :: Path_compat.components path) in
  let names = Code_file.names tests in
  let modules = Names.Map.filter (fun name _ -> Set.mem name names) modules in
  String.concat " " (List.map text opened @ List.map at (Names.Map.bindings modules))
