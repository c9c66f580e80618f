(* Links units in memory on top of the runner, with ocamlc's linker's errors. *)

(** What is known of the program that takes images. *)
type runner

(** What the file of that program says of it. *)
val runner : string -> runner

(** A program as runner.ml takes it: how many globals there are, literals with their places,
    and code to run in order.  [units] are (name, code) in link order; they are patched in
    place. *)
val image : runner -> (string * Compiled_unit.t) list -> string
