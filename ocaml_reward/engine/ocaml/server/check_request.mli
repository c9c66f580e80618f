(* Checks one completion in memory, as ocamlc would on disk: the same steps in the same
   order, with the same words.  Nothing of it is left behind for the next. *)

open Parsetree

(** The file that the code is. *)
val source : string

(** The unit that the code is. *)
val unit_name : string

(** What it takes to count the errors that ocamlc does not come to; [first] is the one that
    it printed, where one of the items does not type. *)
type failure = { first : Type_items.failure option; program : structure; env : Env.t }

(** How far it got. *)
type stage =
  | Syntax_error of Item_split.t
  | Type_error of failure
  | Interface_error of failure
  | Link_error
  | Compiler_limit
  | Executable of string  (* for the runner *)

(** What code is checked with; [tests] is [[]] for a program judged by what it prints.
    [digest] stands for the tests, [uses] has what they need of the code. *)
type requested = { tests : structure; digest : string; uses : Names.Set.t }

(** The same for tests that see what this code leaves open (Left_open). *)
val behind : code:string -> requested -> requested

(** What came of it. *)
type t = {
  stage : stage;
  forbidden : (int * string) list;
  text : string;  (* all that the compiler printed *)
  types : string;  (* a key of the types that the code declares, where one is wanted *)
  parts : string;  (* what the code consists of; see Lines *)
}

(** Where the compiler writes: the one formatter that it prepares for text (from 5.2 on
    quotes are a matter of the formatter). *)
val text : Format.formatter

(** What the compiler has written, which is gone then. *)
val printed : unit -> string

(** A unit from its tree to bytecode, its values seen by others only where they are [shown];
    raises what the compiler raises. *)
val compiled :
  ?shown:(string -> bool) ->
  source:string ->
  unit_name:string ->
  Env.t ->
  structure ->
  Codegen.typed * (string * Compiled_unit.t)

(** The code's tree; raises what the parser raises. *)
val parsed : string -> structure

(** What comes of a check of [code]; [keyed] where the key of its types is wanted, [lenient]
    where nothing is forbidden; what is [given] is no part of it, as shares of it go.  Levels are
    left as they are, for a count to start from: see Level_compat.kept. *)
val check :
  ?keyed:bool -> ?lenient:bool -> ?given:Given_places.t -> Link_units.runner -> code:string ->
  requested -> t

(** What code that does not type or parse is with holes in it, and the image of its program: None
    where there is none.  What is forbidden is looked for as by [check]; [fits]: the tests may
    type with it. *)
val holed :
  Link_units.runner ->
  lenient:bool ->
  watched:bool ->
  code:string ->
  requested ->
  fits:bool ->
  (Holed_program.t * string option) option

(** Where the branches of code lie that runs, and the image of its program that says which of
    them are entered; None where there is none. *)
val branched : Link_units.runner -> code:string -> requested -> (Location.t list * string) option

(** The program that tells what the code's values are compared with, beside the types that
    the code declares; or why there is none. *)
val answers : Link_units.runner -> code:string -> requested -> (string, string) result
