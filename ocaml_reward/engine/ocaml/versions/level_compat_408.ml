(* What differs between compiler-libs versions in the levels of types: OCaml 4.08 to 5.0. *)

type t = Ctype.levels

let saved = Ctype.save_levels

(* Not below the level that was reached: names left in environments have such scopes. *)
let recover levels =
  let reached = Ctype.get_current_level () in
  Ctype.set_levels levels;
  while Ctype.get_current_level () < reached do
    ignore (Ctype.create_scope ())
  done

let kept work =
  let before = saved () in
  Fun.protect ~finally:(fun () -> Ctype.set_levels before) work
