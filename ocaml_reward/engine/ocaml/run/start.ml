(* Starts a stock program: reads the request and locks the process before the code's first line.
   runner.ml does this in a child of the zygote. *)

external start : unit -> string = "ocaml_reward_start"

let () = Harness.skip (start ())
