(* What the zygote does before its first fork, so that no checker has to: every interface
   is read, and the paths through the compiler that most programs take are walked once. *)

(** Does so, with a runner and the units that can be used. *)
val run : Link_units.runner -> string list -> unit
