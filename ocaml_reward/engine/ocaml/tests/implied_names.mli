(* Where a problem has neither a signature nor a reference, tests may use a name that the
   standard library has too: [Queue.to_list], [max 1 2 3].  What does not type with the
   library's is the code's: else right code would be refused. *)

(** The names of the library that the tests take from the code: the fewest without which an item
    does not type, whatever the code makes of all that it defines; but for [never].  An item
    that does not type even so tells nothing.  Tests that need no name of the code's at all are
    about the only name of the library that they mention, if it is one. *)
val of_tests : never:Names.Set.t -> uses:Names.t -> Parsetree.structure -> Names.t
