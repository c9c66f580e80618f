"""What well-typed programs take from OCaml's standard library."""

from __future__ import annotations

from .types import Known, read

_TYPES = """
List.map : ('a -> 'b) -> 'a list -> 'b list
List.filter : ('a -> bool) -> 'a list -> 'a list
List.fold_left : ('b -> 'a -> 'b) -> 'b -> 'a list -> 'b
List.fold_right : ('a -> 'b -> 'b) -> 'a list -> 'b -> 'b
List.length : 'a list -> int
List.rev : 'a list -> 'a list
List.hd : 'a list -> 'a
List.nth : 'a list -> int -> 'a
List.mem : int -> int list -> bool
List.exists : ('a -> bool) -> 'a list -> bool
List.concat_map : ('a -> 'b list) -> 'a list -> 'b list
List.assoc_opt : int -> (int * 'a) list -> 'a option
List.combine : 'a list -> 'b list -> ('a * 'b) list
List.sort compare : int list -> int list
List.find_opt : ('a -> bool) -> 'a list -> 'a option
List.mapi : (int -> 'a -> 'b) -> 'a list -> 'b list
Option.map : ('a -> 'b) -> 'a option -> 'b option
Option.value ~default:0 : int option -> int
Option.get : 'a option -> 'a
Option.is_some : 'a option -> bool
String.length : string -> int
String.uppercase_ascii : string -> string
String.concat "," : string list -> string
String.sub : string -> int -> int -> string
String.index_opt : string -> char -> int option
String.split_on_char : char -> string -> string list
String.make 3 : char -> string
string_of_int : int -> string
string_of_bool : bool -> string
int_of_string : string -> int
int_of_string_opt : string -> int option
Char.code : char -> int
Char.uppercase_ascii : char -> char
fst : ('a * 'b) -> 'a
snd : ('a * 'b) -> 'b
abs : int -> int
max : int -> int -> int
min : string -> string -> string
not : bool -> bool
Printf.sprintf "%d:%s" : int -> string -> string
Printf.sprintf "%b-%c" : bool -> char -> string
int_of_float : float -> int
float_of_int : int -> float
sqrt : float -> float
Fun.id : 'a -> 'a
Fun.const : 'a -> 'b -> 'a
print_string : string -> unit
print_endline : string -> unit
print_int : int -> unit
ignore : 'a -> unit
failwith : string -> 'a
invalid_arg : string -> 'a
"""

LIBRARY = tuple(
    Known(text, read(type_))
    for text, type_ in (line.split(" : ") for line in _TYPES.strip().splitlines() if line)
)
"""Functions by name, some partly applied, with types."""
