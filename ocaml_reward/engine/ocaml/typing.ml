(* Types a whole unit, from scratch each time. *)

let implementation structure =
  Driver.set_unit "Solution";
  Env.reset_required_globals ();
  Typecore.reset_delayed_checks ();
  let env = Lazy.force Names.env in
  ignore (Typemod.type_structure env structure);
  Typecore.force_delayed_checks ()
