(* What tests and the problem that they belong to mean by names that the standard library
   has too, and what they say of types. *)

open Parsetree

(** Operators and functions that tests take from the code only where the prompt or the
    signature asks for them. *)
val never_implied : string list

(** The names that the code must own, even where the standard library has them too: what
    the signature declares and the prompt asks for.  A reference's own [abs] or [max] may
    be a mere helper, so it counts only where it has to. *)
val asked_for :
  signature:string -> prompt_names:string list -> owned:bool -> defined:Names.t -> Names.t

(** What a reference defines, but for the names that tests hardly mean by it. *)
val defined_by : string -> Names.t

(** What tests may mean by a name of the standard library's once they opened a module: what
    the modules of the reference and the signature hold. *)
val in_modules : signature:string -> reference:string -> Names.t

(** What a structure needs from elsewhere; of the library's names, only those that are asked
    for. *)
val names_used : structure -> Names.t -> Names.t

(** The labels declared as mutable, where the types of a problem are known. *)
val labels : signature:string -> reference:string -> structure -> Names.Set.t option

(** The types and exceptions of the standard library that tests mention, by themselves or by a
    constructor or label; what the problem declares is the code's. *)
val library_types : signature:string -> reference:string -> structure -> structure

(** Do tests mention a constructor or a label that the problem declares, even if the standard
    library has it too? *)
val mentions_constructors_of : signature:string -> reference:string -> structure -> bool
