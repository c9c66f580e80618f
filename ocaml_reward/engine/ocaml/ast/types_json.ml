(* Interfaces and types as JSON, for Python (messages/types.py): lists that begin with a word. *)

open Parsetree

type json = Text of string | Number of int | Flag of bool | List of json list

let rec write buffer = function
  | Flag flag -> Buffer.add_string buffer (string_of_bool flag)
  | Number n -> Buffer.add_string buffer (string_of_int n)
  | Text text ->
    let add = function
      | ('"' | '\\') as c -> Buffer.add_char buffer '\\'; Buffer.add_char buffer c
      | '\000' .. '\031' -> Buffer.add_char buffer ' '
      | c -> Buffer.add_char buffer c
    in
    Buffer.add_char buffer '"';
    String.iter add text;
    Buffer.add_char buffer '"'
  | List items ->
    let item n i =
      if n > 0 then Buffer.add_char buffer ',';
      write buffer i
    in
    Buffer.add_char buffer '[';
    List.iteri item items;
    Buffer.add_char buffer ']'

let list make items = List (List.map make items)
let kind word parts = List (Text word :: parts)

(* What is nested deeper is unknown, as Python reads it by recursion. *)
let deepest = 100

let rec type_at depth t =
  let inner = type_at (depth + 1) in
  match t.ptyp_desc with
  | _ when depth > deepest -> kind "unknown" [ Text "too deep" ]
  | Ptyp_var name -> kind "variable" [ Text name ]
  | Ptyp_constr (name, arguments) ->
    kind "named" [ Text (Format.asprintf "%a" Pprintast.longident name.txt); list inner arguments ]
  | Ptyp_arrow (label, argument, result) ->
    let label =
      match label with
      | Nolabel -> ""
      | Labelled name -> "~" ^ name ^ ":"
      | Optional name -> "?" ^ name ^ ":"
    in
    kind "arrow" [ Text label; inner argument; inner result ]
  | _ -> (
    match Path_compat.tuple_of_types t with
    | [] -> kind "unknown" [ Text (Format.asprintf "%a" Pprintast.core_type t) ]
    | items -> kind "tuple" [ list inner items ])

let type_ = type_at 0

let field l =
  List [ Text l.pld_name.txt; type_ l.pld_type; Flag (l.pld_mutable = Asttypes.Mutable) ]

let constructor c =
  let types, record =
    match c.pcd_args with Pcstr_tuple types -> (types, []) | Pcstr_record fields -> ([], fields)
  in
  List [ Text c.pcd_name.txt; list type_ types; list field record ]

(* What a declaration says of the values of its type. *)
let values_of d =
  let is_plain c = c.pcd_res = None in
  if d.ptype_private = Asttypes.Private || Scope_compat.is_constrained d then kind "unknown" []
  else
    match (d.ptype_kind, d.ptype_manifest) with
    | Ptype_abstract, None -> kind "abstract" []
    | Ptype_abstract, Some other -> kind "alias" [ type_ other ]
    | Ptype_record fields, _ -> kind "record" [ list field fields ]
    | Ptype_variant cases, _ when List.for_all is_plain cases ->
      kind "variant" [ list constructor cases ]
    | _ -> kind "unknown" []

let declaration d =
  let parameter (t, _) = match t.ptyp_desc with Ptyp_var name -> Text name | _ -> Text "_" in
  List [ Text d.ptype_name.txt; list parameter d.ptype_params; values_of d ]

let rec item depth i =
  match i.psig_desc with
  | Psig_value v -> [ kind "value" [ Text v.pval_name.txt; type_ v.pval_type ] ]
  | Psig_type (_, declarations) -> [ kind "types" [ list declaration declarations ] ]
  | Psig_exception { ptyexn_constructor = c; _ } ->
    [ kind "exception" [ Text c.pext_name.txt; Flag (Type_compat.has_argument c) ] ]
  | Psig_module m -> module_ depth m
  | Psig_recmodule modules -> List.concat_map (module_ depth) modules
  | _ -> []

and module_ depth m =
  match (m.pmd_name.txt, m.pmd_type.pmty_desc) with
  | None, _ -> []
  | Some name, Pmty_signature s when depth < deepest ->
    [ kind "module" [ Text name; signature (depth + 1) s ] ]
  | Some name, _ -> [ kind "functor" [ Text name ] ]

and signature depth items = List (List.concat_map (item depth) items)

let interface = signature 0
