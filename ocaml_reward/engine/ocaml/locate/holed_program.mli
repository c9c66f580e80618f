(* Code that does not type, or whose items do not all parse, and tests that do not type with
   it, as one program that does: with holes that say when they are met.  It tells of what it
   comes to without one. *)

open Parsetree

(** The code with holes; what it consists of without them, the key of its types, and whether
    its tests share a state. *)
type t = {
  code : structure;
  env : Env.t;  (* that has its unit *)
  defined : Names.Set.t;  (* what is there of what tests may use *)
  parts : string;  (* see Lines *)
  types : string;  (* see Erasing *)
  shared : bool;
  errors : Location.t list;  (* of code that does not parse, in what is left of it *)
  branches : Location.t list;  (* those that say when they are entered; see Branches *)
  left : Opened_by_code.t;  (* of code that does not parse, what tests behind the rest see *)
}

(** For Python (holed.py): where the errors start and stop, in bytes. *)
val errors_text : t -> string

(** The code with holes for these tests: None where it uses what is forbidden and one is not
    [lenient] with it; [watched]: with branches that say when they are entered.  Raises Hopeless,
    and what the parser does: a program without tests has to parse. *)
val of_code :
  lenient:bool -> watched:bool -> env:Env.t -> code:string -> structure -> t option

(** Whether tests that use those names may type with it as they stand. *)
val fits : t -> uses:Names.Set.t -> bool

(** The code in these tests, which use those names, with holes where they do not type with it.
    Raises Hopeless, also where nothing is left of what they use. *)
val with_tests : t -> uses:Names.Set.t -> structure -> structure
