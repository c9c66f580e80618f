(* What differs between versions of the compiler's library in bytecode. *)

(** The bytecode of a program, with its relocations and their places. *)
val bytecode : Lambda.lambda -> bytes * (Compiled_unit.relocation * int) list

(** The globals with their places, the primitives, and the data of a linked program. *)
val sections : in_channel -> (string * int) list * string * Obj.t
