(* Which checks lean on what other statements of the tests leave behind.

   A statement that does not come to its end leaves state of the tests' own as it was: a
   counter of failures that is never raised.  Checks of that state say nothing then. *)

open Parsetree

(** Which checks say nothing where what they lean on has not come to its end, as words:
    "g2:3-5,9-9" for the checks that lean on the third statement, "c4:0-1" for the checks
    without one of which the fifth, which calls nothing of the code itself, has nothing to
    tell, and "x4:0-1" for those all of which it takes, as it exits for all.  [own] are the names that the code supplies, [labels] the mutable ones, where they
    are known.  And the checks that neither call the code nor look at any state. *)
val of_tests : own:Names.t -> labels:Names.Set.t option -> structure -> string * int list
