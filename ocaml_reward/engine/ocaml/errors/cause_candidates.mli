(* One mistake can show in several places: a wrong definition in each of its uses, a wrong
   declared type wherever it is matched.  Given where errors were found, this proposes
   what else could be wrong instead, each with how the program would be with that put
   right, or of any type.  Whether fewer errors are left then, others see.

   There are three sources, of what no hole in one definition says: definitions, the types that
   constructors and fields are declared with, and the parts of a tuple in another order. *)

open Parsetree

(** What could be wrong in place of some errors. *)
type suspect = {
  place : Location.t;  (* what would be wrong *)
  kept : Location.t option;  (* a name that is missing in there is the mistake itself *)
  cured : Location.t list;  (* the errors that may be gone with it; the first has to be *)
  freed : structure -> structure;
}

(** Those that may cure most errors come first. *)
val suspects : Holes.hole list -> structure -> suspect list
