(* One mistake can show in several places: a wrong annotation wherever its variable is used,
   a wrong definition in each of its uses.  Given where errors were found, this proposes
   what else could be wrong instead, each with how the program would be with that put
   right, or of any type.  Whether fewer errors are left then, others see. *)

open Parsetree

(** What could be wrong in place of some errors. *)
type suspect = Slips.suspect = {
  place : Location.t;  (* what would be wrong *)
  kept : Location.t option;  (* a name that is missing in there is the mistake itself *)
  cured : Location.t list;  (* the errors that may be gone with it; the first has to be *)
  freed : structure -> structure;
}

(** Those that may cure most errors come first. *)
val suspects : Holes.hole list -> structure -> suspect list
