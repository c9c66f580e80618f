(* Takes a check apart: what the code's process is asked, what is told without the code, and
   what is said of both.

   [asked] and [told] are expressions of type unit that hand out one value after the other;
   they keep the tests' own bindings around what needs them. *)

open Parsetree

(** Why a check has to be decided beside the code. *)
exception Beside of string

(** What is applied to values where no code is: nothing, predicates of the tests' own, or also
    what is said more than once of a value with a name. *)
type applies = Nothing | Predicates | Names

(** What is known where an expression stands. *)
type context = {
  g : Binding_time.t;
  terms : Judgement.term Names.Map.t;  (* arguments of an exception, by their names *)
  slots : int ref * int ref;  (* how many values are asked, and told *)
  depth : int;
  ounit : bool;
  applies : applies;
  whole : bool;  (* values are handed out at any length: they are put in order *)
}

(** What is said, with the expressions that ask and tell. *)
type piece = { says : Judgement.t; asked : expression; told : expression }

(** [()]: nothing to ask or to tell. *)
val unit : expression

(** Is there nothing to ask or to tell? *)
val is_unit : expression -> bool

(** One after the other, where there is anything. *)
val before : expression -> expression -> expression

(** Two pieces, the first before the second. *)
val joined : (Judgement.t -> Judgement.t -> Judgement.t) -> piece -> piece -> piece

(** Says that it holds, or does not, and asks nothing. *)
val always : bool -> piece

(** The number that a counter is at, which grows. *)
val next : int ref -> int

(** Hands out a value under this number, at any length where it is [whole]. *)
val handed : ?whole:bool -> int -> expression -> expression

(** Words that judge by themselves, and would do so in the code's process. *)
val judging_words : string list

(** Asks for a value: the term, what asks, what tells.  Raises Beside. *)
val ask : context -> expression -> Judgement.term * expression * expression

(** At any length: it is looked into again. *)
val ask_whole : context -> expression -> int * expression

(** Tells a value: likewise. *)
val tell : context -> expression -> Judgement.term * expression * expression

(** When an expression can be evaluated. *)
val time : context -> expression -> Binding_time.time

(** What is known behind a statement. *)
val behind : context -> expression -> context

(** A name of the standard library's by its path, where nothing stands in its way. *)
val standard : context -> Longident.t -> string option

(** A call of one of the standard library's functions: its name, and the arguments. *)
val called : context -> expression -> (string * (Asttypes.arg_label * expression) list) option

(** Is an expression a constant, or a constructor alone? *)
val is_literal : expression -> bool

(** Keeps the content of what these names stand for, which the code may be handed. *)
val kept_names : Names.Set.t -> expression

(** Says something of two values, which are asked for or told as they can be.  Raises Beside. *)
val compared :
  context ->
  (Judgement.term -> Judgement.term -> Judgement.t) ->
  expression ->
  expression ->
  piece

(** Comparisons that are a boolean. *)
val operators : string list

(** Functions of the library that are [=] at one type. *)
val equalities : string list

(** Functions that are [compare], at any type or at one. *)
val comparing : string list

(** [true] or [false], where an expression is that. *)
val boolean_literal : expression -> bool option

(** Is an expression a constant that is no block in memory, so that [==] is [=]? *)
val is_immediate : expression -> bool

(** What is asked is asked whatever the code has answered before.  That would be another
    question where only the first part says whether the second makes sense: where this is
    about a value that the code has returned, or calls what the first has called.  Raises
    Beside there. *)
val reached : context -> expression -> expression -> unit
