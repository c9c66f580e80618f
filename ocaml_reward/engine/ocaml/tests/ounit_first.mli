(* Suites of OUnit 1, whose cases take unit, as suites of OUnit2. *)

open Parsetree

(** Tests that name OUnit and not OUnit2; others as they are. *)
val translated : structure -> structure
