(* What a program takes from elsewhere, by the scopes of its names. *)

open Parsetree

(** The names a structure uses without defining them: free in the sense of scoping.  Without
    [types] the modules on the way to constructors and types do not count.  With [members] a
    module of which one value is used is that value's path. *)
val names : ?types:bool -> ?members:bool -> structure -> Names.t
