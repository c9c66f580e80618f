(* Collects names mentioned near the errors of a program, with their definitions. *)

open Parsetree
open Nodes

type mention = {
  name : string;
  at : Location.t;
  reach : Location.t;  (* the whole application *)
}

(* Reads a program with errors at these locations. *)
type read = {
  contexts : Location.t array;  (* the smallest node around each error *)
  mentions : mention list;
  bindings : (Asttypes.rec_flag * bool * value_binding) list;  (* [true]: of a structure *)
  components : (string * core_type) list;  (* of declared types, by constructor or field *)
  calls : (Location.t * expression * (Asttypes.arg_label * expression) list) list;
}

(* Reads a program with errors at these locations. *)
let read holes program =
  let holes = Array.of_list holes in
  let contexts = Array.map (fun _ -> Location.none) holes in
  let mentions = ref [] and bindings = ref [] in
  let components = ref [] and calls = ref [] in
  let call = ref Location.none and owner = ref None in
  (* Smaller nodes come later. *)
  let enclose place =
    Array.iteri
      (fun i hole ->
        if inside hole place && not (same hole place) then contexts.(i) <- place)
      holes
  in
  let head = ref Location.none in
  let mention ?(reach = Location.none) (path : Longident.t Location.loc) =
    mentions := { name = Syntax.last_name path.txt; at = path.loc; reach } :: !mentions
  in
  let within cell value work =
    let before = !cell in
    cell := value;
    work ();
    cell := before
  in
  let expr self e =
    enclose e.pexp_loc;
    (match e.pexp_desc with
     | Pexp_ident path ->
       let reach = if same e.pexp_loc !head then Some !call else None in
       mention ?reach path
     | Pexp_construct (path, _) -> mention ~reach:e.pexp_loc path
     | Pexp_field (_, path)
     | Pexp_setfield (_, path, _) -> mention path
     | Pexp_record (fields, _) ->
       List.iter (fun (path, _) -> mention path) fields
     | Pexp_let (recursive, own, _) ->
       bindings := List.map (fun b -> (recursive, false, b)) own @ !bindings
     | Pexp_apply (f, arguments) ->
       head := f.pexp_loc;
       calls := (e.pexp_loc, f, arguments) :: !calls
     | _ -> ());
    match e.pexp_desc with
    | Pexp_apply _ ->
      within call e.pexp_loc (fun () -> Visit.default.expr self e)
    | _ -> Visit.default.expr self e
  in
  let pat self p =
    enclose p.ppat_loc;
    (match p.ppat_desc with
     | Ppat_construct (path, _) -> mention path
     | Ppat_record (fields, _) -> List.iter (fun (path, _) -> mention path) fields
     | _ -> ());
    Visit.default.pat self p
  in
  let typ _ t =
    match !owner with
    | None | Some "" -> ()
    | Some name -> components := (name, t) :: !components
  in
  let structure_item self item =
    (match item.pstr_desc with
     | Pstr_value (recursive, own) ->
       bindings := List.map (fun b -> (recursive, true, b)) own @ !bindings
     | _ -> ());
    Visit.default.structure_item self item
  in
  let default = Visit.default in
  let owned name visit self node = within owner (Some (name node)) (fun () -> visit self node) in
  let type_declaration = owned (fun _ -> "") default.type_declaration in
  let constructor_declaration = owned (fun c -> c.pcd_name.txt) default.constructor_declaration in
  let label_declaration = owned (fun l -> l.pld_name.txt) default.label_declaration in
  let extension_constructor = owned (fun c -> c.pext_name.txt) default.extension_constructor in
  let iterator =
    { Visit.default with expr; pat; typ; structure_item; type_declaration;
      constructor_declaration; label_declaration; extension_constructor }
  in
  iterator.structure iterator program;
  {
    contexts;
    mentions = List.rev !mentions;
    bindings = List.rev !bindings;
    components = List.rev !components;
    calls = List.rev !calls;
  }

(* The errors that are uses of a variable, with its name.
   (ocaml/ocaml testsuite/tests/typing-gadts/pr6690.ml) *)
let denied holes program =
  let found = ref [] in
  let expr e =
    match e.pexp_desc with
    | Pexp_ident { txt = Longident.Lident name; _ } ->
      let is_it = same e.pexp_loc in
      List.iter (fun hole -> if is_it hole then found := (name, hole) :: !found) holes
    | _ -> ()
  in
  Visit.(in_structure program (each ~expr ()));
  !found

(* Of uses of variables that are errors, those whose variable a pattern binds below a constructor or
   field, with that name. (ocaml/ocaml testsuite/tests/typing-gadts/pr6690.ml) *)
let denied_below uses program =
  let found = ref [] in
  let note (path : Longident.t Location.loc) p =
    let names = Names.pattern_names p in
    let is_use (name, hole) = Names.Set.mem name names && is_after hole p.ppat_loc in
    let below (_, hole) = (Syntax.last_name path.txt, hole) in
    found := List.map below (List.filter is_use uses) @ !found
  in
  let pat p =
    match p.ppat_desc with
    | Ppat_construct (path, Some _) -> note path p
    | Ppat_record (fields, _) -> List.iter (fun (path, own) -> note path own) fields
    | _ -> ()
  in
  if uses <> [] then Visit.(in_structure program (each ~pat ()));
  !found
