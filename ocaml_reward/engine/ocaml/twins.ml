open Parsetree

let default = Ast_iterator.default_iterator

let last path =
  match List.rev (Compat.components path) with name :: _ -> name | [] -> ""

let start (loc : Location.t) = loc.loc_start.pos_cnum

let named structure =
  let found = ref [] in
  let note from name visit = found := (name, from, visit) :: !found in
  let note_option from name visit = Option.iter (fun name -> note from name visit) name in
  (* Where the modules stand that may name each other and themselves. *)
  let together = ref None in
  let of_expr m (i : Ast_iterator.iterator) = i.module_expr i m in
  let of_type t (i : Ast_iterator.iterator) = i.module_type i t in
  let module_binding self b =
    let from = Option.value ~default:b.pmb_loc.loc_end.pos_cnum !together in
    note_option from b.pmb_name.txt (of_expr b.pmb_expr);
    default.module_binding self b
  in
  let module_declaration self d =
    note_option (start d.pmd_loc) d.pmd_name.txt (of_type d.pmd_type);
    default.module_declaration self d
  in
  let module_type_declaration self d =
    Option.iter (fun t -> note 0 d.pmtd_name.txt (of_type t)) d.pmtd_type;
    default.module_type_declaration self d
  in
  let parameter = function
    | Named ({ txt; loc }, t) -> note_option (start loc) txt (of_type t)
    | Unit -> ()
  in
  let module_expr self m =
    (match m.pmod_desc with Pmod_functor (p, _) -> parameter p | _ -> ());
    default.module_expr self m
  in
  let module_type self t =
    (match t.pmty_desc with Pmty_functor (p, _) -> parameter p | _ -> ());
    default.module_type self t
  in
  let expr self e =
    (match Scopes.local e with
     | Some (Module (name, m), _) -> note_option (start e.pexp_loc) name.txt (of_expr m)
     | _ -> ());
    default.expr self e
  in
  let pat self p =
    (match p.ppat_desc with
     | Ppat_unpack name -> note_option (start p.ppat_loc) name.txt (fun _ -> ())
     | _ -> ());
    default.pat self p
  in
  let structure_item self i =
    let outside = !together in
    (match i.pstr_desc with
     | Pstr_recmodule _ when outside = None -> together := Some (start i.pstr_loc)
     | _ -> ());
    default.structure_item self i;
    together := outside
  in
  let iterator =
    { default with structure_item; module_binding; module_declaration; module_type_declaration;
      module_expr; module_type; expr; pat }
  in
  iterator.structure iterator structure;
  !found

(* The functor that is applied, and what to. *)
let rec application m =
  match m.pmod_desc with
  | Pmod_apply (f, argument) ->
    let f, arguments = application f in
    (f, argument :: arguments)
  | _ -> (m, [])

(* Has what [visit] walks through an exception?  [has] tells of a name, at its place. *)
let carries has visit =
  let found = ref false in
  let mention loc path = if has loc (last path) then found := true in
  let module_expr self m =
    match m.pmod_desc with
    | Pmod_ident { txt; loc } -> mention loc txt
    | Pmod_constraint (_, t) -> self.Ast_iterator.module_type self t
    | Pmod_apply _ -> self.Ast_iterator.module_expr self (fst (application m))
    | _ -> default.module_expr self m
  in
  let module_type self t =
    (match t.pmty_desc with
     | Pmty_ident { txt; loc } | Pmty_alias { txt; loc } -> mention loc txt
     | _ -> ());
    default.module_type self t
  in
  let extension_constructor _ _ = found := true in
  visit
    { default with module_expr; module_type; extension_constructor; expr = (fun _ _ -> ());
      open_declaration = (fun _ _ -> ()) };
  !found

type t = {
  bound : int Names.Map.t;  (* the modules that the code names, and from where on *)
  has : Location.t -> string -> bool;  (* is this, here, a module with exceptions? *)
  constructors : Names.Set.t Lazy.t;  (* that the code declares *)
  mutable once : string list;  (* of the library: what has another name already *)
  names : Nameable.t option Lazy.t;  (* that the tests have *)
}

