(* A program with one thing in it put right, or of any type: an expression, a declared type,
   a definition. *)

open Parsetree

(** With the expression at this place changed. *)
val with_expression : Location.t -> (expression -> expression) -> structure -> structure

(** With the cases of the match at this place given to the match around it, but for the first
    so many. *)
val with_cases_outside : Location.t -> int -> structure -> structure

(** With each of these cases by itself, for a value of any type that any result may come of;
    in each the names stand for values of any type, too. *)
val with_cases_apart : pattern list -> Names.Set.t -> structure -> structure

(** With semicolons for the commas of a tuple that stands in the list or record at this
    place. *)
val with_semicolons : Location.t -> within:Location.t -> structure -> structure

(** Whether an expression is a name at a line's beginning, where items begin. *)
val begins_item : expression -> bool

(** With what is applied to the call at this place from a line's beginning on as items behind
    it. *)
val with_items_behind : Location.t -> structure -> structure

(** With other arguments declared for the constructor at this place. *)
val with_arguments : Location.t -> core_type list -> structure -> structure

(** With another type at this place. *)
val with_type : Location.t -> core_type -> structure -> structure

(** A binding of a name to a value of one type that is not known yet. *)
val unknown : Location.t -> string -> value_binding

(** Without a definition, its name of some type. *)
val with_unknown : string -> Location.t -> structure -> structure

(** A function whose calls may give and take anything in all that is defined with it. *)
val with_free_calls : string -> Location.t -> structure -> structure

(** With any type for all later uses of a definition. *)
val with_any_uses : string -> Location.t -> structure -> structure

(** The item with [rec] where [name] is used in the very bindings that define it as a
    function; None where there are no such bindings. *)
val with_rec : string -> Location.t -> structure_item -> structure_item option
