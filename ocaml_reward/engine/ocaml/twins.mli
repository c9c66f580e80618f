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

(** Those of a program, before it is walked through, for such tests. *)
val of_structure : tests:structure Lazy.t -> structure -> t

(** The constructor or the module that gets another name there: have the tests one name at most
    for what is in it? *)
val is_harmless : t -> Location.t -> bool

(** May an exception be another name for this one, of a library? *)
val alone : t -> Location.t -> Longident.t -> bool

(** Calls [report] where a module with exceptions gets another name that the tests may tell
    from the one that it has. *)
val handed_on : t -> (Location.t -> string -> unit) -> structure -> unit
