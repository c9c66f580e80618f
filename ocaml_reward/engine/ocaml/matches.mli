(* Matches in which what is looked at may change while it is being matched.

   Up to OCaml 5.3 a guard that assigns to a field makes the compiler read a value of one
   constructor as another's, which is a cast (ocaml/ocaml#7241).  So what may be assigned
   to is not taken apart in a match that runs anything but plain arithmetic, nor where memory
   that is collected may run code: a match that reads a float takes memory.

   Where all values with parts have one shape and type, as those of a list, nothing is read as
   anything else: what has become a constant crashes. *)

open Parsetree

(** The labels that a structure declares as mutable, at any depth. *)
val mutable_labels : structure -> Names.Set.t

(** Likewise of a signature. *)
val mutable_labels_declared : signature -> Names.Set.t

(** Does any pattern within this one, or itself, satisfy the predicate? *)
val exists_pattern : (pattern -> bool) -> pattern -> bool

(** The operators that mean what they say in a structure: it binds them nowhere, and no
    library that it opens or includes does. *)
val plain : structure -> string list

(** May code run whenever memory is collected? *)
val collects : structure -> bool

(** How the scan words what is matched while it changes. *)
val changing : string

(** The places of a structure that may be assigned to, and what is told apart in them. *)
type places

(** Those of a structure. *)
val places : structure -> places

(** The first case of a match that looks into what code run by the match may change: given
    the places, the [plain] operators, and whether memory may be [collected] by code. *)
val unsteady : places -> string list -> collected:bool -> case list -> case option

(** Likewise within one pattern: its alternatives are tried one after the other, as cases are. *)
val changed_within : places -> collected:bool -> pattern -> bool
