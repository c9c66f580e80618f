(* A compiled unit in memory, whatever the version of the compiler. *)

(** What a place in the code must be patched with. *)
type relocation =
  | Literal of Obj.t
  | Needs of string
  | Defines of string
  | Primitive of string

(** A unit's code. *)
type t = {
  code : Bytes.t;
  relocations : (relocation * int) list;
  required : string list;  (* units whose initialisation must have run *)
}

(** A linked program, as its file describes it. *)
type program = {
  globals : (string * int) list;  (* with their places *)
  size : int;  (* how many places there are *)
  primitives : string list;  (* in their order *)
}

(** The object file of a unit. *)
val file : string -> string

(** The words that a section of a program holds, each ended by a zero. *)
val words : string -> string list
