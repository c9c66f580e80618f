(* Optional parameters without a default that are used as if they had one: [fun ?width s ->
   s ^ String.make width ' '].  Each use is denied, and a default would put all of them right. *)

open Parsetree

(** Each such parameter, given the errors around which a name is mentioned. *)
val of_parameters : (string -> Location.t list) -> structure -> Slips.suspect list
