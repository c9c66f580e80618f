(* Which entry points tests find wrong.  An error in tests shows around several, as in
   [mem 1 (add 1 empty)]: those are wrong that have to be of another type for the errors to go.  *)

open Parsetree

(** All that the holes mention. *)
val mentioned : Holes.hole list -> Names.Set.t

(** Of what the holes mention as few as will do; they were found in these tests. *)
val wrong : Recovery.state -> Env.t -> structure -> Holes.hole list -> Names.Set.t
