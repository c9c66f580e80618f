(* What the errors in a program may have to do with: the names that they mention, and where
   these come from. *)

open Parsetree

(** What a name is written in. *)
type mention = {
  name : string;
  at : Location.t;
  reach : Location.t;  (* all that it is applied to *)
}

(** What a program mentions. *)
type read = {
  contexts : Location.t array;  (* for each error the smallest node around it *)
  mentions : mention list;
  bindings : (Asttypes.rec_flag * bool * value_binding) list;  (* [true]: of a structure *)
  components : (string * core_type) list;  (* of declared types, by constructor or field *)
  calls : (Location.t * expression * (Asttypes.arg_label * expression) list) list;
}

(** The last name of a path. *)
val last : Longident.t -> string

(** Reads a program, in which errors were found at those places. *)
val read : Location.t list -> structure -> read

(** The errors that are uses of a variable, each with its name. *)
val denied : Location.t list -> structure -> (string * Location.t) list

(** Those among them that may be of a variable bound below a constructor or a field, each with
    that one's name. *)
val denied_below :
  (string * Location.t) list -> structure -> (string * Location.t) list
