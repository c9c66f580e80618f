(* Tests written as a functor over the code, applied once: [module Make (Tested : S) = struct
   ... end] and [module Work = Make (Code)].  The body is put in the application's place, so
   that its checks are read as any others. *)

open Parsetree

(** A module without the types that it is constrained to. *)
val unsealed : module_expr -> module_expr

(** A structure with such functors in their places. *)
val inlined : structure -> structure
