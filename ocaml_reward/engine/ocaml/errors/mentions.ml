open Parsetree
open Nodes

type mention = {
  name : string;
  at : Location.t;
  around : Location.t;
  reach : Location.t;
}

type read = {
  contexts : Location.t array;
  mentions : mention list;
  bindings : (Asttypes.rec_flag * bool * value_binding) list;
  scopes : (Names.Set.t * Location.t) list;
  annotations : (Location.t * Location.t) list;
  components : (string * core_type) list;
  matches : (Location.t * Location.t list) list;
  branches : (Location.t * expression list) list;
  calls : (Location.t * expression * (Asttypes.arg_label * expression) list) list;
  partners : Location.t list;
}

let last path = match List.rev (Path_compat.components path) with name :: _ -> name | [] -> ""

(* What an expression comes to. *)
let rec ends e =
  match e.pexp_desc with
  | Pexp_match (_, cases) -> ends_of_cases cases
  | Pexp_try (body, cases) -> ends body @ ends_of_cases cases
  | Pexp_ifthenelse (_, a, Some b) -> ends a @ ends b
  | Pexp_let (_, _, body) | Pexp_sequence (_, body) | Pexp_open (_, body) -> ends body
  | _ -> [ e ]

and ends_of_cases cases = List.concat_map (fun c -> ends c.pc_rhs) cases

