let fault ~source ~unit_name env program =
  let levels = Level_compat.saved () in
  Location.input_name := source;
  Typing_compat.set_unit unit_name;
  match
    let items = Codegen.type_items env program in
    let shown _ = true in
    let typed = Codegen.close_unit ~source ~shown env program items in
    ignore (Codegen.bytecode Silent unit_name typed);
    Unit_compat.warn_unused ();
    Warnings.check_fatal ()
  with
  | () -> Some (Ok ())
  | exception e -> Level_compat.recover levels; Some (Error e)
