(* What differs between compiler-libs versions in object files: OCaml 4.08 to 5.1. *)

let write unit_name ~required_globals code =
  let path = Compiled_unit.file unit_name in
  let output = open_out_bin path in
  Emitcode.to_file output unit_name path ~required_globals code;
  close_out output
