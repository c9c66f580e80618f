(* Runs work without the compiler's warnings. *)

let run work =
  let before = Warnings.backup () in
  ignore (Warnings.parse_options false "-a");
  ignore (Warnings.parse_alert_option "--all");
  Fun.protect ~finally:(fun () -> Warnings.restore before) work
