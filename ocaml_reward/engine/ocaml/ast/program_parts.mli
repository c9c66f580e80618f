(* The parts of a program as they are found, and what is in scope meanwhile.

   A part is a definition or statement at the top or in a module, or a local definition or
   a statement in a body. *)

open Parsetree

(** Sets of parts' numbers. *)
module Ints : Stdlib.Set.S with type elt = int

(** A part of a program. *)
type part = {
  id : int;
  start : int;  (* in bytes; what lies in a part inside it is that one's *)
  stop : int;
  mutable names : Names.Set.t;  (* what the program has by it *)
  mutable needs : Ints.t;
  mutable acts : bool;  (* it may change something, or raise *)
  mutable keeps : bool;  (* it defines what may be changed *)
}

(** Deeper than this nobody writes, and the stack has an end. *)
exception Too_deep

(** A program as far as it is read. *)
type state = {
  mutable found : part list;  (* the last one first *)
  mutable count : int;
  mutable depth : int;
  mutable scope : Scope.t;
  mutable current : part;
  mutable did : Purity.t;  (* what was evaluated, since somebody wanted to know *)
  mutable asked : int;  (* how often a value of the program's own was used *)
  mutable children : int list;  (* parts of the structure that is being read *)
  mutable said : int;  (* about how many characters of the values in modules *)
}

(** Before the first part. *)
val create : unit -> state

(** Where a place starts, in bytes. *)
val start_of : Location.t -> int

(** Where a place ends, in bytes. *)
val stop_of : Location.t -> int

(** A new part between two places, which is part of the current one. *)
val part : state -> int -> int -> part

(** The current part needs those. *)
val need : state -> int list -> unit

(** The current part evaluates this. *)
val note : state -> Purity.t -> unit

(** Does the work, and returns what was evaluated meanwhile. *)
val evaluated : state -> (unit -> 'a) -> Purity.t

(** Does the work with this as the current part, and returns what was evaluated meanwhile. *)
val in_part : state -> part -> (unit -> 'a) -> Purity.t

(** Does the work in a scope of its own. *)
val scoped : state -> (unit -> 'a) -> unit

(** Does the work one level deeper; raises Too_deep. *)
val deeper : state -> (unit -> 'a) -> unit

(** Puts a name of this kind in scope, and among what the structure has. *)
val bind : state -> Scope.kind -> string -> Scope.meaning -> unit

(** Binds the names of a pattern, which those parts define. *)
val bind_pattern : ?top:bool -> state -> int list -> pattern -> Purity.t -> unit

(** What a parameter does: whatever it was given does. *)
val given : Purity.t

(** Uses a name; what a call of it does. *)
val use : ?whole:bool -> state -> Scope.kind -> string list -> Purity.t

(** Likewise by a path, whatever a call of it does. *)
val used : ?whole:bool -> state -> Scope.kind -> Longident.t Location.loc -> unit

(** What opening or including a module by the part [p] brings into scope. *)
val spread : state -> own:bool -> part -> Scope.meaning option -> unit

(** The values inside a module by their paths, a part each that needs the parts on the [way]. *)
val values_inside : state -> Ints.t -> Scope.meaning -> string -> unit
