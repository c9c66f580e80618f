(* Expressions that could be wrong in place of the errors in them, by their form: a call, the
   arms of a match, branches, commas, conditions, annotations.  Each takes the errors' holes
   and what is mentioned where (mentions.ml). *)

open Parsetree
open Mentions

(** What could be wrong in place of some errors; see blame.mli. *)
type suspect = {
  place : Location.t;
  kept : Location.t option;
  cured : Location.t list;
  freed : structure -> structure;
}

(** A suspect of those fields. *)
val instead :
  ?kept:Location.t -> Location.t -> Location.t list -> (structure -> structure) -> suspect

(** How many uses of one variable are looked at. *)
val most_uses : int

(** How many arguments a function takes. *)
val taken : expression -> int

(** The arguments of a call that are wrong, or have something wrong in them. *)
val all_wrong :
  Location.t list ->
  (Asttypes.arg_label * expression) list ->
  (Asttypes.arg_label * expression) list

(** Operands that lack their parentheses, in a call of a function. *)
val of_operands : Location.t list -> read -> suspect list

(** A list or an array, all of it or its first element. *)
val of_elements : Location.t list -> read -> suspect list

(** Arguments, or what is applied to them. *)
val of_calls : Location.t list -> read -> suspect list

(** A function of a GADT without its types. *)
val of_gadts : Location.t list -> read -> suspect list

(** A comma for a semicolon. *)
val of_commas : Location.t list -> read -> suspect list

(** A call that goes on in what was meant as items behind it. *)
val of_items : Location.t list -> read -> suspect list

(** A type that is written down; [suspected]: the errors around so many uses of a name. *)
val of_annotations :
  (int -> string -> Location.t list) -> Location.t list -> read -> suspect list

(** A constructor that is given one call for several arguments. *)
val of_crowded : Location.t list -> structure -> suspect list

(** An operator that is a name ([n div 2]) and is missing. *)
val of_infixes :
  Location.t list -> is_missing:(Location.t -> bool) -> read -> suspect list
