open Parsetree
module Map = Names.Map
module Set = Names.Set

(* What can be named in a module: its exceptions and the like, each declared once, and its
   modules.  Of an opaque one that is not known. *)
type inside = Opaque | Inside of { constructors : int Map.t; modules : inside Map.t }

let library =
  Set.of_list
    [ "Stdlib"; "Arg"; "Fun"; "Lazy"; "Parsing"; "Queue"; "Scanf"; "Stack"; "Stream"; "Unix" ]

(* By where a module is named. *)
module Places = Stdlib.Map.Make (Int)

type t = { met : inside Places.t; names : int -> int; left : int ref }

let empty = Inside { constructors = Map.empty; modules = Map.empty }

let last _ _ b = Some b

(* What stands further down hides what has its name; what an opaque one hides is taken to be
   there still. *)
let over a b =
  match (a, b) with
  | Inside a, Inside b ->
    Inside
      { constructors = Map.union last a.constructors b.constructors;
        modules = Map.union last a.modules b.modules }
  | Inside _, Opaque -> a
  | Opaque, _ -> b

let holding name found =
  Inside { constructors = Map.empty; modules = Map.singleton name found }

(* What tests may say: the last names of constructors, and the modules that they come by. *)
let said tests =
  let constructors = ref Set.empty and modules = ref Set.empty in
  let add set names = set := List.fold_left (fun set name -> Set.add name set) !set names in
  let constructor path =
    match List.rev (Compat.components path) with
    | name :: prefix -> add constructors [ name ]; add modules prefix
    | [] -> ()
  in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    (match e.pexp_desc with Pexp_construct ({ txt; _ }, _) -> constructor txt | _ -> ());
    default.Ast_iterator.expr self e
  in
  let pat self p =
    (match p.ppat_desc with
     | Ppat_construct ({ txt; _ }, _) -> constructor txt
     | Ppat_open ({ txt; _ }, _) -> add modules (Compat.components txt)
     | _ -> ());
    default.pat self p
  in
  let extension_constructor self c =
    (match c.pext_kind with Pext_rebind { txt; _ } -> constructor txt | Pext_decl _ -> ());
    default.extension_constructor self c
  in
  let module_expr self m =
    (match m.pmod_desc with
     | Pmod_ident { txt; _ } -> (
       match Compat.components txt with
       (* By ours the tests take from the code what they say elsewhere. *)
       | first :: _ when String.contains first '*' -> ()
       | names -> add modules names)
     | _ -> ());
    default.module_expr self m
  in
  let iterator = { default with expr; pat; extension_constructor; module_expr } in
  iterator.structure iterator tests;
  (!constructors, !modules)

(* Modules that double themselves have no end. *)
exception Too_many

let most = 10_000

let spend left cost =
  left := !left - cost;
  if !left < 0 then raise Too_many

(* What is in scope; nothing is known behind what may bring any modules. *)
let bring scope found =
  match (scope, found) with Inside _, Inside _ -> over scope found | _ -> Opaque

let rec within found path =
  match (found, path) with
  | Some (Inside { modules; _ }), name :: rest -> within (Map.find_opt name modules) rest
  | found, _ -> found

