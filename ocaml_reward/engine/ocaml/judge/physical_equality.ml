(* Finds expressions that distinguish a value from its copy: by `==`, or by mutating it.  A
   rebuilt value cannot replace the original there. *)

open Parsetree

(* Functions of the library that compare by identity. *)
let by_identity =
  [ "=="; "!="; "List.memq"; "List.assq"; "List.assq_opt"; "List.mem_assq"; "List.remove_assq";
    "Array.memq" ]

(* Modules whose values are mutable arrays. *)
let arrays = [ "Array"; "Bytes"; "Floatarray"; "Float.Array" ]

(* Functions of modules of mutable arrays that write, with the place of the argument that they write
   into. *)
let of_arrays =
  [ ("set", 0); ("unsafe_set", 0); ("fill", 0); ("unsafe_fill", 0); ("blit", 2);
    ("unsafe_blit", 2); ("blit_string", 2); ("sort", 1); ("stable_sort", 1); ("fast_sort", 1);
    ("map_inplace", 1); ("mapi_inplace", 1); ("shuffle", 0); ("set_uint8", 0); ("set_int8", 0);
    ("set_uint16_ne", 0); ("set_uint16_be", 0); ("set_uint16_le", 0); ("set_int16_ne", 0);
    ("set_int16_be", 0); ("set_int16_le", 0); ("set_int32_ne", 0); ("set_int32_be", 0);
    ("set_int32_le", 0); ("set_int64_ne", 0); ("set_int64_be", 0); ("set_int64_le", 0);
    ("set_utf_8_uchar", 0); ("set_utf_16be_uchar", 0); ("set_utf_16le_uchar", 0);
    ("unsafe_to_string", 0); ("unsafe_of_string", 0) ]

(* The names of a path, without [Stdlib]. *)
let parts path =
  match Path_compat.components path with "Stdlib" :: rest -> rest | components -> components

(* The name of a library function, without [Stdlib] and labels. *)
let name path =
  let whole = String.concat "." (parts path) in
  (* Labels change nothing but how arguments are told apart. *)
  match String.split_on_char '.' whole with
  | ("ListLabels" | "ArrayLabels" | "BytesLabels" | "StdLabels") :: rest -> (
    match (rest, whole.[0]) with
    | [ last ], 'L' -> "List." ^ last
    | [ last ], 'A' -> "Array." ^ last
    | [ last ], 'B' -> "Bytes." ^ last
    | rest, _ -> String.concat "." rest)
  | _ -> whole

(* The argument that a library function writes into; None if it writes none. *)
let writes_at path =
  match name path with
  | ":=" | "incr" | "decr" -> Some 0
  | whole -> (
    match String.rindex_opt whole '.' with
    | None -> None
    | Some at ->
      let last = String.sub whole (at + 1) (String.length whole - at - 1) in
      if List.mem (String.sub whole 0 at) arrays then List.assoc_opt last of_arrays else None)

(* Whether a library function compares by identity. *)
let compares_identity path = List.mem (name path) by_identity

(* Functions of modules of mutable arrays that create one. *)
let makes_arrays =
  [ "make"; "create"; "create_float"; "copy"; "append"; "concat"; "sub"; "of_list"; "map"; "mapi";
    "of_seq"; "of_string"; "init" ]

(* How deep what an expression returns is new: 0, not at all. *)
let rec depth_made e =
  match e.pexp_desc with
  | Pexp_array _ | Pexp_record _ -> 1
  | Pexp_constraint (e, _) | Pexp_let (_, _, e) | Pexp_sequence (_, e) -> depth_made e
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, arguments) -> (
    match (List.rev (parts txt), arguments) with
    | [ "ref" ], [ _ ] -> 1
    | [ "make_matrix"; "Array" ], [ _; _; _ ] -> 2
    | [ "init"; "Array" ], [ _; (_, made) ] -> (
      match Function_compat.unary_function made with
      | Some (_, body) -> 1 + depth_made body
      | None -> 1)
    | last :: rest, _ :: _
      when List.mem last makes_arrays && List.mem (String.concat "." (List.rev rest)) arrays -> 1
    | _ -> 0)
  | _ -> 0

(* Tells whether a structure itself compares by identity or mutates anything that it has not
   created.  Definitions of its names are not inspected. *)
let uses_identity structure =
  let made = Hashtbl.create 8 in
  let value_binding self b =
    (match b.pvb_pat.ppat_desc with
     | Ppat_var { txt; _ } -> Hashtbl.replace made txt (depth_made b.pvb_expr)
     | _ -> ());
    Visit.default.value_binding self b
  in
  Visit.in_structure structure { Visit.default with value_binding };
  let times_bound = Names.times_bound structure in
  let rec is_new depth e =
    match e.pexp_desc with
    | Pexp_ident { txt = Longident.Lident name; _ } ->
      (match Hashtbl.find_opt made name with Some made -> made >= depth | None -> false)
      && times_bound name = 1
    | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, [ (_, e); _ ])
      when List.mem (name txt) [ "Array.get"; "Array.unsafe_get" ] ->
      is_new (depth + 1) e
    | _ -> depth = 1 && depth_made e > 0
  in
  let found = ref false in
  let expr self e =
    match e.pexp_desc with
    | _ when !found -> ()
    | Pexp_setfield (target, _, _) when is_new 1 target -> Visit.default.expr self e
    | Pexp_setfield _ | Pexp_setinstvar _ -> found := true
    | Pexp_ident { txt; _ } ->
      if compares_identity txt || writes_at txt <> None then found := true
    | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, arguments) ->
      let expressions = List.map snd arguments in
      let harmless =
        match (writes_at txt, name txt, expressions) with
        | Some place, _, _ -> (
          match List.nth_opt expressions place with
          | Some target -> is_new 1 target
          | None -> false)
        | None, ("==" | "!="), [ a; b ] -> Syntax.(is_immediate a || is_immediate b)
        | _ -> false
      in
      if harmless then List.iter (self.Ast_iterator.expr self) expressions
      else Visit.default.expr self e
    | _ -> Visit.default.expr self e
  in
  Visit.in_structure structure { Visit.default with expr };
  !found
