(* A program with one thing in it put right, or of any type: expressions, a declared type, a
   definition. *)

open Parsetree

(** With other expressions at these places. *)
val with_expressions : (Location.t * expression) list -> structure -> structure

(** With another type at this place. *)
val with_type : Location.t -> core_type -> structure -> structure

(** Without a definition, its name of some type. *)
val with_unknown : string -> Location.t -> structure -> structure

(** A function whose calls may give and take anything in all that is defined with it. *)
val with_free_calls : string -> Location.t -> structure -> structure

(** With any type for all later uses of a definition. *)
val with_any_uses : string -> Location.t -> structure -> structure

(** The item with [rec] where [name] is used in the very bindings that define it as a
    function; None where there are no such bindings. *)
val with_rec : string -> Location.t -> structure_item -> structure_item option