(* An exception of the library's has a name already. *)
let of_library = 0

let one name id = Inside { constructors = Map.singleton name id; modules = Map.empty }

(* What is not the code's own is a library's. *)
let named scope names =
  match (scope, names) with
  | Inside { modules; _ }, first :: _ when Map.mem first modules ->
    Option.value ~default:Opaque (within (Some scope) names)
  | Inside _, _ when List.exists (fun name -> Set.mem name library) names -> one "*" of_library
  | Inside _, _ -> empty
  | Opaque, _ -> Opaque

let constructor scope path =
  match List.rev (Compat.components path) with
  | name :: prefix -> (
    match if prefix = [] then scope else named scope (List.rev prefix) with
    | Inside { constructors; _ } ->
      Option.value ~default:of_library (Map.find_opt name constructors)
    | Opaque -> of_library)
  | [] -> of_library

type walk = {
  hides : module_type -> bool;
  mutable met : inside Places.t;
  mutable last : int;
  mutable opened : inside list;  (* at the top, where tests may see it *)
}

let meet w (loc : Location.t) found = w.met <- Places.add loc.loc_start.pos_cnum found w.met

let declared w scope constructors =
  let add found c =
    let name = c.pext_name.txt in
    match c.pext_kind with
    | Pext_decl _ ->
      w.last <- w.last + 1;
      over found (one name w.last)
    | Pext_rebind { txt; loc } ->
      let again = one name (constructor scope txt) in
      meet w loc again;
      over found again
  in
  List.fold_left add empty constructors

let rec of_expr w scope m =
  match m.pmod_desc with
  | Pmod_structure items -> of_items w scope items
  | Pmod_ident { txt; loc } ->
    let found = named scope (Compat.components txt) in
    meet w loc found;
    found
  | Pmod_constraint (m, s) ->
    let found = of_expr w scope m in
    if w.hides s then empty else found
  | _ -> Opaque

and of_items ?(top = false) w scope items =
  let add (scope, content) found = (bring scope found, over content found) in
  let bind found name m = add found (holding name m) in
  let step (scope, content) i =
    match i.pstr_desc with
    | Pstr_exception { ptyexn_constructor = c; _ } ->
      add (scope, content) (declared w scope [ c ])
    | Pstr_typext { ptyext_constructors; _ } ->
      add (scope, content) (declared w scope ptyext_constructors)
    | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } ->
      bind (scope, content) name (of_expr w scope pmb_expr)
    | Pstr_recmodule bindings ->
      let names = List.filter_map (fun b -> b.pmb_name.txt) bindings in
      List.fold_left (fun found name -> bind found name Opaque) (scope, content) names
    | Pstr_include { pincl_mod; _ } -> add (scope, content) (of_expr w scope pincl_mod)
    | Pstr_open { popen_expr; _ } ->
      let found = of_expr w scope popen_expr in
      if top then w.opened <- found :: w.opened;
      (bring scope found, content)
    | _ -> (scope, content)
  in
  snd (List.fold_left step (scope, empty) items)

(* The names of tests are few, those of a program may be many. *)
let of_structure ~hides structure ~tests =
  let w = { hides; met = Places.empty; last = of_library; opened = [] } in
  let content = of_items ~top:true w empty structure in
  let constructors, modules = said tests in
  let paths = Hashtbl.create 8 and left = ref most in
  let rec note path = function
    | Opaque -> ()
    | Inside inside ->
      spend left 1;
      let constructor name =
        match Map.find_opt name inside.constructors with
        | Some id -> Hashtbl.replace paths (id, name :: path) ()
        | None -> ()
      in
      Set.iter constructor constructors;
      let further name = Option.iter (note (name :: path)) (Map.find_opt name inside.modules) in
      Set.iter further modules
  in
  List.iter (note []) (content :: w.opened);
  let counts = Hashtbl.create 8 in
  let count id = Option.value ~default:0 (Hashtbl.find_opt counts id) in
  Hashtbl.iter (fun (id, _) () -> Hashtbl.replace counts id (count id + 1)) paths;
  let names id = if id = of_library then 2 else count id in
  { met = w.met; names; left }

let rec tells_apart (t : t) = function
  | Opaque -> true
  | Inside { constructors; modules } ->
    spend t.left (1 + Map.cardinal constructors);
    Map.exists (fun _ id -> t.names id > 1) constructors
    || Map.exists (fun _ m -> tells_apart t m) modules

let is_harmless (t : t) (loc : Location.t) =
  match Places.find_opt loc.loc_start.pos_cnum t.met with
  | Some found -> ( try not (tells_apart t found) with Too_many -> false)
  | None -> false
