(* Modules that stand for the code's file.  If the code does not define [Leap], then [Leap] in
   the tests is the file with the code.  In [Lib.Lexer] the first is the library and the second
   the file, unless the code defines it. *)

open Parsetree

(** The submodules that tests use. *)
type t

(** The submodules of these modules, and the names that tests take from them.
    (exercism/ocaml exercises/practice/beer-song/test.ml) *)
val of_tests : Names.Set.t -> structure -> t * Names.Set.t

(** The names of the submodules, at any depth. *)
val modules : t -> Names.Set.t

(** Whether tests open or include other modules than these. *)
val opens_other : Names.Set.t -> structure -> bool

(** The library's modules that tests take for the code's file, as the task is to write queue.ml:
    those that are [asked] for, and those of which tests use what the problem defines and the
    library's has not; but not the [modules] that the problem shows.  [defined]: the names that the
    reference or signature defines; None if there is neither.  [owned]: the tests do not fit as
    they are, so what both have is the problem's, too. *)
val like_library :
  asked:Names.Set.t ->
  owned:bool ->
  modules:Names.Set.t ->
  defined:Names.Set.t option ->
  structure ->
  Names.Set.t

(** Definitions that bind them to the code's file. *)
val aliases : t -> structure

(** The tests with these definitions replaced by modules that the code defines, by their paths;
    [types] are added to the file's contents. *)
val placed : Longident.t Names.Map.t -> types:structure -> structure -> structure

(** The modules of the code that such definitions name.
    (sauravbhattacharya001/Ocaml-sample-code test_segment_tree.ml) *)
val taken : structure -> Names.Set.t

(** The modules that such definitions bind, at any depth. *)
val names : structure -> Names.Set.t
