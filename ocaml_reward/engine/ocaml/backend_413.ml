(* What differs between compiler-libs versions from typing on: OCaml 4.13. *)

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
  signature : Types.signature;  (* what other units see *)
  whole : Types.signature;
}

(* The first half of typing a unit: raises what is wrong with one of its items. *)
let type_items env program =
  Cmt_format.clear ();
  Env.reset_required_globals ();
  Typecore.reset_delayed_checks ();
  Typemod.type_structure env program

(* The second, as ocamlc does it for an implementation without an interface; but other
   units see no more of its values than those that are [shown]. *)
let close_unit ~source ~shown env _program (structure, signature, names, final) =
  let whole = Typemod.Signature_names.simplify final names signature in
  let included ~mark seen =
    Includemod.compunit env ~mark source signature "(inferred signature)" seen
  in
  let all = included ~mark:Mark_positive whole in
  Typemod.check_nongen_schemes final whole;
  Signatures.normalize whole;
  Typecore.force_delayed_checks ();
  let seen = Signatures.only shown whole in
  let hidden = List.compare_lengths seen whole < 0 in
  let coercion = if hidden then included ~mark:Mark_neither seen else all in
  { structure; coercion; signature = seen; whole }

(* Likewise with an empty interface, which lets types stay open. *)
let close_alone (structure, signature, names, final) =
  ignore (Typemod.Signature_names.simplify final names signature);
  Typecore.force_delayed_checks ();
  { structure; coercion = Typedtree.Tcoerce_none; signature; whole = signature }

let bytecode unit_name { structure; coercion; _ } =
  let program = Translmod.transl_implementation unit_name (structure, coercion) in
  let init, functions = Bytegen.compile_phrase (Simplif.simplify_lambda program.Lambda.code) in
  let code, relocations, _ = Emitcode.to_memory init functions in
  let relocation = function
    | Cmo_format.Reloc_literal constant -> Objects.Literal (Symtable.transl_const constant)
    | Reloc_getglobal id -> Needs (Ident.name id)
    | Reloc_setglobal id -> Defines (Ident.name id)
    | Reloc_primitive name -> Primitive name
  in
  {
    Objects.code = Bytes.init (Misc.LongString.length code) (Misc.LongString.get code);
    relocations = List.map (fun (what, at) -> (relocation what, at)) relocations;
    required = List.map Ident.name (Ident.Set.elements program.Lambda.required_globals);
  }

(* Attributes that nothing has read are no matter of this version's. *)
let warn_unused () = ()

(* Patched code as the runtime takes it. *)
let loadable code = Obj.repr [| code |]

(* The linker's error about units, in link order, with what each of them misses. *)
let unavailable missing =
  let pairs = List.concat_map (fun (by, names) -> List.map (fun n -> (n, by)) names) missing in
  (* The first by name; a stable sort keeps the order of units among equals. *)
  match List.stable_sort (fun (a, _) (b, _) -> compare a b) pairs with
  | [] -> None
  | (name, by) :: _ -> Some (Bytelink.Error (Required_module_unavailable (name, by)))

let read_program path =
  let input = open_in_bin path in
  Bytesections.read_toc input;
  let map : Symtable.global_map = Bytesections.read_section_struct input "SYMB" in
  let primitives = Bytesections.read_section_string input "PRIM" in
  let data : Obj.t = Bytesections.read_section_struct input "DATA" in
  close_in input;
  let globals = ref [] in
  Symtable.iter_global_map (fun id place -> globals := (Ident.name id, place) :: !globals) map;
  { Objects.globals = !globals; size = Obj.size data; primitives = Objects.words primitives }
