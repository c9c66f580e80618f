(* What differs between compiler-libs versions in Lambda code: OCaml 4.14 to 5.1. *)

open Lambda

let map_parts part body = function
  | Lfunction { kind; params; return; body = inner; attr; loc } ->
    lfunction ~kind ~params ~return ~body:(body loc inner) ~attr ~loc
  | other -> shallow_map part other
