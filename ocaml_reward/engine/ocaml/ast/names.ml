(* Sets of names: those that source binds or declares, and those of the standard library. *)

open Parsetree
module Set = Set.Make (String)
module Map = Map.Make (String)

type t = { values : Set.t; modules : Set.t; types : Set.t }

let empty = { values = Set.empty; modules = Set.empty; types = Set.empty }

(* The initial environment of every unit; forced first when the compiler is set up. *)
let env = lazy (Compmisc.init_path (); Compmisc.initial_env ())

(* The names in a module, or in the initial scope for None. *)
let known prefix =
  let env = Lazy.force env in
  {
    values = Env.fold_values (fun name _ _ set -> Set.add name set) prefix env Set.empty;
    modules = Env.fold_modules (fun name _ _ set -> Set.add name set) prefix env Set.empty;
    types = Env.fold_types (fun name _ _ set -> Set.add name set) prefix env Set.empty;
  }

(* The library's modules that are the problem's own in the current request: the task may be to write
   queue.ml.  Nothing counts as known of these. *)
let own_modules = ref Set.empty

(* The names in the initial scope. *)
let library = lazy (known None)

(* The names in the initial scope, without [own_modules]. *)
let standard () =
  let all = Lazy.force library in
  { all with modules = Set.diff all.modules !own_modules }

(* The names in a module of the library or a package; none if it is unknown. *)
let contents path =
  match Path_compat.components path with
  | root :: _ when Set.mem root !own_modules -> empty
  | _ -> ( try known (Some path) with Not_found | Env.Error _ -> empty)

(* All names in a module of the library, of constructors and labels too. *)
let all_contents path =
  let env = Lazy.force env and prefix = Some path in
  let add name found = Set.add name found in
  let { values; modules; types } = contents path in
  List.fold_left Set.union (Set.union values modules)
    [ types;
      Env.fold_modtypes (fun name _ _ -> add name) prefix env Set.empty;
      Env.fold_constructors (fun c -> add c.cstr_name) prefix env Set.empty;
      Env.fold_labels (fun l -> add l.lbl_name) prefix env Set.empty ]

let union a b =
  {
    values = Set.union a.values b.values;
    modules = Set.union a.modules b.modules;
    types = Set.union a.types b.types;
  }

(* [without these those]: those without these. *)
let without these those =
  {
    values = Set.diff those.values these.values;
    modules = Set.diff those.modules these.modules;
    types = Set.diff those.types these.types;
  }

let with_value name set = { set with values = Set.add name set.values }
let with_module name set = { set with modules = Set.add name set.modules }
let with_type name set = { set with types = Set.add name set.types }

(* The variable that a pattern itself binds; None if it binds none. *)
let bound_by p =
  match p.ppat_desc with Ppat_var { txt; _ } | Ppat_alias (_, { txt; _ }) -> Some txt | _ -> None

(* Returns a function from a name to the number of patterns that bind it. *)
let times_bound items =
  let counts = Hashtbl.create 16 in
  let count name = Option.value ~default:0 (Hashtbl.find_opt counts name) in
  let pat p = Option.iter (fun name -> Hashtbl.replace counts name (1 + count name)) (bound_by p) in
  Visit.(in_structure items (each ~pat ()));
  count

(* The names that [name_of] finds in a pattern, at any depth. *)
let names_in_pattern name_of pattern =
  let found = ref Set.empty in
  let pat p = Option.iter (fun name -> found := Set.add name !found) (name_of p) in
  let iterator = Visit.each ~pat () in
  iterator.pat iterator pattern;
  !found

(* The variables that a pattern binds. *)
let pattern_names = names_in_pattern bound_by

(* The variables that bindings bind. *)
let bound_names bindings =
  List.fold_left (fun all b -> Set.union all (pattern_names b.pvb_pat)) Set.empty bindings

(* The modules that a pattern unpacks. *)
let pattern_modules = names_in_pattern Scope_compat.unpacked

(* The names that a structure defines at its top level. *)
let defined structure =
  List.fold_left
    (fun set item ->
      match item.pstr_desc with
      | Pstr_value (_, bindings) ->
        { set with values = Set.union set.values (bound_names bindings) }
      | Pstr_primitive { pval_name = { txt; _ }; _ } -> with_value txt set
      | Pstr_type (_, declarations) ->
        List.fold_left (fun set d -> with_type d.ptype_name.txt set) set declarations
      | Pstr_module { pmb_name = { txt = Some name; _ }; _ } -> with_module name set
      | Pstr_recmodule bindings ->
        List.fold_left
          (fun set b ->
            match b.pmb_name.txt with Some name -> with_module name set | None -> set)
          set bindings
      | _ -> set)
    empty structure

