(* Counts independent type errors: ocamlc stops at the first, so each one found is
   replaced by a hole that has any type, and the program is typed again.

   A hole inside a later, larger hole is the same mistake seen twice; and a name that is
   unbound only because its definition had to be dropped is no mistake at all. *)

open Parsetree

type node = Expression | Pattern | Type | Item

type hole = {
  kind : node;
  loc : Location.t;
  at : Location.t;  (* where the error itself was reported *)
  report : string;  (* as the compiler prints it *)
  names : Names.Set.t;  (* entry points mentioned in the hole, for tests *)
}

let inside (a : Location.t) (b : Location.t) =
  b.loc_start.pos_cnum <= a.loc_start.pos_cnum && a.loc_end.pos_cnum <= b.loc_end.pos_cnum

let size (loc : Location.t) = loc.loc_end.pos_cnum - loc.loc_start.pos_cnum

(* Every node around [loc], from the smallest. *)
let around loc structure =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let note kind at idents = if inside loc at then found := (kind, at, idents) :: !found in
  let expr self e =
    note Expression e.pexp_loc (lazy (Names.free [ Ast_helper.Str.eval e ]).Names.values);
    default.expr self e
  in
  let pat self p =
    note Pattern p.ppat_loc (lazy Names.Set.empty);
    default.pat self p
  in
  let typ self t =
    note Type t.ptyp_loc (lazy Names.Set.empty);
    default.typ self t
  in
  let structure_item self i =
    note Item i.pstr_loc (lazy (Names.free [ i ]).Names.values);
    default.structure_item self i
  in
  let iterator = { default with expr; pat; typ; structure_item } in
  iterator.structure iterator structure;
  (* The innermost of equal size was met last, hence stands first: keep that order. *)
  List.stable_sort (fun (_, a, _) (_, b, _) -> compare (size a) (size b)) !found

let hole_expression loc =
  Ast_helper.Exp.assert_ ~loc
    (Ast_helper.Exp.construct ~loc (Location.mkloc (Longident.Lident "false") loc) None)

let replace (kind, at) program =
  let default = Ast_mapper.default_mapper in
  let here k loc = k = kind && loc = at in
  let expr self e =
    if here Expression e.pexp_loc then hole_expression at else default.expr self e
  in
  let pat self p =
    if here Pattern p.ppat_loc then Ast_helper.Pat.any ~loc:at () else default.pat self p
  in
  let typ self t =
    if here Type t.ptyp_loc then Ast_helper.Typ.any ~loc:at () else default.typ self t
  in
  let structure self items =
    default.structure self (List.filter (fun i -> not (here Item i.pstr_loc)) items)
  in
  let mapper = { default with expr; pat; typ; structure } in
  mapper.structure mapper program

