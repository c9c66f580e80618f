(* What differs between compiler-libs versions in a unit as a whole: OCaml 5.3 and later. *)

type items =
  Typedtree.structure * Types.signature * Typemod.Signature_names.t * Shape.t * Env.t

let type_items = Typemod.type_structure
let structure (structure, _, _, _, _) = structure
let signature (_, signature, _, _, _) = signature
let simplified (_, signature, names, _, final) =
  Typemod.Signature_names.simplify final names signature

let coercion ~source ~marks env (_, signature, _, shape, _) seen =
  fst
    (Includemod.compunit env ~mark:marks source signature "(inferred signature)" seen shape)

let check_closed (_, _, _, _, final) whole = Typemod.check_nongen_signature final whole
