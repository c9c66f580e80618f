let fault ~source ~unit_name env program =
  let levels = Levels.saved () in
  Location.input_name := source;
  Driver.set_unit unit_name;
  match
    let items = Backend.type_items env program in
    let shown _ = true in
    let typed = Backend.close_unit ~source ~shown env program items in
    ignore (Backend.bytecode unit_name typed);
    Linkage.warn_unused ();
    Warnings.check_fatal ()
  with
  | () -> None
  | exception e -> Levels.recover levels; Some e
