(* Counts independent type errors: ocamlc stops at the first, so each one found is
   replaced by a hole that has any type, and its top-level item is typed again; what stands
   before it is not, and what stands after it is typed in the environment it then leaves.

   A hole inside a later, larger hole is the same mistake seen twice; and a name that is
   unbound only because its definition had to be dropped is no mistake at all. *)

open Parsetree

(** A count on its way. *)
type state = {
  bound : int;
  uses : Names.Set.t;
  mutable found : Holes.hole list;  (* newest first *)
  mutable merged : (Holes.merged * string) list;  (* errors that are none of their own, newest first *)
  mutable causes : Location.t list;  (* what else was found to be wrong instead *)
  mutable alone : Location.t list;  (* wrong expressions that are typed by themselves *)
  mutable blamed : Location.t list;  (* what is wrong whatever stands around it *)
  mutable stubs : Names.Set.t;  (* values that are missing *)
  mutable before : (structure_item * Env.t) list;  (* what each item was typed in *)
  mutable reached : (Location.t * Env.t) list;  (* from where on it can be typed anew *)
  mutable closed : bool;  (* no value so far has a type that later items may change *)
  cascade : Followups.t;
  mutable work : int;  (* how much text may still be typed again *)
  mutable hopeless : Location.t -> Location.t -> bool;  (* an error that ends the count *)
  mutable gave_up : bool;  (* there may be more errors than anyone knows *)
}

(** Is it a count of what is wrong in tests? *)
val of_tests : state -> bool

(** The holes that count. *)
val counted : state -> Holes.hole list

(** Whether there is any point, and any time left, to look on.  Of the holes found, some
    may lie in others. *)
val going : state -> bool

(** The environment that [program] leaves, its errors now holes; the failure is the first of
    them. *)
val repair : state -> Env.t -> structure -> Type_items.failure option -> Env.t

(** A count at its start, of [bound] errors at most; [uses] are the entry points, for tests. *)
val starting : cascade:Followups.t -> bound:int -> uses:Names.Set.t -> state

(** What an item of the program was typed in, where holes may stand in it. *)
val env_of : state -> structure_item -> Env.t option
