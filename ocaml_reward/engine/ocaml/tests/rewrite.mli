(* Rewrites a problem's tests, once, into numbered checks.

   The result is a compilation unit of its own.  It sees the code through [open!], then
   the pristine standard library on top of it, so that nothing the code shadows reaches
   an assertion; only names the problem itself asks for are taken back from the code. *)

open Parsetree

(** [module NAME = PATH] *)
val alias : string -> Longident.t Location.loc -> structure_item

(** A request of prepare_messages.py, and what it gets. *)
val answer : string list -> string list
