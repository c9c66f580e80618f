(* A compiled unit in memory, whatever the version of the compiler. *)

(** A relocation. *)
type relocation =
  | Literal of Obj.t
  | Needs of string
  | Defines of string
  | Primitive of string

type t = {
  code : Bytes.t;
  relocations : (relocation * int) list;
  required : string list;  (* units whose initialisation must have run *)
}

(** A linked program. *)
type program = {
  globals : (string * int) list;  (* with their places *)
  size : int;  (* how many places there are *)
  primitives : string list;  (* in their order *)
}

val file : string -> string

(** The zero-terminated words of a section. *)
val words : string -> string list
