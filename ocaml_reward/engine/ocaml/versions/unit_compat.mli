(* What differs between versions of the compiler's library around a unit. *)

(** Makes the compiler take interfaces from memory, as a locked process cannot read files. *)
val load_interfaces : (string -> (string * Cmi_format.cmi_infos) option) -> unit

(** Registers a program's alerts. *)
val note_alerts : Parsetree.structure -> unit

(** Warns of unused attributes since the last call. *)
val warn_unused : unit -> unit

(** Code in the form that the runtime loads. *)
val loadable : bytes -> Obj.t

(** The linker's error for missing globals, per unit in link order. *)
val unavailable : (string * string list) list -> exn option
