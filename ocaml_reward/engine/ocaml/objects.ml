(* A compiled unit in memory, whatever the version of the compiler. *)

(* What a place in the code must be patched with. *)
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

(* A linked program, as its file describes it. *)
type program = {
  globals : (string * int) list;  (* with their places *)
  size : int;  (* how many places there are *)
  primitives : string list;  (* in their order *)
}

let file unit_name = String.uncapitalize_ascii unit_name ^ ".cmo"
let words section = List.filter (( <> ) "") (String.split_on_char '\000' section)
