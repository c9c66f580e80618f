(* Replaces names of the code in tests by holes, so that the rest can be typed without the code. *)

open Parsetree

(** The names to replace, and names with known types. *)
type t

(** [heads] are values and modules of the code; so are all constructors, labels, types and
    classes that neither the library nor the tests declare.
    (exercism/ocaml exercises/practice/beer-song/test.ml) *)
val start : ?hole:(Location.t -> expression) -> Names.Set.t -> structure -> t

(** The item with holes; no item if it is only an alias or an open of a module of the code.
    Names bound to the code's values are added. *)
val item : t -> structure_item -> t * structure

(** Whether a path is of a value or module of the code, or in one. *)
val is_value_of_code : t -> Longident.t -> bool