(* Names that vanish with a node: what an item defines, what a pattern binds. *)
let vanishing (kind, at) structure =
  let found = ref [] in
  let add { Asttypes.txt; _ } = found := txt :: !found in
  let default = Ast_iterator.default_iterator in
  let pat self p =
    (match p.ppat_desc with
     | (Ppat_var name | Ppat_alias (_, name)) when inside p.ppat_loc at -> add name
     | _ -> ());
    default.pat self p
  in
  let type_declaration self d =
    if inside d.ptype_loc at then begin
      add d.ptype_name;
      match d.ptype_kind with
      | Ptype_variant constructors -> List.iter (fun c -> add c.pcd_name) constructors
      | Ptype_record fields -> List.iter (fun f -> add f.pld_name) fields
      | _ -> ()
    end;
    default.type_declaration self d
  in
  let module_binding self m =
    (match m.pmb_name with
     | { txt = Some name; loc } when inside m.pmb_loc at -> add { Asttypes.txt = name; loc }
     | _ -> ());
    default.module_binding self m
  in
  let extension_constructor self c =
    if inside c.pext_loc at then add c.pext_name;
    default.extension_constructor self c
  in
  (* What an [open] or [include] would have brought is anybody's guess. *)
  let brought loc = if inside loc at then found := "*" :: !found in
  let open_declaration self o = brought o.popen_loc; default.open_declaration self o in
  let include_declaration self i = brought i.pincl_loc; default.include_declaration self i in
  let iterator =
    { default with pat; type_declaration; module_binding; extension_constructor;
      open_declaration; include_declaration }
  in
  if kind = Item || kind = Pattern then iterator.structure iterator structure;
  !found

(* The name in "Unbound value x" and its kin, at the end of the first line. *)
let unbound message =
  if String.length message > 8 && String.sub message 0 8 = "Unbound " then
    let line = List.hd (String.split_on_char '\n' message) in
    let words = String.split_on_char ' ' line in
    let name = List.nth words (List.length words - 1) in
    let name = String.concat "" (String.split_on_char '"' name) in
    match List.rev (String.split_on_char '.' name) with last :: _ -> Some last | [] -> None
  else None

(* On the formatter that the compiler prepares for this: from 5.2 on names stand in quotes
   there, as in ocamlc's own first error, and nowhere else. *)
let printed report =
  Location.input_lexbuf := None;
  Location.print_report Format.str_formatter report;
  Format.flush_str_formatter ()

(* The holes that lie in no other, each with the report of the first error found in it:
   the first is the one ocamlc itself stops at.  A dropped item hides nothing found in it
   before; it only counts if its own error is a new one. *)
let maximal holes =
  let holes =
    List.filter
      (fun h ->
        h.kind <> Item
        || not
             (List.exists
                (fun o -> o != h && inside h.at o.loc && inside o.loc h.loc)
                holes))
      holes
  in
  let rec without_repeats = function
    | [] -> []
    | h :: rest -> h :: without_repeats (List.filter (fun other -> other.loc <> h.loc) rest)
  in
  let outermost h =
    not
      (List.exists
         (fun other -> other.kind <> Item && other.loc <> h.loc && inside h.loc other.loc)
         holes)
  in
  let first_inside h =
    if h.kind = Item then h else List.find (fun other -> inside other.loc h.loc) holes
  in
  List.map
    (fun h -> { h with report = (first_inside h).report })
    (without_repeats (List.filter outermost holes))

(* The holes it takes to make [structure] type, first found first, at most [bound].

   [uses] widens a hole to the smallest node that mentions one of those names: in tests,
   a mistake belongs to the entry point it is about. *)
let holes ~bound ~uses structure =
  let rec go ~steps structure found tried gone =
    if List.length found >= bound || steps = 0 then found
    else
      match Typing.implementation structure with
      | () -> found
      | exception e -> (
        match Location.error_of_exn e with
        | Some (`Ok report) -> (
          let at = report.main.loc in
          let nodes = around at structure in
          let fresh = List.filter (fun (k, at, _) -> not (List.mem (k, at) tried)) nodes in
          let mentioned idents = Names.Set.inter (Lazy.force idents) uses in
          let chosen =
            match
              List.find_opt (fun (_, _, idents) -> not (Names.Set.is_empty (mentioned idents))) fresh
            with
            | Some node -> Some node
            | None -> ( match fresh with node :: _ -> Some node | [] -> None)
          in
          let missing = unbound (Driver.message report) in
          let follows =
            match missing with
            | Some name -> List.mem name gone || List.mem "*" gone
            | None -> false
          in
          (* In a program, a name that is missing is one mistake, however often it is used. *)
          let gone =
            match missing with
            | Some name when Names.Set.is_empty uses -> name :: gone
            | _ -> gone
          in
          let hole kind loc names = { kind; loc; at; report = printed report; names } in
          match chosen with
          | None -> if follows then found else hole Item at Names.Set.empty :: found
          | Some (kind, loc, idents) ->
            let found = if follows then found else hole kind loc (mentioned idents) :: found in
            go ~steps:(steps - 1)
              (replace (kind, loc) structure)
              found
              ((kind, loc) :: tried)
              (vanishing (kind, loc) structure @ gone))
        | _ -> found)
  in
  maximal (List.rev (go ~steps:200 structure [] [] []))
