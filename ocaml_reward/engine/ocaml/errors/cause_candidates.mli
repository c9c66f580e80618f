(* One mistake can show in several places: a wrong definition in each of its uses, a wrong
   declared type wherever it is matched.  Given where errors were found, this proposes
   what else could be wrong instead, each with how the program would be with that put
   right, or of any type.  Whether fewer errors are left then, others see.

   There are two sources, of what a hole in one item cannot say: definitions, and the types that
   constructors and fields are declared with. *)

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
