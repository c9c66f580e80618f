(* An interface as a key.

   Equal keys are interfaces that other units cannot tell apart: the same items in the same
   order with the same types, so that what was compiled against one fits the other.  What
   this has no words for, such as modules, objects and polymorphic variants, has no key. *)

(** The key of an interface; None where there are no words for it. *)
val key : Types.signature -> string option
