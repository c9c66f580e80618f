(* What differs between compiler-libs versions after parsing: OCaml 4.13. *)

(* Interfaces come from memory: a locked process cannot read files. *)
let load_interfaces find =
  Persistent_env.Persistent_signature.load :=
    fun ~unit_name ->
      match find unit_name with
      | Some (filename, cmi) -> Some { Persistent_env.Persistent_signature.filename; cmi }
      | None -> None

type typed = {
  structure : Typedtree.structure;
  coercion : Typedtree.module_coercion;
  signature : Types.signature;
}

(* The first half of typing a unit: raises what is wrong with one of its items. *)
let type_items env program =
  Cmt_format.clear ();
  Env.reset_required_globals ();
  Typecore.reset_delayed_checks ();
  Typemod.type_structure env program

let rec normalize signature =
  let open Types in
  let item = function
    | Sig_value (_, { val_type; _ }, _) -> Ctype.normalize_type val_type
    | Sig_module (_, _, { md_type = Mty_signature signature; _ }, _, _) ->
      normalize signature
    | _ -> ()
  in
  List.iter item signature

(* The second, as ocamlc does it for an implementation without an interface. *)
let close_unit ~source env (structure, signature, names, final) =
  let simple = Typemod.Signature_names.simplify final names signature in
  let coercion =
    Includemod.compunit env ~mark:Mark_positive source signature "(inferred signature)" simple
  in
  Typemod.check_nongen_schemes final simple;
  normalize simple;
  Typecore.force_delayed_checks ();
  { structure; coercion; signature = simple }

(* Likewise with an empty interface, which lets types stay open. *)
let close_alone (structure, signature, _, _) =
  Typecore.force_delayed_checks ();
  { structure; coercion = Typedtree.Tcoerce_none; signature }

let with_module name signature env =
  Env.add_module (Ident.create_persistent name) Types.Mp_present
    (Types.Mty_signature signature) env

(* What a place in the code must be patched with. *)
type relocation =
  | Literal of Obj.t
  | Needs of string
  | Defines of string
  | Primitive of string

type unit_code = {
  code : Misc.LongString.t;
  relocations : (relocation * int) list;
  required : string list;  (* units whose initialisation must have run *)
}

let bytecode unit_name { structure; coercion; _ } =
  let program = Translmod.transl_implementation unit_name (structure, coercion) in
  let init, functions = Bytegen.compile_phrase (Simplif.simplify_lambda program.Lambda.code) in
  let code, relocations, _ = Emitcode.to_memory init functions in
  let relocation = function
    | Cmo_format.Reloc_literal constant -> Literal (Symtable.transl_const constant)
    | Reloc_getglobal id -> Needs (Ident.name id)
    | Reloc_setglobal id -> Defines (Ident.name id)
    | Reloc_primitive name -> Primitive name
  in
  {
    code;
    relocations = List.map (fun (what, at) -> (relocation what, at)) relocations;
    required = List.map Ident.name (Ident.Set.elements program.Lambda.required_globals);
  }

(* A linked program's globals with their places, how many places there are, and its
   primitives in their order. *)
let read_program path =
  let input = open_in_bin path in
  Bytesections.read_toc input;
  let map : Symtable.global_map = Bytesections.read_section_struct input "SYMB" in
  let primitives = Bytesections.read_section_string input "PRIM" in
  let data : Obj.t = Bytesections.read_section_struct input "DATA" in
  close_in input;
  let globals = ref [] in
  Symtable.iter_global_map (fun id place -> globals := (Ident.name id, place) :: !globals) map;
  ( !globals, Obj.size data,
    List.filter (( <> ) "") (String.split_on_char '\000' primitives) )
