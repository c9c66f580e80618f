(* Frames between Python and the server: four bytes of length, big end first, a kind of
   one byte, and so many bytes.  Never reads past the frame it returns. *)

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

(** The kind and the body of the next frame; raises End_of_file. *)
val receive : unit -> char * string

(** The start of a frame of this kind, with so many bytes to follow. *)
val head : char -> int -> string

(** A frame of this kind. *)
val frame : char -> string -> string

(** Sends Python a frame of this kind. *)
val send : char -> string -> unit
