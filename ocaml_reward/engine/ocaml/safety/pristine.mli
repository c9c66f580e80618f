(* The standard library under names the code cannot shadow: every value and module of
   [Stdlib], bound again; and each type and exception in a module of its own, for a problem
   may ask for a [result] or an [option] of its own. *)

open Parsetree

(** The whole of it. *)
val structure : unit -> structure

(** An effect that nobody handles is an exception only in a program that has the library's
    [Effect], and its primitives alone do not link it. *)
val effects : unit -> structure

(** The values that print, in any module's scope. *)
val printing : string list
