open Parsetree

(* The module types that a structure declares, at any depth. *)
let own_module_types structure =
  let default = Ast_iterator.default_iterator in
  let found = ref Names.Set.empty in
  let module_type_declaration self d =
    found := Names.Set.add d.pmtd_name.txt !found;
    default.module_type_declaration self d
  in
  let iterator = { default with module_type_declaration } in
  iterator.structure iterator structure;
  !found

(* Types by name: those that stand for themselves, and those that may stand for another.
   Of the first kind are the ones a structure defines without an equation, and builtin ones. *)
let by_name structure =
  let plain = ref (Names.Set.of_list [ "list"; "option"; "array"; "ref"; "lazy_t" ]) in
  let doubtful = ref Names.Set.empty in
  let note set d = set := Names.Set.add d.ptype_name.txt !set in
  let default = Ast_iterator.default_iterator in
  (* A class is another name for the type of its objects. *)
  let of_class : 'a. 'a class_infos -> unit =
   fun c -> doubtful := Names.Set.add c.pci_name.txt !doubtful
  in
  let class_declaration self c = of_class c; default.class_declaration self c in
  let class_description self c = of_class c; default.class_description self c in
  let class_type_declaration self c = of_class c; default.class_type_declaration self c in
  let structure_item self i =
    (match i.pstr_desc with
     | Pstr_type (_, declared) ->
       List.iter (fun d -> note (if d.ptype_manifest = None then plain else doubtful) d) declared
     | _ -> ());
    default.structure_item self i
  in
  let signature_item self i =
    (match i.psig_desc with
     | Psig_type (_, declared) | Psig_typesubst declared -> List.iter (note doubtful) declared
     | _ -> ());
    default.signature_item self i
  in
  (* What types a library's module type has is not written here. *)
  let foreign = ref false in
  let own = own_module_types structure in
  let is_of_keys path =
    match List.rev (Compat.components path) with
    | ("OrderedType" | "HashedType") :: _ -> true
    | _ -> false
  in
  let module_type self m =
    (match m.pmty_desc with
     | Pmty_ident { txt = Longident.Ldot _ as path; _ } when is_of_keys path -> ()
     | Pmty_ident { txt = Longident.Lident name; _ } when Names.Set.mem name own -> ()
     | Pmty_ident _ | Pmty_typeof _ -> foreign := true
     | _ -> ());
    default.module_type self m
  in
  let iterator =
    { default with structure_item; signature_item; class_declaration; class_description;
      class_type_declaration; module_type }
  in
  iterator.structure iterator structure;
  if !foreign then None else Some (!plain, !doubtful)

(* ---- the library's ------------------------------------------------------------------ *)

let in_library = Hashtbl.create 16

(* The types of a library's module, or of those in every scope, that keep their parameters
   as the compiler has worked out. *)
let kept modules =
  let key = String.concat "." modules in
  match Hashtbl.find_opt in_library key with
  | Some kept -> kept
  | None ->
    let keeps (d : Types.type_declaration) =
      List.for_all Types.Variance.(mem Inj) d.type_variance
    in
    let add name _ d kept = if keeps d then Names.Set.add name kept else kept in
    let prefix =
      match modules with
      | [] -> None
      | root :: rest -> Some (List.fold_left Compat.dot (Longident.Lident root) rest)
    in
    let kept =
      match Env.fold_types add prefix (Lazy.force Names.env) Names.Set.empty with
      | kept -> kept
      | exception _ -> Names.Set.empty
    in
    Hashtbl.add in_library key kept;
    kept

(* The modules that a structure names, in its signatures too. *)
let own_modules structure =
  let default = Ast_iterator.default_iterator in
  let found =
    ref (Names.Set.of_list (List.map (fun (name, _, _) -> name) (Twins.named structure)))
  in
  let signature_item self i =
    (match i.psig_desc with
     | Psig_modsubst { pms_name = { txt; _ }; _ } -> found := Names.Set.add txt !found
     | _ -> ());
    default.signature_item self i
  in
  let iterator = { default with signature_item } in
  iterator.structure iterator structure;
  !found

(* What the libraries' modules that a structure opens, or names as modules, could put in the
   place of other names; None where that cannot be told. *)
let brought own structure =
  let default = Ast_iterator.default_iterator in
  let found = ref (Some Names.empty) and seen = ref Names.Set.empty in
  let note path =
    let known =
      match Longident.flatten path with
      | [ root ] when Names.Set.mem root own -> Some Names.empty
      | root :: _ when not (Names.Set.mem root own) -> Scoping.library path
      | _ | (exception _) -> None
    in
    found := Option.bind !found (fun all -> Option.map (Names.union all) known)
  in
  let note path =
    let key = String.concat "." (Compat.components path) in
    if not (Names.Set.mem key !seen) then begin
      seen := Names.Set.add key !seen;
      note path
    end
  in
  let module_expr self m =
    (match m.pmod_desc with Pmod_ident { txt; _ } -> note txt | _ -> ());
    default.module_expr self m
  in
  let open_description self o =
    note o.popen_expr.Location.txt;
    default.open_description self o
  in
  let iterator = { default with module_expr; open_description } in
  iterator.structure iterator structure;
  !found

let plain structure =
  let names = lazy (by_name structure) in
  let own = lazy (own_modules structure) in
  let brought = lazy (brought (Lazy.force own) structure) in
  fun path ->
    match (Lazy.force names, path) with
    | None, _ -> false
    | Some (plain, doubtful), Longident.Lident name
      when Names.Set.(mem name plain && not (mem name doubtful)) -> true
    | Some (plain, doubtful), Longident.Lident name ->
      not (Names.Set.mem name doubtful || Names.Set.mem name plain)
      && Names.Set.mem name (kept [])
      && Option.fold ~none:false
           ~some:(fun (b : Names.t) -> not (Names.Set.mem name b.types))
           (Lazy.force brought)
    | Some _, _ -> (
      match List.rev (Longident.flatten path) with
      | name :: _ :: _ as path ->
        let modules = List.rev (List.tl path) in
        let root = List.hd modules in
        (not (Names.Set.mem root (Lazy.force own)))
        && Option.fold ~none:false
             ~some:(fun (b : Names.t) -> not (Names.Set.mem root b.modules))
             (Lazy.force brought)
        && Names.Set.mem name (kept modules)
      | _ | (exception _) -> false)
