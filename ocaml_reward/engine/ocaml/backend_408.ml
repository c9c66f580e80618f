(* What differs between compiler-libs versions after parsing: OCaml 4.08 to 5.0. *)

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

(* As ocamlc types an implementation that has no interface. *)
let typed ~source ~unit_name env program =
  let prefix = Filename.remove_extension source in
  let { Typedtree.structure; coercion; signature } =
    Typemod.type_implementation source prefix unit_name env program
  in
  { structure; coercion; signature }

(* As with an empty interface, which lets types stay open. *)
let typed_alone env program =
  let structure, signature, _, _ = Typemod.type_structure env program in
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
