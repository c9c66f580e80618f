(* What differs between compiler-libs versions in object files: OCaml 5.2 and later. *)

let write unit_name ~required_globals code =
  let path = Compiled_unit.file unit_name in
  let output = open_out_bin path in
  Emitcode.to_file output (Unit_info.Artifact.from_filename path) ~required_globals code;
  close_out output
