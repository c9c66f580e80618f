(* Turns each assertion in statement position into a numbered check. *)

open Parsetree

(** A check: where it stands, its text, and whether it is one for what it prints alone. *)
type check = { loc : Location.t; source : string; prints : bool }

(** What is known of the tests, and of what is rewritten so far. *)
type state = {
  text : string;
  mutable checks : check list;  (* newest first *)
  mutable items : int;
  mutable asserting : string list;  (* values, classes and modules of the tests that judge *)
  mutable judging : bool;  (* is any check more than that something returns? *)
  mutable loose : Location.t option;  (* what no later check would miss if it raised *)
  mutable met : int;  (* what may be a check, so far *)
  idle : int list;  (* which of that cannot fail, and is none *)
  catches : int list;  (* in which of these nothing gets out that is raised *)
  prints : bool;  (* is a statement a check that only calls something, for what it prints? *)
  is_library : string -> bool;  (* a value or a module, by its bare name *)
  once : (string * (pattern * expression)) list;  (* functions called exactly once *)
  lists : (string * expression list) list;  (* literal lists, named once in the file *)
  mentions : string -> int;
}

(** Raises [Unsupported] where there are more assertions than checks may be, before anything
    takes long. *)
val require_few_assertions : structure -> unit

(** The number of a new check at this place; raises [Unsupported] where there are too many. *)
val number : ?judges:bool -> ?prints:bool -> ?source:string -> state -> Location.t -> int

(** What may be a check: what [make] makes of it, unless it is known that it cannot fail. *)
val unless_idle : state -> (unit -> 'a) -> (unit -> 'a) -> 'a

(** A check that passes where it stands: what is before it returned. *)
val reached : state -> Location.t -> expression

(** A statement that only runs this. *)
val do_ : loc:Location.t -> expression -> structure_item

(** Expressions one behind the other. *)
val sequence : expression list -> expression

(** Does anything in there stand for more than the library? *)
val calls : state -> structure -> bool

(** A definition evaluated by the tests: reported if it raises.  Only an application is
    wrapped: everything else is a value already, and wrapping would lose its generality. *)
val definition : value_binding -> value_binding

(** Is a pattern [()] or [_], with a type or without? *)
val is_unit_pattern : pattern -> bool

(** The name that a pattern is, with a type or without; None for any other. *)
val variable : pattern -> string option

(** What an item becomes: its statements that assert are checks, numbered.  What asserts in
    another way is one check as it stands; a statement that ends with a call fails the check
    behind it, where it raises. *)
val item : state -> structure_item -> structure

(** Where no check stands behind such a call, or behind a definition that calls: one that passes
    where it is reached. *)
val last : state -> structure

(** Does an expression do nothing but to be a value? *)
val only_gives : expression -> bool

(** What still asserts, inside functions and handlers, tells the harness too: a handler
    that swallows a failed assertion does not make its check pass, unless it only gives a value,
    from which others conclude. *)
val demands : structure -> structure