let read holes program =
  let holes = Array.of_list holes in
  let contexts = Array.map (fun _ -> Location.none) holes in
  let mentions = ref [] and bindings = ref [] and annotations = ref [] in
  let components = ref [] and calls = ref [] in
  let default = Ast_iterator.default_iterator in
  let call = ref Location.none and definition = ref Location.none and owner = ref None in
  (* Smaller nodes come later. *)
  let enclose place =
    Array.iteri
      (fun i hole ->
        if inside hole place && not (same hole place) then contexts.(i) <- place)
      holes
  in
  let head = ref Location.none in
  let matches = ref [] and partners = ref [] in
  let branches = ref [] and branched = Hashtbl.create 16 and here = ref Location.none in
  let scopes = ref [] in
  let bound p { pexp_loc = within; _ } =
    scopes := (Names.pattern_names p, within) :: !scopes
  in
  let together recursive own =
    match own with
    | _ :: _ :: _ when recursive = Asttypes.Recursive ->
      partners := List.map (fun b -> b.pvb_loc) own @ !partners
    | _ -> ()
  in
  let branch ends =
    match ends with
    | first :: _ :: _ when not (Hashtbl.mem branched first.pexp_loc) ->
      List.iter (fun e -> Hashtbl.replace branched e.pexp_loc ()) ends;
      branches := (!here, ends) :: !branches
    | _ -> ()
  in
  let mention ?(reach = Location.none) ?(around = !call) (path : Longident.t Location.loc) =
    mentions := { name = last path.txt; at = path.loc; around; reach } :: !mentions
  in
  (* Names that are conditions: each is a use by itself. *)
  let conditions = Hashtbl.create 8 in
  (* What is compared with something: what is wrong may be any part of that. *)
  let compared = Hashtbl.create 16 in
  let compare_all place (_, e) =
    match e.pexp_desc with
    | Pexp_ident _ -> Hashtbl.replace compared e.pexp_loc place
    | Pexp_apply (f, _) -> Hashtbl.replace compared f.pexp_loc place
    | _ -> ()
  in
  let within cell value work =
    let before = !cell in
    cell := value;
    work ();
    cell := before
  in
  let expr self e =
    enclose e.pexp_loc;
    List.iter (fun p -> bound p e) (Function_compat.parameters e);
    (match e.pexp_desc with
     | Pexp_ifthenelse (c, _, _) | Pexp_while (c, _) -> Hashtbl.replace conditions c.pexp_loc ()
     | _ -> ());
    (match e.pexp_desc with
     | Pexp_ident path ->
       let around = if Hashtbl.mem conditions e.pexp_loc then Some e.pexp_loc else None in
       let applied = if same e.pexp_loc !head then Some !call else None in
       let reach =
         match Hashtbl.find_opt compared e.pexp_loc with None -> applied | wider -> wider
       in
       mention ?reach ?around path
     | Pexp_construct (path, _) -> mention ~reach:e.pexp_loc path
     | Pexp_field (_, path)
     | Pexp_setfield (_, path, _) -> mention path
     | Pexp_record (fields, _) ->
       List.iter (fun (path, _) -> mention path) fields
     | Pexp_let (recursive, own, _) ->
       together recursive own;
       bindings := List.map (fun b -> (recursive, false, b)) own @ !bindings
     | Pexp_apply (f, arguments) ->
       (match f.pexp_desc with
        | Pexp_ident { txt = Lident ("=" | "<>" | "<" | ">" | "<=" | ">=" | "==" | "!="); _ } ->
          List.iter (compare_all e.pexp_loc) arguments
        | _ -> ());
       head := f.pexp_loc;
       calls := (e.pexp_loc, f, arguments) :: !calls
     | Pexp_ifthenelse (_, _, Some _) | Pexp_try _ -> branch (ends e)
     | Pexp_match (subject, cases) ->
       branch (ends e);
       matches := (subject.pexp_loc, List.map (fun c -> c.pc_lhs.ppat_loc) cases) :: !matches
     | _ -> ());
    match e.pexp_desc with
    | Pexp_apply _ | Pexp_field _ | Pexp_setfield _ | Pexp_construct _ ->
      within call e.pexp_loc (fun () -> default.expr self e)
    | _ -> default.expr self e
  in
  let pat self p =
    enclose p.ppat_loc;
    (match p.ppat_desc with
     | Ppat_construct (path, _) -> mention path
     | Ppat_record (fields, _) -> List.iter (fun (path, _) -> mention path) fields
     | _ -> ());
    default.pat self p
  in
  let typ _ t =
    (* Whole annotations only: what is in them goes with them. *)
    match !owner with
    | None -> annotations := (t.ptyp_loc, !definition) :: !annotations
    | Some "" -> ()
    | Some name -> components := (name, t) :: !components
  in
  let cases self cases =
    let scope c = List.iter (bound c.pc_lhs) (c.pc_rhs :: Option.to_list c.pc_guard) in
    List.iter scope cases;
    branch (ends_of_cases cases);
    default.cases self cases
  in
  let value_binding self b =
    within definition b.pvb_loc (fun () -> default.value_binding self b)
  in
  let structure_item self item =
    (match item.pstr_desc with
     | Pstr_value (recursive, own) ->
       together recursive own;
       bindings := List.map (fun b -> (recursive, true, b)) own @ !bindings
     | _ -> ());
    within here item.pstr_loc (fun () -> default.structure_item self item)
  in
  let owned name visit self node = within owner (Some (name node)) (fun () -> visit self node) in
  let type_declaration = owned (fun _ -> "") default.type_declaration in
  let constructor_declaration = owned (fun c -> c.pcd_name.txt) default.constructor_declaration in
  let label_declaration = owned (fun l -> l.pld_name.txt) default.label_declaration in
  let extension_constructor = owned (fun c -> c.pext_name.txt) default.extension_constructor in
  let iterator =
    { default with expr; pat; typ; cases; value_binding; structure_item; type_declaration;
      constructor_declaration; label_declaration; extension_constructor }
  in
  iterator.structure iterator program;
  {
    contexts;
    mentions = List.rev !mentions;
    bindings = List.rev !bindings;
    scopes = !scopes;
    annotations = List.rev !annotations;
    components = List.rev !components;
    calls = List.rev !calls;
    matches = List.rev !matches;
    branches = List.rev !branches;
    partners = !partners;
  }

let denied holes program =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    (match e.pexp_desc with
     | Pexp_ident { txt = Longident.Lident name; _ } ->
       let is_it = same e.pexp_loc in
       List.iter (fun hole -> if is_it hole then found := (name, hole) :: !found) holes
     | _ -> ());
    default.expr self e
  in
  let iterator = { default with expr } in
  iterator.structure iterator program;
  !found

let denied_below uses program =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let note (path : Longident.t Location.loc) p =
    let names = Names.pattern_names p in
    let is_use (name, hole) = Names.Set.mem name names && is_after hole p.ppat_loc in
    let below (_, hole) = (last path.txt, hole) in
    found := List.map below (List.filter is_use uses) @ !found
  in
  let pat self p =
    (match p.ppat_desc with
     | Ppat_construct (path, Some _) -> note path p
     | Ppat_record (fields, _) -> List.iter (fun (path, own) -> note path own) fields
     | _ -> ());
    default.pat self p
  in
  let iterator = { default with pat } in
  if uses <> [] then iterator.structure iterator program;
  !found
