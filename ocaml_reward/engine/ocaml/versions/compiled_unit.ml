type relocation =
  | Literal of Obj.t
  | Needs of string
  | Defines of string
  | Primitive of string

type t = {
  code : Bytes.t;
  relocations : (relocation * int) list;
  required : string list;
}

type program = {
  globals : (string * int) list;
  size : int;
  primitives : string list;
}

let file unit_name = String.uncapitalize_ascii unit_name ^ ".cmo"
let strings_of_section section = List.filter (( <> ) "") (String.split_on_char '\000' section)
