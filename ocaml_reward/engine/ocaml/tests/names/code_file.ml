open Parsetree
open Ast_helper
open Syntax
module Set = Names.Set
module Map = Names.Map

type t = Below of t Map.t

(* No submodules. *)
let nothing = Below Map.empty

(* Adds the module of a path. (anwarmamat/cmsc330fall20 disc10/test/public/public.ml) *)
let rec with_path (Below below) = function
  | [] -> Below below
  | name :: rest ->
    let inside = Option.value ~default:nothing (Map.find_opt name below) in
    Below (Map.add name (with_path inside rest) below)

(* The names of all modules, at any depth. *)
let rec modules (Below below) =
  Map.fold (fun name inside all -> Set.add name (Set.union (modules inside) all)) below Set.empty

(* The module aliases in tests, with the path that each stands for.
   (exercism/ocaml exercises/practice/zipper/test.ml) *)
let renamed structure =
  let found = ref Map.empty in
  let note name m =
    match (name, m.pmod_desc) with
    | Some name, Pmod_ident { txt; _ } ->
      found := Map.add name (Path_compat.components txt) !found
    | _ -> ()
  in
  Visit.each_bound_module note structure;
  !found

let is_module name = name <> "" && match name.[0] with 'A' .. 'Z' -> true | _ -> false

let of_tests names items =
  let renamed = renamed items in
  let found = ref (Set.fold (fun name t -> with_path t [ name ]) names nothing) in
  let taken = ref Set.empty in
  let rec from_root seen = function
    | first :: rest when Set.mem first names -> Some (first :: rest)
    | first :: rest when Map.mem first renamed && not (Set.mem first seen) ->
      from_root (Set.add first seen) (Map.find first renamed @ rest)
    | _ -> None
  in
  let note ~whole ({ txt; _ } : Longident.t Location.loc) =
    match from_root Set.empty (Path_compat.components txt) with
    | None -> ()
    | Some path when whole -> found := with_path !found path
    | Some path -> (
      match List.rev path with
      | member :: (_ :: _ as above) ->
        found := with_path !found (List.rev above);
        if not (is_module member) then taken := Set.add member !taken
      | _ -> ())
  in
  Visit.(in_structure items (each_module_path (note ~whole:true)));
  Visit.(in_structure items (each_path (note ~whole:false)));
  (!found, !taken)

(* Whether tests open a module that is neither written out nor one of the [known].
   (ocaml/Zarith tests/ofstring.ml) *)
let opens_other known structure =
  let is_other m =
    match m.pmod_desc with
    | Pmod_structure _ -> false
    | Pmod_ident { txt; _ } ->
      not (Option.fold ~none:false ~some:(fun m -> Set.mem m known) (Names.root txt))
    | _ -> true
  in
  List.exists is_other (Visit.opened structure)

(* The names that tests take from a module directly, and whether they open or rename it.
   (kappelmann/eidi2_repetitorium_tum
   2017/ocaml/data_structures/case_example_stack/List_Stack.ml) *)
let members structure m =
  let found = ref Set.empty in
  let note ({ txt; _ } : Longident.t Location.loc) =
    match Path_compat.components txt with
    | root :: name :: _ when root = m -> found := Set.add name !found
    | _ -> ()
  in
  Visit.(in_structure structure (each_path note));
  let is_it expr =
    match expr.pmod_desc with Pmod_ident { txt = Lident name; _ } -> name = m | _ -> false
  in
  let is_renamed = Map.exists (fun _ path -> path = [ m ]) (renamed structure) in
  (!found, is_renamed || List.exists is_it (Visit.opened structure))

(* Seen in kappelmann/eidi2_repetitorium_tum (Stack_Impl.ml): [open Stack], a file of the course's.
   No real problem asks for a module of which tests take only what both have ([shares taken]); there
   the library's would pass for the code's. *)
let like_library ~asked ~owned ~modules ~defined structure =
  let is_file m =
    let taken, opened = members structure m in
    let library = Names.all_contents (Longident.Lident m) in
    match defined with
    | None -> Set.mem m asked
    | Some own ->
      let strange = Set.diff taken library in
      let shares set = not (Set.disjoint own set) in
      (Set.mem m asked && (opened || shares taken))
      || ((not (Set.is_empty strange)) && Set.subset strange own)
      || (owned && opened && shares library)
  in
  let roots = ref Set.empty in
  let note ({ txt; _ } : Longident.t Location.loc) =
    Option.iter (fun name -> roots := Set.add name !roots) (Names.root txt)
  in
  Visit.(in_structure structure (each_path note));
  Set.filter is_file (Set.diff (Set.inter !roots (Names.standard ()).modules) modules)

(* The unit with the code. *)
let code = lident solution

(* The code's file as a module that also has these submodules. *)
let with_contents = function
  | [] -> Mod.ident code
  | below -> Mod.structure (Str.include_ (Incl.mk (Mod.ident code)) :: below)

let rec aliases (Below below) =
  let bind (name, inside) = bind_module name (with_contents (aliases inside)) in
  List.map bind (Map.bindings below)

(* The name and submodules of a definition made by [aliases]; None for other items.
   (sauravbhattacharya001/Ocaml-sample-code test_pairing_heap.ml) *)
let aliased i =
  let is_code (m : module_expr) =
    match m.pmod_desc with Pmod_ident { txt; _ } -> txt = code.txt | _ -> false
  in
  match i.pstr_desc with
  | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr = m; _ }
    when name <> solution -> (
    match m.pmod_desc with
    | Pmod_structure ({ pstr_desc = Pstr_include { pincl_mod; _ }; _ } :: below)
      when is_code pincl_mod ->
      Some (name, below)
    | _ -> if is_code m then Some (name, []) else None)
  | _ -> None

let rec names tests =
  let add all i =
    match aliased i with
    | Some (name, below) -> Set.add name (Set.union (names below) all)
    | None -> all
  in
  List.fold_left add Set.empty tests

(* The tests without the aliases that the code defines itself; see [placed]. *)
let rec left ~inside ~types defined tests =
  let item i =
    match aliased i with
    | None -> [ i ]
    | Some (name, below) -> (
      match Map.find_opt name defined with
      | Some path when inside && path = Longident.Lident name -> []
      | Some path -> [ alias name (nowhere (in_solution path)) ]
      | None when below = [] && types = [] -> [ i ]
      | None ->
        [ bind_module name (with_contents (types @ left ~inside:true ~types defined below)) ])
  in
  List.concat_map item tests

let placed defined ~types tests = left ~inside:false ~types defined tests

let taken tests =
  let add all i =
    match i.pstr_desc with
    | Pstr_module { pmb_expr = { pmod_desc = Pmod_ident { txt; _ }; _ }; _ } -> (
      match Path_compat.components txt with
      | m :: name :: _ when m = solution -> Set.add name all
      | _ -> all)
    | _ -> all
  in
  List.fold_left add Set.empty tests
