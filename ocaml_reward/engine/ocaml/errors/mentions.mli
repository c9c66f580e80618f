(* What the errors in a program may have to do with: the names that they mention, and where
   these come from. *)

open Parsetree

(** What a name is written in. *)
type mention = {
  name : string;
  at : Location.t;
  around : Location.t;  (* the call it is in, or itself if it is a condition *)
  reach : Location.t;  (* all that it is applied to, and compared with *)
}

(** What a program mentions. *)
type read = {
  contexts : Location.t array;  (* for each error the smallest node around it *)
  mentions : mention list;
  bindings : (Asttypes.rec_flag * bool * value_binding) list;  (* [true]: of a structure *)
  scopes : (Names.Set.t * Location.t) list;  (* what a parameter or a case binds, and where *)
  annotations : (Location.t * Location.t) list;  (* each with the definition it stands in *)
  components : (string * core_type) list;  (* of declared types, by constructor or field *)
  matches : (Location.t * Location.t list) list;  (* what is matched, the patterns *)
  branches : (Location.t * expression list) list;
      (* all that one expression may come to, in their order, and the item it stands in *)
  calls : (Location.t * expression * (Asttypes.arg_label * expression) list) list;
  partners : Location.t list;  (* definitions that are recursive with others *)
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
