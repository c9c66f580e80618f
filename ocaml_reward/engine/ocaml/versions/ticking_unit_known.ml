(* Supported compiler version: with ocamlc's steps. *)

let write ~source ~unit_name ~merged ~alone env program =
  Location.input_name := source;
  Typing_compat.set_unit unit_name;
  let items = Codegen.type_items env program in
  let shown _ = true in
  let typed =
    if alone then Codegen.close_alone items else Codegen.close_unit ~source ~shown env program items
  in
  let ticking = if merged then Codegen.Of_code else Ticking in
  let lambda, required_globals = Codegen.translated ticking unit_name typed in
  Object_compat.write unit_name ~required_globals (Bytegen.compile_implementation unit_name lambda)
