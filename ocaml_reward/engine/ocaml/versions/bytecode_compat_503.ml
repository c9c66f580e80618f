(* What differs between compiler-libs versions in bytecode: OCaml 5.3 and later. *)

let bytecode lambda =
  let instructions, _ = Bytegen.compile_phrase lambda in
  let code, relocations, _ = Emitcode.to_memory instructions in
  let relocation = function
    | Cmo_format.Reloc_literal constant -> Compiled_unit.Literal constant
    | Reloc_getcompunit (Compunit name) | Reloc_getpredef (Predef_exn name) -> Needs name
    | Reloc_setcompunit (Compunit name) -> Defines name
    | Reloc_primitive name -> Primitive name
  in
  ( Bytes.init (Bigarray.Array1.dim code) (Bigarray.Array1.get code),
    List.map (fun (what, at) -> (relocation what, at)) relocations )

let sections input =
  let sections = Bytesections.read_toc input in
  let map : Symtable.global_map = Bytesections.read_section_struct sections input SYMB in
  let primitives = Bytesections.read_section_string sections input PRIM in
  let data : Obj.t = Bytesections.read_section_struct sections input DATA in
  let globals = ref [] in
  Symtable.iter_global_map
    (fun global place -> globals := (Symtable.Global.name global, place) :: !globals)
    map;
  (!globals, primitives, data)
