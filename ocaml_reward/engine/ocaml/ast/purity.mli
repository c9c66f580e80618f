(* What evaluating a piece of source does: nothing, as far as is known, or maybe something
   that shows elsewhere.  What is not known to be still acts. *)

(** What a value does when it is called, from nothing on: what it was given does; it may
    raise; it may change something. *)
type doing = Still | Given | Raises | Acts

(** Of an expression: what evaluating it does, what its value does when it is called, and
    whether that value may be changed later; and whether a definition at the top of the
    program is used for it. *)
type t = { now : doing; later : doing; fresh : bool; top : bool }

(** Evaluates to a value that does nothing. *)
val still : t

(** May do anything. *)
val acts : t

(** A value of which nothing is known. *)
val unknown : t

(** Of two expressions together. *)
val join : t -> t -> t

(** A function with this body. *)
val suspended : t -> t

(** What has been evaluated, where it is named. *)
val named : top:bool -> t -> t

(** What is taken out of a value. *)
val part : top:bool -> t -> t

(** A call of [f] on what [arguments] are together. *)
val call : t -> t -> t

(** A value that may be changed later. *)
val fresh : t

(** A value of the library, by its path; what else a program does not define is not known. *)
val of_library : string list -> t
