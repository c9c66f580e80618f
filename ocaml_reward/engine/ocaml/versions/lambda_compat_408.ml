(* What differs between compiler-libs versions in Lambda code: OCaml 4.08 to 4.13. *)

open Lambda

let map_parts part body = function
  | Lfunction f -> Lfunction { f with body = body f.loc f.body }
  | other -> shallow_map part other
