(* Code whose answers are all wrong, for which tests are tried: a check that such code passes
   cannot fail. *)

open Parsetree

(** How answers are wrong: what is asked raises, or is always the same value, whatever its type, or
    is what the reference says with something of it changed. *)
type how = Raises | Always of int | Changed

(** A reference whose functions answer so once {!begins} is behind it. *)
val of_reference : how -> structure -> structure

(** What tests need of the code, where there is no reference: these names as functions that
    take what the tests hand them. *)
val of_tests : how -> uses:Names.t -> structure -> structure

(** Tests that tell where they catch an exception. *)
val telling : structure -> structure

(** The statement from which on answers are wrong. *)
val begins : how -> structure_item
