open Parsetree

(* The labels that a structure declares as mutable. *)
let mutable_labels_in visit =
  let found = ref (Names.Set.singleton "contents") in
  let default = Ast_iterator.default_iterator in
  let label_declaration self l =
    if l.pld_mutable = Asttypes.Mutable then found := Names.Set.add l.pld_name.txt !found;
    default.label_declaration self l
  in
  visit { default with label_declaration };
  !found

let mutable_labels structure =
  mutable_labels_in (fun iterator -> iterator.Ast_iterator.structure iterator structure)

let mutable_labels_declared signature =
  mutable_labels_in (fun iterator -> iterator.Ast_iterator.signature iterator signature)

let exists_pattern holds p =
  let default = Ast_iterator.default_iterator in
  let found = ref false in
  let pat self p = if holds p then found := true else default.pat self p in
  let iterator = { default with pat } in
  iterator.pat iterator p;
  !found

let library = Names.Set.of_list [ "None"; "Some"; "[]"; "::"; "true"; "false"; "()" ]

(* A constant that is taken for a block is an address where no memory is. *)
let most_constants = 100

let alike structure =
  let found = ref library and others = ref Names.Set.empty in
  let default = Ast_iterator.default_iterator in
  let has_parts c =
    match c.pcd_args with Pcstr_tuple [] -> false | Pcstr_tuple _ | Pcstr_record _ -> true
  in
  let type_declaration self t =
    (match t.ptype_kind with
     | Ptype_variant constructors ->
       let is_alike =
         List.length (List.filter has_parts constructors) <= 1
         && List.length constructors <= most_constants
         && List.for_all (fun c -> c.pcd_res = None) constructors
       in
       let set = if is_alike then found else others in
       List.iter (fun c -> set := Names.Set.add c.pcd_name.txt !set) constructors
     | _ -> ());
    default.type_declaration self t
  in
  let extension_constructor self c =
    others := Names.Set.add c.pext_name.txt !others;
    default.extension_constructor self c
  in
  let iterator = { default with type_declaration; extension_constructor } in
  iterator.structure iterator structure;
  Names.Set.diff !found !others

(* May what is there be taken for another shape, when it is read again behind a guard? *)
let may_change alike =
  exists_pattern (fun p ->
      match p.ppat_desc with
      | Ppat_any | Ppat_var _ | Ppat_alias _ | Ppat_constraint _ | Ppat_tuple _
      | Ppat_record _ | Ppat_open _ | Ppat_unpack _ | Ppat_or _ -> false
      | Ppat_construct ({ txt; _ }, _) -> (
        match List.rev (Compat.components txt) with
        | name :: _ -> not (Names.Set.mem name alike)
        | [] -> true)
      | _ -> true)

let is_lazy = exists_pattern (fun p -> match p.ppat_desc with Ppat_lazy _ -> true | _ -> false)

(* Does a pattern ask what a place holds that may be assigned to? *)
let looks_into (labels, alike) =
  exists_pattern (fun p ->
      match p.ppat_desc with
      | Ppat_record (fields, _) ->
        List.exists
          (fun ({ Location.txt; _ }, field) ->
            match List.rev (Compat.components txt) with
            | label :: _ -> Names.Set.mem label labels && may_change alike field
            | [] -> false)
          fields
      | Ppat_array parts -> List.exists (may_change alike) parts
      | _ -> false)

(* Functions that call nothing they are given.  The names below may be those of something
   else in a library's module that is open, as [List.compare] calls its argument. *)
let operators =
  [ "="; "<>"; "<"; ">"; "<="; ">="; "=="; "!="; "&&"; "||"; "not"; "+"; "-"; "*"; "/"; "mod";
    "~-"; "+."; "-."; "*."; "/."; "~-."; "^"; "land"; "lor"; "lxor"; "lsl"; "lsr"; "asr" ]

let words = [ "!"; "abs"; "min"; "max"; "compare"; "fst"; "snd"; "succ"; "pred" ]

let plain structure =
  let own = ref Names.Set.empty and opened = ref false in
  let default = Ast_iterator.default_iterator in
  let pat self p =
    (match p.ppat_desc with
     | Ppat_var { txt; _ } | Ppat_alias (_, { txt; _ }) -> own := Names.Set.add txt !own
     | _ -> ());
    default.pat self p
  in
  let class_field self f =
    (match f.pcf_desc with
     | Pcf_val ({ txt; _ }, _, _) -> own := Names.Set.add txt !own
     | _ -> ());
    default.class_field self f
  in
  let open_declaration self o = opened := true; default.open_declaration self o in
  let include_declaration self i = opened := true; default.include_declaration self i in
  let iterator = { default with pat; class_field; open_declaration; include_declaration } in
  iterator.structure iterator structure;
  let known = if !opened then operators else operators @ words in
  List.filter (fun name -> not (Names.Set.mem name !own)) known

(* An expression that changes nothing. *)
let rec calm plain e =
  match e.pexp_desc with
  | Pexp_ident _ | Pexp_constant _ -> true
  | Pexp_construct (_, argument) | Pexp_variant (_, argument) ->
    Option.fold ~none:true ~some:(calm plain) argument
  | Pexp_tuple _ -> List.for_all (calm plain) (Compat.tuple e)
  | Pexp_field (e, _) | Pexp_constraint (e, _) -> calm plain e
  | Pexp_apply
      ({ pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ }, arguments) ->
    List.mem name plain && List.for_all (fun (_, argument) -> calm plain argument) arguments
  | _ -> false

let collects structure =
  let default = Ast_iterator.default_iterator in
  let found = ref false in
  let note path = if List.mem "Gc" (Compat.components path) then found := true in
  let expr self e =
    (match e.pexp_desc with Pexp_ident { txt; _ } -> note txt | _ -> ());
    default.expr self e
  in
  let module_expr self m =
    (match m.pmod_desc with Pmod_ident { txt; _ } -> note txt | _ -> ());
    default.module_expr self m
  in
  let iterator = { default with expr; module_expr } in
  iterator.structure iterator structure;
  !found

let changing = "a mutable place matched while code runs"

type places = Names.Set.t * Names.Set.t

let places structure = (mutable_labels structure, alike structure)

let unsteady places plain ~collected cases =
  let runs c =
    is_lazy c.pc_lhs || collected
    || match c.pc_guard with Some guard -> not (calm plain guard) | None -> false
  in
  if List.exists runs cases then
    List.find_opt (fun c -> looks_into places c.pc_lhs) cases
  else None

let changed_within places ~collected p =
  (collected || is_lazy p) && looks_into places p
  && exists_pattern (fun p -> match p.ppat_desc with Ppat_or _ -> true | _ -> false) p
