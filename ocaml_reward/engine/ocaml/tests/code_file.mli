(* Modules that stand for the code's file.  If the code does not define [Leap], then [Leap] in
   the tests is the file with the code.  In [Lib.Lexer] the first is the library and the second
   the file, unless the code defines it. *)

open Parsetree

(** The submodules that tests use. *)
type t

(** The submodules of these modules, and the names that tests take from them. *)
val of_tests : Names.Set.t -> structure -> t * Names.Set.t

(** The names of the submodules, at any depth. *)
val modules : t -> Names.Set.t

(** Whether tests open or include other modules than these. *)
val opens_other : Names.Set.t -> structure -> bool

(** Definitions that bind them to the code's file. *)
val aliases : t -> structure

(** The tests with these definitions replaced by modules that the code defines, by their paths;
    [types] are added to the file's contents. *)
val placed : Longident.t Names.Map.t -> types:structure -> structure -> structure

(** The modules of the code that such definitions name. *)
val taken : structure -> Names.Set.t

(** The modules that such definitions bind, at any depth. *)
val names : structure -> Names.Set.t
