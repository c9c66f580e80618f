(* OUnit2 suites: each [label >:: case] becomes a numbered check. *)

open Parsetree

(** Do tests name OUnit2? *)
val uses_ounit : structure -> bool

(** The values and types of OUnit2. *)
val ounit_contents : Names.t

(** The modules of OUnit2. *)
val ounit_modules : Names.Set.t

(** What they hold, for tests that open something of the code's behind them. *)
val ounit_known : Names.t option Names.Map.t

(** Items that bind these to the stand-in. *)
val ounit_aliases : structure

(** Gives every [label >:: case] its check; [case] is delayed, so that code it calls while
    the suite is being built is caught and timed with its own check. With [among] the cases are
    those of [Frameworks], too. *)
val ounit_sites : Assertions.state -> among:bool -> structure -> structure * bool

(** Where a statement behind the run of a suite may fail: a check that passes where it is
    reached. *)
val last : Assertions.state -> dynamic:bool -> structure -> structure

(** An item in which every suite that is run is guarded; the number is the last check's. *)
val ounit_item : Assertions.state -> int -> structure_item -> structure_item
