(* What is said of a check that failed: the number of errors, the share of the program that
   is none, what could be wrong instead (errors/blame.ml), the errors that were merged into these
   (pairs of netstrings: why, and as the compiler prints it), then each as the compiler prints it. *)

open Parsetree

(** What is said of code: its errors, and those that [tests] find beyond them; [failed] is
    the first error, where it was found already.  What could be wrong is looked for where
    [blame] asks for it.  What is [given] is no part of the code, as shares of it go. *)
val of_code :
  ?failed:Type_items.failure ->
  ?tests:structure ->
  ?blame:bool ->
  ?given:Given_places.t ->
  uses:Names.Set.t ->
  env:Env.t ->
  structure ->
  string list

(** Likewise of tests: the errors count once per entry point, of those that the tests use. *)
val of_tests :
  ?failed:Type_items.failure -> uses:Names.Set.t -> env:Env.t -> structure -> string list

(** Where the errors of a program are, but for what it lacks. *)
val places : env:Env.t -> structure -> Location.t list
