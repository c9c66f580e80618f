(* Modules that nobody but the code can provide.  Code that does not define [Leap] is what tests
   mean by it that say [open Leap] or [Leap.f]: the file that it stands in.  Of [Lib.Lexer] the
   one is then the library that the file is part of, and the other the file itself, unless the
   code defines it. *)

open Parsetree

(** What is below such modules: others, which tests go through. *)
type t

(** The modules below those named, and the names of what tests take from any of them. *)
val of_tests : Names.Set.t -> structure -> t * Names.Set.t

(** The names of these modules, at any depth. *)
val modules : t -> Names.Set.t

(** Do tests open or include another module than those that are known? *)
val opens_other : Names.Set.t -> structure -> bool

(** The definitions by which they are the code's file. *)
val aliases : t -> structure

(** Behind code that defines modules, each with its path from the top, the tests with the
    definitions of [aliases] as they are then; in its file it has these [types] last. *)
val placed : Longident.t Names.Map.t -> types:structure -> structure -> structure

(** The names that definitions of tests take modules by from the code. *)
val taken : structure -> Names.Set.t

(** The modules that such definitions of tests name, at any depth. *)
val names : structure -> Names.Set.t
