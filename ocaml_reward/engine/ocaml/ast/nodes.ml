(* Nodes of a parse tree: those around a location, replacing one by a hole, and the fraction of
   the tree outside the holes.  A node that counts is an expression, a pattern, a type, a module
   or class expression, a module or class type, an item, or a declared type, constructor or
   field. *)

open Parsetree

(* Whether location a lies in b. *)
let inside (a : Location.t) (b : Location.t) =
  b.loc_start.pos_cnum <= a.loc_start.pos_cnum && a.loc_end.pos_cnum <= b.loc_end.pos_cnum

(* Whether location a lies after b. *)
let is_after (a : Location.t) (b : Location.t) = b.loc_end.pos_cnum <= a.loc_start.pos_cnum

(* Whether locations are equal but for being ghosts: [a :: b] contains a ghost pair at its own
   location. *)
let same a b = inside a b && inside b a

(* Locations as text: the first byte and the one after the last. *)
let ranges_text ?(between = " ") places =
  let text (at : Location.t) =
    Printf.sprintf "%d %d" at.loc_start.pos_cnum at.loc_end.pos_cnum
  in
  String.concat between (List.map text places)

(* [Declared] is a type where [_] is not allowed: in a declaration or a signature.  [Component]
   is an item of a signature. *)
type node = Expression | Pattern | Type | Declared | Component | Item

(* The length of a location in bytes. *)
let size (loc : Location.t) = loc.loc_end.pos_cnum - loc.loc_start.pos_cnum

(* The values and modules that items use; names that tests bind to the code count as used. *)
let names_used items =
  let used = Names.values_and_modules (Free_names.names items) in
  if Names.Set.mem Syntax.solution used then
    Names.Set.union used (Names.values_and_modules (Names.defined items))
  else used

(* Every node around [loc], smallest first, with the values and modules it uses. *)
let around loc structure =
  let found = ref [] in
  let note kind at idents = if inside loc at then found := (kind, at, idents) :: !found in
  (* The pair in [a :: b] cannot be replaced. *)
  let is_pair (at : Location.t) is_tuple = at.loc_ghost && is_tuple in
  let expr self e =
    if not (is_pair e.pexp_loc (Path_compat.tuple e <> [])) then
      note Expression e.pexp_loc (lazy (names_used [ Ast_helper.Str.eval e ]));
    Visit.default.expr self e
  in
  let pat self p =
    let is_tuple = match p.ppat_desc with Ppat_tuple _ -> true | _ -> false in
    if not (is_pair p.ppat_loc is_tuple) then note Pattern p.ppat_loc (lazy Names.Set.empty);
    Visit.default.pat self p
  in
  let declared = ref false in
  let declaring visit self node =
    let before = !declared in
    declared := true;
    visit self node;
    declared := before
  in
  let typ self t =
    note (if !declared then Declared else Type) t.ptyp_loc (lazy Names.Set.empty);
    Visit.default.typ self t
  in
  let signature_item self i =
    note Component i.psig_loc (lazy Names.Set.empty);
    Visit.default.signature_item self i
  in
  let structure_item self i =
    note Item i.pstr_loc (lazy (names_used [ i ]));
    Visit.default.structure_item self i
  in
  let iterator =
    { Visit.default with
      expr; pat; typ; structure_item; signature_item;
      type_declaration = declaring Visit.default.type_declaration;
      extension_constructor = declaring Visit.default.extension_constructor;
      value_description = declaring Visit.default.value_description;
      class_type_field = declaring Visit.default.class_type_field }
  in
  iterator.structure iterator structure;
  (* Of nodes of equal size the innermost comes first, ghosts last. *)
  let rank (_, at, _) = (size at, at.Location.loc_ghost) in
  List.stable_sort (fun a b -> compare (rank a) (rank b)) !found

(* An expression with its sub-expressions. *)
type tree = { expression : expression; within : tree list }

