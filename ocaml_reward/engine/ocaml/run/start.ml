(* Starts a stock program: its request is read and the process locked here, before the
   code's own first line.  A child of the zygote has runner.ml in this place. *)

external start : unit -> string = "ocaml_reward_start"

let () = Harness.skip (start ())
