(* Finds features that could break type safety or reach outside the program, by name.

   Names are matched wherever they stand on the parse tree, so that an alias, an [open],
   a functor argument or a signature does not hide one: every way to [Obj.magic] writes
   the component [Obj] somewhere.  Comments and strings are not on the tree. *)

open Parsetree

(** [(line, construct)] for each unsafe feature of code, of this source, in source order, without
    repeats; among them each use of what only the tests may use. *)
val unsafe : source:string Lazy.t -> structure -> (int * string) list
