open Parsetree
module Set = Names.Set

type opened = { path : Longident.t; is_last : bool }

type t = {
  opened : opened list;
  modules : Longident.t Names.Map.t;
  types : structure;
  declared : Set.t list;  (* the constructors of each type, also of opened modules *)
}

(* Whether an item defines a name. *)
let defines i =
  match i.pstr_desc with
  | Pstr_eval _ | Pstr_attribute _ -> false
  | Pstr_value (_, bindings) -> not (Set.is_empty (Names.bound_names bindings))
  | _ -> true

(* The most modules looked up, as chains of aliases can be long. *)
let most = 2_000

(* The number of modules looked up so far. *)
let looked = ref 0

(* The type declarations of an item, one by one, and exceptions. *)
let declarations i =
  match i.pstr_desc with
  | Pstr_type (recursive, types) -> List.map (fun d -> Ast_helper.Str.type_ recursive [ d ]) types
  | Pstr_typext _ | Pstr_exception _ -> [ i ]
  | _ -> []

(* The items of a module: written out, or through an alias or a functor application.
   (sauravbhattacharya001/Ocaml-sample-code test_segment_tree.ml) *)
let rec contents own m =
  incr looked;
  match m.pmod_desc with
  | _ when !looked > most -> []
  | Pmod_structure inside -> inside
  | Pmod_functor (_, m) | Pmod_apply (m, _) -> contents own m
  | Pmod_constraint (m, { pmty_desc = Pmty_signature declared; _ }) ->
    let { Names.values; modules; types } = Names.declared declared in
    let is_left i =
      let own = Names.defined [ i ] in
      not (Set.disjoint own.values values && Set.disjoint own.modules modules && Set.disjoint own.types types)
    in
    List.filter is_left (contents own m)
  | Pmod_ident { txt; _ } -> (
    match resolved own txt with Some (_, inside) -> inside | None -> [])
  | _ -> []

(* The submodules of a structure with their items. *)
and written_out own items =
  let step (own, found) i =
    match i.pstr_desc with
    | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } ->
      let inside = contents own pmb_expr in
      (Names.Map.add name (Longident.Lident name, inside) own, (name, inside) :: found)
    | _ -> (own, found)
  in
  List.rev (snd (List.fold_left step (own, []) items))

(* The path of the module of a name, and its items; None if it is not among [own]. *)
and resolved own path =
  match path with Longident.Lident name -> Names.Map.find_opt name own | _ -> None

let of_code structure =
  looked := 0;
  let types = ref [] and in_opened = ref [] in
  let step (own, opened) i =
    match i.pstr_desc with
    | Pstr_open { popen_expr = { pmod_desc = Pmod_ident { txt; _ }; _ }; _ } -> (
      match resolved own txt with
      | None -> (own, opened)
      | Some (path, inside) ->
        in_opened := List.rev_append (List.concat_map declarations inside) !in_opened;
        (own, { path; is_last = true } :: opened))
    | _ when defines i ->
      types := List.rev_append (declarations i) !types;
      let inside = written_out own [ i ] in
      let add name own =
        let inside = Option.value ~default:[] (List.assoc_opt name inside) in
        Names.Map.add name (Longident.Lident name, inside) own
      in
      let own = Set.fold add (Names.defined [ i ]).Names.modules own in
      (own, List.map (fun o -> { o with is_last = false }) opened)
    | _ -> (own, opened)
  in
  let own, opened = List.fold_left step (Names.Map.empty, []) structure in
  let declared = List.map (fun i -> Names.constructors [ i ]) (!types @ !in_opened) in
  { opened = List.rev opened; modules = Names.Map.map fst own;
    types = List.rev !types; declared }

