(* Finds features that could break type safety or reach outside the program.

   Names are matched wherever they stand on the parse tree, so that an alias, an [open],
   a functor argument or a signature does not hide one: every way to [Obj.magic] writes
   the component [Obj] somewhere.  Comments and strings are not on the tree.  Names that
   the code binds itself, by [Scoping], are its own. *)

open Parsetree

(** [(line, construct)] for each unsafe feature, in source order, without repeats.  The tests
    are looked at where it depends on them. *)
val unsafe : tests:structure Lazy.t -> structure -> (int * string) list
