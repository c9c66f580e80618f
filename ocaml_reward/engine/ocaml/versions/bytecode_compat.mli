(* What differs between versions of the compiler's library in bytecode. *)

(** Code with its relocations. *)
val bytecode : Lambda.lambda -> bytes * (Compiled_unit.relocation * int) list

(** The globals with their places, the primitives, and the data of a linked program. *)
val sections : in_channel -> (string * int) list * string * Obj.t