(* The names that a signature declares at its top level. *)
let declared signature =
  List.fold_left
    (fun set item ->
      match item.psig_desc with
      | Psig_value { pval_name = { txt; _ }; _ } -> with_value txt set
      | Psig_type (_, declarations) ->
        List.fold_left (fun set d -> with_type d.ptype_name.txt set) set declarations
      | Psig_module { pmd_name = { txt = Some name; _ }; _ } -> with_module name set
      | _ -> set)
    empty signature

(* The first name of a path; None for a functor application. *)
let root path = match Path_compat.components path with name :: _ -> Some name | [] -> None

(* The constructors, exceptions and labels that [visit] meets, declared at any depth. *)
let constructors_in visit =
  let open Visit in
  let found = ref Set.empty in
  let add name = found := Set.add name.Location.txt !found in
  visit
    { default with
      constructor_declaration = before (fun c -> add c.pcd_name) default.constructor_declaration;
      extension_constructor = before (fun c -> add c.pext_name) default.extension_constructor;
      label_declaration = before (fun l -> add l.pld_name) default.label_declaration };
  !found

(* The constructors, exceptions and labels that a structure declares at any depth. *)
let constructors items = constructors_in (Visit.in_structure items)

(* The constructors, exceptions and labels that a signature declares at any depth. *)
let constructors_declared items = constructors_in (Visit.in_signature items)

(* The constructors and labels that a structure uses. *)
let mentioned_constructors items =
  let found = ref Set.empty in
  let add ({ txt; _ } : Longident.t Location.loc) =
    match List.rev (Path_compat.components txt) with
    | name :: _ -> found := Set.add name !found
    | [] -> ()
  in
  let expr e =
    match e.pexp_desc with
    | Pexp_construct (path, _) | Pexp_field (_, path) -> add path
    | Pexp_record (fields, _) -> List.iter (fun (path, _) -> add path) fields
    | _ -> ()
  in
  let pat p =
    match p.ppat_desc with
    | Ppat_construct (path, _) -> add path
    | Ppat_record (fields, _) -> List.iter (fun (path, _) -> add path) fields
    | _ -> ()
  in
  Visit.(in_structure items (each ~expr ~pat ()));
  !found

(* Every name in the paths of a structure, of any kind. *)
let mentioned items =
  let found = ref Set.empty in
  let add ({ txt; _ } : Longident.t Location.loc) =
    found := List.fold_right Set.add (Path_compat.components txt) !found
  in
  Visit.(in_structure items (each_path add));
  !found

(* The union of [f name] for each name. *)
let union_of f names = Set.fold (fun name found -> Set.union (f name) found) names Set.empty

(* Both kinds of names in one set. *)
let values_and_modules { values; modules; _ } = Set.union values modules

(* ---- constructors, labels and types of the standard library ------------------------- *)

(* The module of the pristine library that holds the type. *)
let type_home name = "Type " ^ name

(* The module of the pristine library that holds the exception. *)
let exception_home name = "Exception " ^ name

(* The last word of a printed type: [option] of ['a option]. *)
let type_name t =
  let text = Format.asprintf "%a" Printtyp.type_expr t in
  let after c text =
    match String.rindex_opt text c with
    | Some at -> String.sub text (at + 1) (String.length text - at - 1)
    | None -> text
  in
  after '.' (after ' ' text)

(* Maps constructors and labels to their types. *)
let standard_constructors =
  lazy
    (let env = Lazy.force env in
     let found =
       Env.fold_constructors
         (fun c found -> Map.add c.cstr_name (type_name c.cstr_res) found)
         None env Map.empty
     in
     (* In scope in OCaml 5, but used by no program. *)
     let found = Map.remove "Continuation_already_taken" found in
     Env.fold_labels
       (fun l found -> Map.add l.lbl_name (type_name l.lbl_res) found)
       None env found)

(* The exceptions of the standard library. *)
let standard_exceptions =
  lazy (Map.fold (fun name t found -> if t = "exn" then Set.add name found else found)
          (Lazy.force standard_constructors) Set.empty)

(* Whether a name is written with symbols, not letters. *)
let is_operator name =
  name <> "" && match name.[0] with 'a' .. 'z' | 'A' .. 'Z' | '_' -> false | _ -> true
