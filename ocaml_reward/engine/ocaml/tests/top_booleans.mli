(* Booleans that stand as statements of the tests, [f 2 = 4;;] or [let _ = valid "a"], at the top,
   in modules at any depth and in functors, are assertions.  Which ones are is a matter of types:
   those of the reference or the signature; without one, those that the prompt and the tests
   themselves tell, as a function whose result they assert returns a boolean everywhere. *)

open Parsetree

(** What is known of the code's names: [Typed] beside the reference or what the signature
    declares, else nothing but that names are the code's, and the types that are [promised] of
    some. *)
type known = Typed of structure | Names of { names : Names.Set.t; promised : structure }

(** The tests with these asserted.  Raises Unsupported for a statement of which nobody knows
    whether it is one, if [strict]. *)
val asserted : known:known -> strict:bool -> structure -> structure
