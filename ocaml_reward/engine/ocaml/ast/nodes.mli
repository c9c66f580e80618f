(* The nodes of a parse tree: which lie around a place, one replaced by a hole, and how
   much of a program lies outside given places.  Layout, comments and the length of names
   change nothing about that share.

   A node that counts is an expression, a pattern, a type, a module or class expression, a module or
   class type, an item, or a declared type, constructor or field. *)

open Parsetree

(** Does a place lie in another, or is it that? *)
val inside : Location.t -> Location.t -> bool

(** Does a place start where another ends, or behind that? *)
val is_after : Location.t -> Location.t -> bool

(** Are two places one?  Whatever their ghosts: [a :: b] holds a pair that nobody wrote, at its
    own place. *)
val same : Location.t -> Location.t -> bool

(** [Declared] is a type where [_] may not stand: in a declaration or a signature;
    [Component] an item of a signature. *)
type node = Expression | Pattern | Type | Declared | Component | Item

(** How long a place is, in bytes. *)
val size : Location.t -> int

(** Every node around [loc], from the smallest, with the values and modules it uses. *)
val around : Location.t -> structure -> (node * Location.t * Names.Set.t Lazy.t) list

(** An expression with those in it, in their order. *)
type tree = { expression : expression; within : tree list }

(** The outermost expressions of an item. *)
val expressions : structure_item -> tree list

(** Does an expression at this place choose among others, or stand before one: a match, an [if],
    a [let], a function? *)
val chooses : Location.t -> structure -> bool

(** An expression of any type. *)
val hole_expression : Location.t -> expression

(** Values of any type: each use of one may be at another. *)
val hole_bindings : Location.t -> Names.Set.t -> value_binding list

(** The item that defines these. *)
val hole_values : Location.t -> Names.Set.t -> structure_item

(** Stands for a type that nobody knows.  No program can name it; an error whose words do
    has only followed. *)
val lost_name : string

(** The item that declares it. *)
val lost_type : structure_item

(** What an item leaves when it goes: the names that it defines, of any type. *)
val remains : structure_item -> structure

(** The program with a hole there; the names that a pattern bound stay bound in its case.
    Of an item that goes [entirely] nothing remains; an expression becomes what [hole] makes
    of it. *)
val replace :
  ?entirely:bool -> ?hole:(expression -> expression) -> node * Location.t -> structure -> structure

(** The item with a hole for each value that is not there for the same reason: [M.x], or
    all of [M]. *)
val without_uses : (string * string) option -> structure_item -> structure_item

(** The share of a program that lies outside those places: in [0, 1), to 6 digits, where there
    is a hole at all: each is a node at least. *)
val outside : Location.t list -> structure -> float
