(* What tests open may be a module of the code's, with an equality, a [not], a [List] or an
   [assert_equal] of its own in it.  Behind each such opening the names that the tests mention
   mean again what they meant before it: what tests define and open themselves, then what the
   standard library has, but for those that the module is asked to have. *)

open Parsetree

(** What the modules of a structure hold. *)
val of_reference : structure -> Names.t

(** What the modules of a signature hold. *)
val of_signature : signature -> Names.t

(** The tests with what brings these names back.  [known] are modules in scope at the start,
    with what they hold; [trusted] are others that the code cannot have written; [own] is what
    tests may mean by a name of the standard library's after they opened something; [types]
    brings back the types and exceptions of the library that the tests mention; [libraries] are
    the modules of the problem's own. *)
val guarded :
  known:Names.t option Names.Map.t ->
  trusted:Names.Set.t ->
  own:Names.t ->
  types:structure ->
  libraries:string list ->
  structure ->
  structure
