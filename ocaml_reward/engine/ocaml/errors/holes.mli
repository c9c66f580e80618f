(* Where errors were found in a program, and which of these places count as a mistake each. *)

(** A place that was found to be wrong. *)
type hole = {
  kind : Nodes.node;
  loc : Location.t;
  at : Location.t;  (* where the error itself was reported *)
  report : string;  (* as the compiler prints it *)
  names : Names.Set.t;  (* entry points mentioned in the hole, for tests *)
  missing : bool;  (* something that is not there *)
  sure : bool;  (* wrong whatever stands around it *)
}

(** Why an error that was found is no mistake of its own: it follows from one found before; a
    wider hole took the place of its own; one change elsewhere mends it and others; one small hole
    does. *)
type merged = Follows | Wider | One_cause | One_hole

(** Of holes in the order in which they were found those that count, each with the report of
    the first error that it stands for: the first is the one ocamlc itself stops at.  A hole
    goes where a wider one took its place because it has not helped.  An expression's own type
    may only be wrong because of what was found in it; what is found in it later is not so.
    A dropped item hides nothing found in it before; it only counts if its own error is a
    new one. *)
val distinct : hole list -> hole list

(** The holes that lie in no other, likewise. *)
val outermost : hole list -> hole list

(** Of errors in tests one report per entry point: what else is wrong with it follows. *)
val one_per_name : hole list -> hole list