(* The outermost expressions of an item. *)
let expressions item =
  let level = ref [] in
  let expr self e =
    (* The pair in [a :: b] is no expression of its own. *)
    if e.pexp_loc.loc_ghost && Path_compat.tuple e <> [] then Visit.default.expr self e
    else begin
      let before = !level in
      level := [];
      Visit.default.expr self e;
      level := { expression = e; within = List.rev !level } :: before
    end
  in
  Visit.in_item item { Visit.default with expr };
  List.rev !level

(* Tells whether the expression at a location is a match, an [if], a [let], a sequence or a
   function. *)
let chooses at structure =
  let found = ref false in
  let is_choice e =
    match e.pexp_desc with
    | Pexp_match _ | Pexp_try _ | Pexp_ifthenelse _ | Pexp_let _ | Pexp_sequence _ -> true
    | _ -> Function_compat.is_function e
  in
  let expr self e =
    if same e.pexp_loc at && is_choice e then found := true else Visit.default.expr self e
  in
  Visit.in_structure structure { Visit.default with expr };
  !found

(* An expression of any type. *)
let hole_expression loc =
  Ast_helper.Exp.assert_ ~loc
    (Ast_helper.Exp.construct ~loc (Location.mkloc (Longident.Lident "false") loc) None)

(* Bindings of these names to values that may have another type at each use. *)
let hole_bindings loc names =
  let binding name =
    Ast_helper.Vb.mk ~loc (Ast_helper.Pat.var ~loc (Location.mkloc name loc)) (hole_expression loc)
  in
  List.map binding (Names.Set.elements names)

(* The body in the scope of bindings of these names to values of any type. *)
let with_holes loc names body =
  if Names.Set.is_empty names then body
  else
    Ast_helper.Exp.let_ ~loc:body.pexp_loc Asttypes.Nonrecursive (hole_bindings loc names) body

(* An item that binds these names to values of any type. *)
let hole_values loc names =
  Ast_helper.Str.value ~loc Asttypes.Nonrecursive (hole_bindings loc names)

(* An abstract type that stands for an unknown one.  No program can name it; an error that
   mentions it only follows from others. *)
let lost_name = "*lost"

(* The item that declares it. *)
let lost_type =
  let loc = Location.none in
  let open Ast_helper in
  Str.type_ ~loc Asttypes.Recursive [ Type.mk ~loc (Location.mknoloc lost_name) ]

(* What remains of modules that become holes, as an item: those with a signature, at any values. *)
let as_promised ~loc bindings =
  let open Ast_helper in
  let itself binding =
    match (binding.pmb_name, binding.pmb_expr.pmod_desc) with
    | { txt = Some name; loc }, Pmod_constraint (_, promised) ->
      let self = Mod.ident ~loc (Location.mkloc (Longident.Lident name) loc) in
      Some { binding with pmb_expr = Mod.constraint_ ~loc self promised }
    | _ -> None
  in
  match List.filter_map itself bindings with [] -> [] | kept -> [ Str.rec_module ~loc kept ]

(* The definitions that an item leaves when it becomes a hole, of any type. *)
let remains item =
  let loc = item.pstr_loc in
  let open Ast_helper in
  match item.pstr_desc with
  | Pstr_value _ -> (
    match (Names.defined [ item ]).values with
    | names when Names.Set.is_empty names -> []
    | names -> [ hole_values loc names ])
  | Pstr_type (recursive, declarations) ->
    let abstract d = Type.mk ~loc ~params:d.ptype_params d.ptype_name in
    [ Str.type_ ~loc recursive (List.map abstract declarations) ]
  | Pstr_module binding -> as_promised ~loc [ binding ]
  | Pstr_recmodule bindings -> as_promised ~loc bindings
  | _ -> []

(* The hole that replaces an expression. *)
let any_type e = hole_expression e.pexp_loc

(* The program with a hole at a node; names bound by a replaced pattern stay bound in its case.
   With [entirely] nothing of an item remains; [hole] makes the replacement of an expression. *)
