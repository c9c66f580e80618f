(* What differs between compiler-libs versions in a unit as a whole: OCaml 4.08 to 4.13. *)

type items = Typedtree.structure * Types.signature * Typemod.Signature_names.t * Env.t

let type_items = Typemod.type_structure
let structure (structure, _, _, _) = structure
let signature (_, signature, _, _) = signature
let simplified (_, signature, names, final) =
  Typemod.Signature_names.simplify final names signature

let coercion ~source ~marks env (_, signature, _, _) seen =
  let mark = if marks then Includemod.Mark_positive else Mark_neither in
  Includemod.compunit env ~mark source signature "(inferred signature)" seen

let check_closed (_, _, _, final) whole = Typemod.check_nongen_schemes final whole
