(* Links units in memory on top of the runner, with ocamlc's linker's errors. *)

(** The program that runs images. *)
type runner

(** Reads the file of the runner. *)
val runner : string -> runner

(** An image for runner.ml: the number of globals, literals with their places, and code to run
    in order.  [units] are (name, code) in link order; they are patched in place. *)
val image : runner -> (string * Compiled_unit.t) list -> string
