(* What differs between compiler-libs versions from typing on: OCaml 5.3 to 5.5. *)

(* Interfaces come from memory: a locked process cannot read files. *)
let load_interfaces find =
  let open Persistent_env.Persistent_signature in
  load :=
    fun ~allow_hidden:_ ~unit_name ->
      match find unit_name with
      | Some (filename, cmi) -> Some { filename; cmi; visibility = Load_path.Visible }
      | None -> None

type typed = {
  structure : Typedtree.structure;
  coercion : Typedtree.module_coercion;
  signature : Types.signature;  (* what other units see *)
  whole : Types.signature;
}

(* The first half of typing a unit: raises what is wrong with one of its items. *)
let type_items env program =
  Cmt_format.clear ();
  Typecore.reset_delayed_checks ();
  Env.reset_required_globals ();
  Typemod.type_structure env program

(* The second, as ocamlc does it for an implementation without an interface; but other
   units see no more of its values than those that are [shown]. *)
let close_unit ~source ~shown env program (structure, signature, names, shape, final) =
  let whole = Typemod.Signature_names.simplify final names signature in
  let included ~mark seen =
    fst
      (Includemod.compunit env ~mark source signature "(inferred signature)" seen shape)
  in
  let all = included ~mark:true whole in
  Typemod.check_nongen_signature final whole;
  Signatures.normalize whole;
  Typecore.force_delayed_checks ();
  ignore (Builtin_attributes.alerts_of_str ~mark:true program);
  let seen = Signatures.only shown whole in
  let hidden = List.compare_lengths seen whole < 0 in
  let coercion = if hidden then included ~mark:false seen else all in
  { structure; coercion; signature = seen; whole }

(* Likewise with an empty interface, which lets types stay open. *)
let close_alone (structure, signature, names, _, final) =
  ignore (Typemod.Signature_names.simplify final names signature);
  Typecore.force_delayed_checks ();
  { structure; coercion = Typedtree.Tcoerce_none; signature; whole = signature }

let bytecode unit_name { structure; coercion; _ } =
  let program = Translmod.transl_implementation unit_name (structure, coercion) in
  let instructions, _ = Bytegen.compile_phrase (Simplif.simplify_lambda program.Lambda.code) in
  let code, relocations, _ = Emitcode.to_memory instructions in
  let relocation = function
    | Cmo_format.Reloc_literal constant -> Objects.Literal constant
    | Reloc_getcompunit (Compunit name) | Reloc_getpredef (Predef_exn name) -> Needs name
    | Reloc_setcompunit (Compunit name) -> Defines name
    | Reloc_primitive name -> Primitive name
  in
  {
    Objects.code = Bytes.init (Bigarray.Array1.dim code) (Bigarray.Array1.get code);
    relocations = List.map (fun (what, at) -> (relocation what, at)) relocations;
    required = List.map Ident.name (Ident.Set.elements program.Lambda.required_globals);
  }

(* Attributes that nothing has read, since the last call. *)
let warn_unused = Builtin_attributes.warn_unused

(* Patched code as the runtime takes it. *)
let loadable code =
  Obj.repr (Bigarray.Array1.init Char C_layout (Bytes.length code) (Bytes.get code))

(* The linker's error about units, in link order, with what each of them misses. *)
let unavailable missing =
  let dependencies = Linkdeps.create ~complete:true in
  List.iter
    (fun (compunit, requires) ->
      Linkdeps.add dependencies ~filename:(Objects.file compunit) ~compunit ~requires
        ~provides:[ compunit ])
    (List.rev missing);
  Option.map (fun error -> Bytelink.Error (Link_error error)) (Linkdeps.check dependencies)

let read_program path =
  let input = open_in_bin path in
  let sections = Bytesections.read_toc input in
  let map : Symtable.global_map = Bytesections.read_section_struct sections input SYMB in
  let primitives = Bytesections.read_section_string sections input PRIM in
  let data : Obj.t = Bytesections.read_section_struct sections input DATA in
  close_in input;
  let globals = ref [] in
  Symtable.iter_global_map
    (fun global place -> globals := (Symtable.Global.name global, place) :: !globals)
    map;
  { Objects.globals = !globals; size = Obj.size data; primitives = Objects.words primitives }
