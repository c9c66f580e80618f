(* A compiled unit in memory, whatever the version of the compiler. *)

(** What a place in the code refers to. *)
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

(** The file name of a unit, for messages. *)
val file : string -> string

(** The zero-terminated strings of a section of a bytecode program. *)
val strings_of_section : string -> string list
