(* What differs between versions of the compiler's library in Lambda code. *)

(** Rewrites each immediate part by the first function, and the body of each function that is one by
    the second, which also has its place. *)
val map_parts :
  (Lambda.lambda -> Lambda.lambda) ->
  (Lambda.scoped_location -> Lambda.lambda -> Lambda.lambda) ->
  Lambda.lambda -> Lambda.lambda
