(* What differs between compiler-libs versions in bytecode: OCaml 4.08 to 5.0. *)

let bytecode lambda =
  let init, functions = Bytegen.compile_phrase lambda in
  let code, relocations, _ = Emitcode.to_memory init functions in
  let relocation = function
    | Cmo_format.Reloc_literal constant -> Compiled_unit.Literal (Symtable.transl_const constant)
    | Reloc_getglobal id -> Needs (Ident.name id)
    | Reloc_setglobal id -> Defines (Ident.name id)
    | Reloc_primitive name -> Primitive name
  in
  ( Bytes.init (Misc.LongString.length code) (Misc.LongString.get code),
    List.map (fun (what, at) -> (relocation what, at)) relocations )

let sections input =
  Bytesections.read_toc input;
  let map : Symtable.global_map = Bytesections.read_section_struct input "SYMB" in
  let primitives = Bytesections.read_section_string input "PRIM" in
  let data : Obj.t = Bytesections.read_section_struct input "DATA" in
  let globals = ref [] in
  Symtable.iter_global_map (fun id place -> globals := (Ident.name id, place) :: !globals) map;
  (!globals, primitives, data)
