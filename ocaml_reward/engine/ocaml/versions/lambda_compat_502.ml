(* What differs between compiler-libs versions in Lambda code: OCaml 5.2 and later. *)

open Lambda

let map_parts part body =
  let in_function f = map_lfunction (body f.loc) f in
  function
  | Lfunction f -> Lfunction (in_function f)
  | Lletrec (bindings, rest) ->
    Lletrec (List.map (fun b -> { b with def = in_function b.def }) bindings, part rest)
  | other -> shallow_map part other