let replace ?(entirely = false) ?(hole = any_type) (kind, at) program =
  let remains item = if entirely then [] else remains item in
  let here k loc = k = kind && loc = at in
  let expr self e =
    if here Expression e.pexp_loc then hole e else Visit.mapper.expr self e
  in
  let lost = ref Names.Set.empty in
  let pat self p =
    if here Pattern p.ppat_loc then begin
      lost := Names.pattern_names p;
      Ast_helper.Pat.any ~loc:at ()
    end
    else Visit.mapper.pat self p
  in
  let bound body = with_holes at !lost body in
  let case self c =
    if kind = Pattern && inside at c.pc_lhs.ppat_loc then begin
      let pc_lhs = self.Ast_mapper.pat self c.pc_lhs in
      { pc_lhs; pc_guard = Option.map bound c.pc_guard; pc_rhs = bound c.pc_rhs }
    end
    else Visit.mapper.case self c
  in
  let typ self t =
    if here Type t.ptyp_loc then Ast_helper.Typ.any ~loc:at ()
    else if here Declared t.ptyp_loc then
      Ast_helper.Typ.constr ~loc:at (Location.mkloc (Longident.Lident lost_name) at) []
    else Visit.mapper.typ self t
  in
  let signature self items =
    Visit.mapper.signature self
      (List.filter (fun item -> not (here Component item.psig_loc)) items)
  in
  let structure self items =
    Visit.mapper.structure self
      (List.concat_map (fun i -> if here Item i.pstr_loc then remains i else [ i ]) items)
  in
  Visit.map program { Visit.mapper with expr; pat; case; typ; signature; structure }

(* The item with a hole for each use of an unbound value, or of any value of an unbound module. *)
let without_uses unbound item =
  let without is_missing =
    let expr self e =
      match e.pexp_desc with
      | Pexp_ident { txt; _ } when is_missing (Path_compat.components txt) ->
        hole_expression e.pexp_loc
      | _ -> Visit.mapper.expr self e
    in
    Visit.map_item item { Visit.mapper with expr }
  in
  let rec under = function
    | part :: path, name :: (_ :: _ as names) -> part = name && under (path, names)
    | path, _ -> path = []
  in
  match unbound with
  | Some ("value", path) -> without (( = ) (String.split_on_char '.' path))
  | Some ("module", path) ->
    let path = String.split_on_char '.' path in
    without (fun names -> under (path, names))
  | _ -> item

(* ---- how much lies outside ------------------------------------------------------ *)

(* The number of nodes inside holes, and of all nodes. *)
let places holes structure =
  let held = ref 0 and total = ref 0 in
  let rec in_one at = function
    | [] -> false
    | hole :: holes -> inside at hole || in_one at holes
  in
  let note visit place self node =
    let at = place node in
    incr total;
    if in_one at holes then incr held;
    visit self node
  in
  let iterator =
    { Visit.default with
      expr = note Visit.default.expr (fun n -> n.pexp_loc);
      pat = note Visit.default.pat (fun n -> n.ppat_loc);
      typ = note Visit.default.typ (fun n -> n.ptyp_loc);
      module_expr = note Visit.default.module_expr (fun n -> n.pmod_loc);
      module_type = note Visit.default.module_type (fun n -> n.pmty_loc);
      class_expr = note Visit.default.class_expr (fun n -> n.pcl_loc);
      class_type = note Visit.default.class_type (fun n -> n.pcty_loc);
      class_field = note Visit.default.class_field (fun n -> n.pcf_loc);
      structure_item = note Visit.default.structure_item (fun n -> n.pstr_loc);
      signature_item = note Visit.default.signature_item (fun n -> n.psig_loc);
      type_declaration = note Visit.default.type_declaration (fun n -> n.ptype_loc);
      constructor_declaration = note Visit.default.constructor_declaration (fun n -> n.pcd_loc);
      label_declaration = note Visit.default.label_declaration (fun n -> n.pld_loc);
    }
  in
  iterator.structure iterator structure;
  (!held, !total)

(* The fraction of a program outside those locations: in [0, 1), to 6 digits; each location counts
   as one node at least. *)
let outside holes structure =
  let held, total = places holes structure in
  let total = max 1 total in
  let held = min total (max 1 held) in
  let share = float_of_int (total - held) /. float_of_int total in
  Float.min 0.999999 (Float.of_string (Printf.sprintf "%.6f" share))
