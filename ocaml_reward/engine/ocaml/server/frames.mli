(* Frames between Python and the server: four bytes of length, big end first, a kind of
   one byte, four bytes with the number of the request, and so many bytes as the length says.
   An answer bears the number of what it answers.  Never reads past the frame it returns. *)

(** A descriptor by its number. *)
external descriptor : int -> Unix.file_descr = "%identity"

(** Where Python asks and is answered. *)
val python : Unix.file_descr

(** Reads up to so many bytes into a buffer, from a place in it on; returns how many, 0 at
    the end. *)
val read_some : Unix.file_descr -> bytes -> int -> int -> int

(** Writes so many bytes of a text, from a place in it on. *)
val really_write : Unix.file_descr -> string -> int -> int -> unit

(** Writes a text. *)
val write : Unix.file_descr -> string -> unit

(** How far a checker is, in memory that the zygote sees: it has answered; it is in the middle
    of a message of Python's or to Python; for the request of that number it is in the middle
    of one to or from the runner; or it works at that request. *)
type state = Answered | Exchanging | Running of int | Working of int

(** Makes that memory, before any checker is forked. *)
external share_progress : unit -> unit = "ocaml_reward_share_progress"

(** Notes how far this checker is. *)
val note : state -> unit

(** How far the last checker was. *)
val state : unit -> state

(** Notes [Exchanging] for as long as that takes, then [Working]. *)
val exchanging : (unit -> 'a) -> 'a

(** Notes [Running] for as long as that takes, then [Working]. *)
val running : (unit -> 'a) -> 'a

(** The number of the request that is answered. *)
val number : int ref

(** The kind and the body of the next frame, whose number is noted; raises End_of_file. *)
val receive : unit -> char * string

(** The start of a frame of this kind, with so many bytes to follow. *)
val head : char -> int -> string

(** A frame of this kind. *)
val frame : char -> string -> string

(** Sends Python a frame. *)
val send_framed : string -> unit

(** Sends Python a frame of this kind and body. *)
val send : char -> string -> unit

(** Tells Python that the checker has died: its exit status, or the signal as OCaml numbers
    it, and whether this server ends, too. *)
val send_death : status:int -> signal:int -> ends:bool -> unit
