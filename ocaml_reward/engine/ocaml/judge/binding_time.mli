(* Which of the names in tests depend on the code, and which are known without it.

   [Coded]: only the code's process can tell.  [Known]: the same wherever the tests are
   evaluated.  [Fresh]: known too, but made of what can be assigned to, so that code which
   got a hand on it may have changed it. *)

open Parsetree

(** When a value can be known. *)
type time = Coded | Fresh | Known

(** A function of the tests' own, with what its names stood for where it was defined. *)
type helper = {
  parameters : (Asttypes.arg_label * pattern) list;
  body : expression;
  whole : expression;
  scope : (time * int) Names.Map.t;
}

(** What the tests have defined so far. *)
type t = {
  times : (time * int) Names.Map.t;  (* of values that tests define, numbered *)
  coded_modules : Names.Set.t;
  coded : Names.Set.t;  (* values that the code supplies *)
  roots : Names.Set.t;  (* names whose value is the code's own function, or an application of one *)
  disturbed : Names.Set.t;  (* fresh names that tests hand to the code outside of checks *)
  helpers : helper Names.Map.t;
  mutable_labels : Names.Set.t option;  (* None: no declaration is known *)
  apart : Names.t;  (* values and modules that can tell a value from its copy *)
  all_apart : bool;  (* any name may be one of those: their module was opened *)
  defined : int;  (* how many definitions there were *)
}

(** The values and modules that an expression needs from outside itself. *)
val needs : expression -> Names.t

(** When the value of this name is known. *)
val time_of : t -> string -> time

(** Is what this module holds known to the code's process only? *)
val is_coded_module : t -> string -> bool

(** The latest time of those names. *)
val of_names : t -> Names.t -> time

(** Is this a function of the library whose results nothing can be assigned to, if nothing
    can to its arguments? *)
val steady_result : Longident.t -> bool

(** When an expression can be evaluated: the latest of what it needs. *)
val of_expression : t -> expression -> time

(** The names in an expression that are [Fresh]. *)
val fresh_names : t -> expression -> Names.Set.t

(** Does an expression need the value of this name? *)
val mentions : string -> expression -> bool

(** Does an expression need the value of any of those? *)
val mentions_any : Names.Set.t -> expression -> bool

(** Is an expression the code's own function, or what one returned? *)
val is_codes : t -> expression -> bool

(** Do the names in a helper stand for the same here as where it was defined? *)
val unshadowed : t -> helper -> bool

(** With a value of this name; [codes] where it is the code's own function, or of one. *)
val define : t -> string -> time:time -> codes:bool -> t

(** A pattern's names, all of one time. *)
val define_pattern : t -> pattern -> time:time -> codes:bool -> t

(** The name that a pattern is, with a type or without. *)
val variable : pattern -> string option

(** Can an expression tell a value from its copy? *)
val tells_apart : t -> expression -> bool

(** Can what a structure defines? *)
val told_apart : t -> structure -> bool

(** With a module of this name; [apart] where what it holds tells values from copies. *)
val with_module : t -> string -> coded:bool -> apart:bool -> t

(** Behind what opens or includes a module. *)
val with_opened : t -> structure -> t

(** Behind a statement of the code's: it may have written into whatever it got a hand on. *)
val stirred : t -> t

(** Is a binding such a statement? *)
val stirs : t -> value_binding -> bool

(** With what the bindings of a [let] define. *)
val bind_all : t -> Asttypes.rec_flag -> value_binding list -> t

(** Before the first item: [uses] are the names that the code supplies, [asked] those that a
    problem may mean by a name of the library's. *)
val start : uses:Names.t -> asked:Names.t -> labels:Names.Set.t option -> t
