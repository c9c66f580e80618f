(* What a function of the library gives or refuses, told from what is known of its arguments:
   the length of a literal, an element of an empty list, a number in a word. *)

(** What a value of the library with this path is, if that can be told. *)
val constant : string list -> Values.t option

(** What a function with this path gives for these values, in their order, where its functions
    give these answers for all that they are called with; if that can be told. *)
val gives : string list -> Values.t list -> Values.t list -> Values.t option
