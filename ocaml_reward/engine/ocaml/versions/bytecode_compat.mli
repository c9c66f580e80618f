(* What differs between versions of the compiler's library in bytecode. *)

(** Code, and what places in it must be patched with. *)
val bytecode : Lambda.lambda -> bytes * (Compiled_unit.relocation * int) list

(** Of a linked program: its globals with their places, its primitives as one section, and
    its data. *)
val sections : in_channel -> (string * int) list * string * Obj.t
