(* What differs between compiler-libs versions in a unit as a whole: OCaml 4.14 to 5.2. *)

type items =
  Typedtree.structure * Types.signature * Typemod.Signature_names.t * Shape.t * Env.t

let type_items = Typemod.type_structure
let structure (structure, _, _, _, _) = structure
let signature (_, signature, _, _, _) = signature
let simplified (_, signature, names, _, final) =
  Typemod.Signature_names.simplify final names signature

let coercion ~source ~marks env (_, signature, _, shape, _) seen =
  let mark = if marks then Includemod.Mark_positive else Mark_neither in
  fst
    (Includemod.compunit env ~mark source signature "(inferred signature)" seen shape)

let check_closed (_, _, _, _, final) whole = Typemod.check_nongen_signature final whole
