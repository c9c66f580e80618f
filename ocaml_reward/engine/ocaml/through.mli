(* Code that does not type, or whose items do not all parse, and tests that do not type with
   it, as one program that does: with holes that say when they are met.  It tells of what it
   comes to without one. *)

open Parsetree

(** The program: [program], and of the code what it consists of, the key of its types, and
    whether its tests share a state. *)
type t = {
  program : structure;
  parts : string;  (* see Lines *)
  types : string;  (* see Erasing *)
  shared : bool;
}

(** The program for these tests, which use those names; None where there is none, or the code
    uses what is forbidden and is not [lenient] with.  A program without tests has to parse. *)
val program :
  lenient:bool -> env:Env.t -> uses:Names.Set.t -> code:string -> structure -> t option
