(* Unsupported compiler version: the cause is unknown. *)

let fault ~source:_ ~unit_name:_ _ _ = None
