(* Unsupported compiler version: code does not tick. *)

let write ~source:_ ~unit_name:_ ~merged:_ ~alone:_ _ _ = failwith "not with this version of OCaml"