(* Whether the code's text contains a word. *)
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

let nothing = { opened = []; modules = Names.Map.empty; types = []; declared = [] }

(* ---- what an interface leaves of it ------------------------------------------------------- *)

(* The name of the attribute that keeps the types of an interface in the tests.
   (exercism/ocaml exercises/practice/connect/connect.mli) *)
let interface = "ocaml-reward.interface"

(* The attribute that keeps these types in the tests. *)
let declaring types =
  if types = [] then []
  else Ast_helper.[ Str.attribute (Attr.mk (Syntax.nowhere interface) (PStr types)) ]

(* The types that this attribute declares; None for other items. *)
let of_interface i =
  match i.pstr_desc with
  | Pstr_attribute { attr_name = { txt; _ }; attr_payload = PStr types; _ } when txt = interface ->
    Some (Names.defined types).types
  | _ -> None

(* The types that the tests' interface declares. *)
let declared tests = Option.value ~default:Set.empty (List.find_map of_interface tests)

(* Declares a type of the code again, by its path there. *)
let again d =
  let open Ast_helper in
  let path = Syntax.within Syntax.solution d.ptype_name.txt in
  let manifest = Typ.constr path (List.map fst d.ptype_params) in
  Str.type_ Asttypes.Recursive [ { d with ptype_manifest = Some manifest } ]

(* Declarations of the interface's types again, if the code later declares types with the same
   constructors or labels. (exercism/ocaml exercises/practice/connect/.meta/example.ml) *)
let put_back { types; _ } tests =
  let declared = declared tests in
  let step i (hidden, hiding, found) =
    let own = Names.constructors [ i ] in
    match i.pstr_desc with
    | Pstr_type (_, [ d ]) when Set.mem d.ptype_name.txt declared ->
      ( hidden || not (Set.disjoint own hiding),
        hiding,
        if Set.is_empty own then found else again d :: found )
    | _ -> (hidden, Set.union own hiding, found)
  in
  let hidden, _, found = List.fold_right step types (false, Set.empty, []) in
  if hidden then found else []

(* ---- an option type of the code's own --------------------------------------------------- *)

(* Whether an item opens the library's options for the tests (stdlib_names.ml).
   (jaylene-zhang/ArtifactProgramming2025
   benchmarks/RepairOutput/Fixed Type Error/Llama3.1 8B_hw6_buggy_code_9_answer_4.ml) *)
let opens_options i =
  match i.pstr_desc with
  | Pstr_open { popen_expr = { pmod_desc = Pmod_ident { txt; _ }; _ }; _ } ->
    Path_compat.components txt = [ Syntax.pristine; Names.type_home "option" ]
  | _ -> false

(* Whether the code has replaced them, as exercises do: [None] and [Some] then mean what they do in
   the code's file.  So in an exercise on lists of M. Malinowski's: [type 'a option = None | Some
   of 'a]. *)
let replaces_options { declared; _ } tests =
  List.exists (Set.subset (Set.of_list [ "None"; "Some" ])) declared
  && List.exists opens_options tests

let of_text ~code ~tests =
  let matters word names = mentions word code && not (Set.is_empty names) in
  if
    not
      (mentions "open" code
       || matters "module" (Code_file.names tests)
       || matters "type" (declared tests)
       || (mentions "type" code && List.exists opens_options tests))
  then nothing
  else
    match Without_warnings.run (fun () -> Syntax.parse_text Parse.implementation "solution.ml" code) with
    | structure -> of_code structure
    | exception _ -> nothing

(* The tests with the modules opened by the code opened again, except that definitions after an
   [open] shadow those of the opened module. *)
let behind_opens { opened; _ } types tests =
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
      items false @ [ i ] @ items true @ types
    | _ -> [ i ]
  in
  if opened = [] && types = [] then tests else List.concat_map around tests

(* The modules that the code defines where tests may take them for its file.
   (sauravbhattacharya001/Ocaml-sample-code test_pairing_heap.ml) *)
let modules_for { modules; _ } tests =
  let names = Code_file.names tests in
  Names.Map.filter (fun name _ -> Set.mem name names) modules

let before left tests =
  let types = put_back left tests in
  (* Declared once, as twice is an error. *)
  let tests =
    if types = [] then tests else List.filter (fun i -> of_interface i = None) tests
  in
  let tests =
    if replaces_options left tests then List.filter (fun i -> not (opens_options i)) tests
    else tests
  in
  behind_opens left types (Code_file.placed (modules_for left tests) ~types tests)

let key ({ opened; _ } as left) tests =
  let text { path; is_last } =
    String.concat "." (Path_compat.components path) ^ if is_last then "!" else "?"
  in
  let at (name, path) = String.concat "." (name :: Path_compat.components path) in
  let type_ i = Format.asprintf "%a" Pprintast.structure [ i ] in
  String.concat " "
    (List.map text opened @ List.map at (Names.Map.bindings (modules_for left tests))
     @ List.map type_ (put_back left tests)
     @ if replaces_options left tests then [ "options" ] else [])
