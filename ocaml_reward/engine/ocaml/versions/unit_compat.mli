(* What differs between versions of the compiler's library around a unit. *)

(** Has the compiler take interfaces, each with its file, from memory: a locked process cannot
    read any. *)
val load_interfaces : (string -> (string * Cmi_format.cmi_infos) option) -> unit

(** Takes note of the alerts that a program sets. *)
val note_alerts : Parsetree.structure -> unit

(** Warns of attributes that nothing has read, since the last call. *)
val warn_unused : unit -> unit

(** Patched code as the runtime takes it. *)
val loadable : bytes -> Obj.t

(** The linker's error about units, in link order, with what each of them misses. *)
val unavailable : (string * string list) list -> exn option
