(* Parse trees of the tests: as bytes, which is how Python keeps them, and with the code
   put in its place. *)

open Parsetree

(** What ocamlc accepts in place of a source file, with no alerts in it. *)
val as_binary : structure -> string

(** The tree that such bytes hold; raises Failure or Invalid_argument for others. *)
val of_binary : string -> structure

(** The tests with the code as the module that they know it by.  A unit of its own may not
    leave a type open: [let length = List.fold_left (fun n _ -> n + 1) 0] waits for its first
    use to say of what.  Inside the tests' unit it may. *)
val merged : structure -> structure -> structure

(** Whether tests name the code's unit as one module, as in [module Darts = ...]: then any
    of its values may be named through that. *)
val names_whole : structure -> bool

(** Tests that only ask hold the tests as they stand, to be typed, under this name. *)
val whole_name : string

(** What only asks, without these. *)
val asking : structure -> structure

(** The tests as they stand. *)
val whole : structure -> structure