(* May this name, here, be one of the code's own modules? *)
let is_own bound (loc : Location.t) name =
  match Names.Map.find_opt name bound with
  | Some from -> loc.loc_ghost || from <= start loc
  | None -> false

let of_structure ~tests structure =
  let named = named structure in
  let bound =
    List.fold_left
      (fun bound (name, from, _) ->
        let known = Option.value ~default:from (Names.Map.find_opt name bound) in
        Names.Map.add name (min from known) bound)
      Names.Map.empty named
  in
  let has having loc name =
    Names.Set.mem name (if is_own bound loc name then having else Nameable.library)
  in
  let rec grown having =
    let more =
      List.fold_left
        (fun set (name, _, visit) ->
          if (not (Names.Set.mem name set)) && carries (has set) visit then
            Names.Set.add name set
          else set)
        having named
    in
    if Names.Set.equal more having then having else grown more
  in
  let has = has (grown Names.Set.empty) in
  let names =
    lazy
      (let hides s = not (carries has (fun i -> i.Ast_iterator.module_type i s)) in
       match Nameable.of_structure ~hides structure ~tests:(Lazy.force tests) with
       | names -> Some names
       | exception Nameable.Too_many -> None)
  in
  { bound; has; constructors = lazy (Names.constructors structure); once = []; names }

let is_harmless t loc =
  match Lazy.force t.names with Some names -> Nameable.is_harmless names loc | None -> false

let first t name =
  let known = List.mem name t.once in
  t.once <- name :: t.once;
  not known

let alone t loc path =
  match Compat.components path with
  | root :: _ :: _ -> (not (is_own t.bound loc root)) && first t (last path)
  | [ name ] ->
    (not (Names.Set.mem name (Lazy.force t.constructors)))
    && Names.Set.mem name (Lazy.force Names.standard_exceptions)
    && first t name
  | _ -> false

let handed_on t report structure =
  let hides s = not (carries t.has (fun i -> i.Ast_iterator.module_type i s)) in
  let in_functor = ref false in
  let mention (loc : Location.t) path =
    let name = last path in
    let again () = (not (first t name)) || !in_functor in
    if t.has loc name && (if is_own t.bound loc name then not (is_harmless t loc) else again ())
    then report loc (name ^ ", whose exceptions get another name")
  in
  let is_name m = match m.pmod_desc with Pmod_ident _ -> true | _ -> false in
  let module_expr (self : Ast_iterator.iterator) m =
    match m.pmod_desc with
    | Pmod_ident { txt; loc } -> mention loc txt
    | Pmod_constraint (m, s) when is_name m && hides s -> self.module_type self s
    | Pmod_functor _ ->
      let outside = !in_functor in
      in_functor := true;
      default.module_expr self m;
      in_functor := outside
    | Pmod_apply _ ->
      let f, arguments = application m in
      if not (is_name f) then self.module_expr self f;
      let hands_on = carries t.has (fun i -> i.module_expr i f) in
      List.iter (fun m -> if hands_on || not (is_name m) then self.module_expr self m) arguments
    | _ -> default.module_expr self m
  in
  let module_type self s =
    match s.pmty_desc with Pmty_typeof m when is_name m -> () | _ -> default.module_type self s
  in
  let open_declaration self o =
    if not (is_name o.popen_expr) then default.open_declaration self o
  in
  let expr self e =
    match (e.pexp_desc, Scopes.local e) with
    | Pexp_pack _, _ ->
      if carries t.has (fun i -> default.expr i e) then
        report e.pexp_loc "a module as a value, with exceptions"
      else default.expr self e
    | _, Some (Module (_, m), body) when is_name m -> self.Ast_iterator.expr self body
    | _ -> default.expr self e
  in
  let iterator = { default with module_expr; module_type; open_declaration; expr } in
  iterator.structure iterator structure
