(* Another language's comment behind code, which is read as an operator that is missing and what
   it is given: [n + 1 // the next one]. *)

(** Such operators with the names behind them, which are one mistake. *)
val of_operators :
  Location.t list ->
  is_missing:(Location.t -> bool) ->
  Mentions.read ->
  Slips.suspect list
