(* Types that forget a parameter, as ['a t = unit] does, and where they make a cast.

   Hidden by a signature such a type is abstract, and compilers take an abstract type that
   stands in no module for one that keeps its parameters (ocaml/ocaml#14982). *)

open Parsetree

(** Are there abstract types that stand in no module?  They come from what is sealed where it
    is included or opened; those of a module with a name keep it in front of theirs. *)
val unnamed : structure -> bool

(** Is this another name for a type, one that forgets a parameter? *)
val forgetful : type_declaration -> bool

(** Likewise of classes: the types of their objects are what their public methods say. *)
val forgetful_class_type : class_type class_infos -> bool

(** Likewise of a class that is defined. *)
val forgetful_class : class_expr class_infos -> bool
