(* Exceptions, and constructors of extensible types, that have two names: no check could
   tell these apart.

   [exception B = A] makes such twins.  So does what hands a module on that has some: an
   alias, an [include], a functor, a value that is unpacked. *)

open Parsetree

(** Every module, functor's parameter and module type that a structure names, with the place
    from which it may be in scope, and with what it is: [visit] walks through that. *)
val named : structure -> (string * int * (Ast_iterator.iterator -> unit)) list

(** Which exceptions already have another name. *)
type t

(** Those of a program, before it is walked through. *)
val of_structure : structure -> t

(** May an exception be another name for this one, of a library? *)
val alone : t -> Location.t -> Longident.t -> bool

(** Calls [report] where a module with exceptions gets another name that the tests may tell
    from the one that it has. *)
val handed_on :
  t -> tests:structure Lazy.t -> (Location.t -> string -> unit) -> structure -> unit
