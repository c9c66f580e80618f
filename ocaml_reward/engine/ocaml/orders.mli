(* Arguments in another order than they are given in. *)

(** Two arguments of a call, each in the other's place, or all three in another order. *)
val of_calls : Location.t list -> Mentions.read -> Slips.suspect list

(** A value that comes through a pipe ([l |> List.nth 2]), as an earlier argument. *)
val of_pipes : Location.t list -> Mentions.read -> Slips.suspect list
