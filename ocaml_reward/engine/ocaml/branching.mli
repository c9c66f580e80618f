(* What could be wrong in place of the errors in expressions with branches; as slips.mli has it for
   others. *)

open Mentions
open Slips

(** What is matched, against its patterns. *)
val of_matches : Location.t list -> read -> suspect list

(** A branch, against the others. *)
val of_branches : Location.t list -> read -> suspect list

(** A condition's other half. *)
val of_conditions : Location.t list -> read -> suspect list

(** A match that took another's arms. *)
val of_nested : Location.t list -> read -> suspect list
