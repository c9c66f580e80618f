(* Starts a stock program: reads the request and locks the process before the code's first line.
   runner.ml does this in a child of the zygote. *)

(* Reads the request and locks the process; returns what the harness skips. *)
external start : unit -> string = "ocaml_reward_start"

let () = Harness.skip (start ())
