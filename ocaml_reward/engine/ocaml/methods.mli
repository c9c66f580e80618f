(* What methods give.  Those of one name are taken together, whatever object they are of. *)

open Parsetree
open Origins

(** What is known of an object: of all its methods. *)
val obj : Supply.flow -> state -> env -> class_structure -> Values.t

(** Follows classes and notes what their objects give. *)
val classes : Supply.flow -> state -> env -> class_declaration list -> unit

(** What is known of an object of a class, or of what makes one. *)
val made_new : state -> Longident.t -> Values.t

(** What an object's method gives. *)
val sent : state -> env -> Values.t -> string -> Values.t

(** Assigns to a variable of the object's. *)
val assign : state -> env -> string -> Values.t -> unit
