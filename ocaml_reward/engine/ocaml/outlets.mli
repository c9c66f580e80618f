(* Where what a library's function writes goes: whether who reads the program's output has it. *)

(** [Output]: it may be standard output.  [Elsewhere]: a table, an array, a buffer, a setting.
    [Nowhere]: it is thrown away, or printed for whoever looks on. *)
type t = Output | Elsewhere | Nowhere

(** Where a function with this path writes that takes data of such types and values. *)
val of_call : string list -> (Types.type_expr * Values.t) list -> t

(** What is known of a channel or a formatter that is no standard output: by the path of the
    value that it is, or of the function that makes it, with what that takes. *)
val channel : string list -> Values.t list -> Values.t option

(** Is it such a channel or formatter? *)
val is_channel : Values.t -> bool
