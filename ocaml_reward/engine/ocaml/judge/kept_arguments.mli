(* What tests compare with may be what they have handed to the code, as in [f m = m]: code
   that writes its answer into [m] would always be right.  So it is compared with as it was
   before the code ran. *)

open Parsetree

(** The tests with a copy kept of what each check compares with: of the arguments of those
    functions that are the library's by their first name, and give a boolean or an order. *)
val structure : is_library:(string -> bool) -> structure -> structure
