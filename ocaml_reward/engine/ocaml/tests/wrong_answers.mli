(* Code whose answers are all wrong, for which tests are tried: a check that such code passes
   cannot fail. *)

open Parsetree

(** How answers are wrong: they have nothing to do with what is asked, as the same value for
    all of it, or an exception; or they are what the reference says with something of it
    changed. *)
type how = Unasked | Changed

(** A reference whose functions answer so once {!begins} is behind it. *)
val of_reference : how -> structure -> structure

(** What tests need of the code, where there is no reference: these names as functions that
    take what the tests hand them. *)
val of_tests : uses:Names.t -> structure -> structure

(** What stands for code that nobody knows. *)
val lie : Location.t -> expression

(** Tests that tell where they catch an exception. *)
val telling : structure -> structure

(** Do tests catch any exceptions? *)
val catches : structure -> bool

(** The statement from which on answers are wrong. *)
val begins : unit -> structure_item
