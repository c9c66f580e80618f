(* A key of an interface.  Interfaces with equal keys are interchangeable for other units; one
   with modules, objects or polymorphic variants has none. *)

open Types

exception Without_words

(* The longest key: types share parts, and as text they may be far larger than in memory. *)
let longest = 16384

(* The key; None if the interface has none. *)
let key signature =
  let out = Buffer.create 512 in
  let tag c =
    if Buffer.length out > longest then raise Without_words;
    Buffer.add_char out c
  in
  let number n =
    Buffer.add_string out (string_of_int n);
    tag ' '
  in
  let word text =
    number (String.length text);
    Buffer.add_string out text
  in
  let all each items =
    number (List.length items);
    List.iter each items
  in
  let own = Hashtbl.create 8 in
  let rec path = function
    | Path.Pident id when Ident.is_predef id || Ident.persistent id ->
      tag 'g';
      word (Ident.name id)
    | Pident id -> (
      match Hashtbl.find_opt own (Ident.name id) with
      | Some declared when Ident.same declared id ->
        tag 'l';
        word (Ident.name id)
      | _ -> raise Without_words)
    | Pdot (inner, name) ->
      tag 'd';
      path inner;
      word name
    | _ -> raise Without_words
  in
  let variables = Hashtbl.create 8 in
  let rec ty t =
    match Type_compat.desc t with
    | Tvar _ when Type_compat.is_generic t ->
      tag 'v';
      let id = Type_compat.id t in
      if not (Hashtbl.mem variables id) then
        Hashtbl.add variables id (Hashtbl.length variables);
      number (Hashtbl.find variables id)
    | Tarrow (label, argument, result, _) ->
      (match label with
      | Nolabel -> tag 'a'
      | Labelled name -> tag '~'; word name
      | Optional name -> tag '?'; word name);
      ty argument;
      ty result
    | Ttuple _ as tuple ->
      tag 't';
      all part (Path_compat.tuple_type tuple)
    | Tconstr (name, arguments, _) ->
      tag 'c';
      path name;
      all ty arguments
    | Tpoly (t, []) -> ty t
    | _ -> raise Without_words
  and part (label, t) =
    Option.iter (fun name -> tag ':'; word name) label;
    ty t
  in
  let optional = function
    | None -> tag '-'
    | Some t -> tag '+'; ty t
  in
  let label ({ ld_id; ld_mutable; ld_type; _ } as field) =
    word (Ident.name ld_id);
    tag (match ld_mutable with Mutable -> 'm' | Immutable -> 'i');
    if Path_compat.is_atomic field then tag '%';
    ty ld_type
  in
  let arguments = function
    | Cstr_tuple types -> tag 't'; all ty types
    | Cstr_record labels -> tag 'r'; all label labels
  in
  let constructor { cd_id; cd_args; cd_res; _ } =
    word (Ident.name cd_id);
    arguments cd_args;
    optional cd_res
  in
  let declaration (d : type_declaration) =
    all ty d.type_params;
    (match d.type_kind with
    | _ when Kind_compat.is_abstract d -> tag 'a'
    | Type_record (labels, ((Record_regular | Record_float | Record_unboxed _) as kind)) ->
      tag (match kind with Record_regular -> 'r' | Record_float -> 'f' | _ -> 'u');
      all label labels
    | Type_variant (constructors, kind) ->
      tag (match kind with Variant_regular -> 'v' | Variant_unboxed -> 'w');
      all constructor constructors
    | _ -> raise Without_words);
    optional d.type_manifest;
    tag (match d.type_private with Public -> 'p' | Private -> '!');
    word
      (Marshal.to_string
         (d.type_variance, d.type_separability, d.type_immediate, d.type_unboxed_default)
         [ No_sharing ])
  in
  let item = function
    | Sig_value (id, { val_kind = Val_reg; val_type; _ }, Exported) ->
      tag 'V';
      word (Ident.name id);
      ty val_type
    | Sig_type (id, d, _, Exported) ->
      tag 'T';
      word (Ident.name id);
      declaration d
    | Sig_typext (id, e, Text_exception, Exported) when e.ext_ret_type = None ->
      tag 'X';
      word (Ident.name id);
      path e.ext_type_path;
      arguments e.ext_args
    | _ -> raise Without_words
  in
  let declare = function
    | Sig_type (id, _, _, _) ->
      if Hashtbl.mem own (Ident.name id) then raise Without_words;
      Hashtbl.add own (Ident.name id) id
    | _ -> ()
  in
  match
    List.iter declare signature;
    List.iter (fun i -> Hashtbl.reset variables; item i) signature
  with
  | () -> Some (Buffer.contents out)
  | exception Without_words -> None
