(* What a check that is judged outside says, in terms of values that the code's process hands
   out ([Asked]) and of values that are known without the code ([Told]).  judging.py reads
   the words below. *)

(** A value that is handed out, or made of such. *)
type term =
  | Asked of int
  | Told of int
  | Applied of int * int list
    (* told, of these values that were asked: a predicate of the tests' own *)
  | Argument of int * int  (* of the exception that so many ended with *)
  | Apply of string * term list

(** What holds if a check passes. *)
type t =
  | Always of bool
  | And of t * t
  | Or of t * t
  | Not of t
  | Is of term
  | Done of term  (* no exception came in its place *)
  | Compare of string * term * term  (* [=], [<] and their like *)
  | Order of string * term * term  (* [compare a b = 0] and its like *)
  | Raises of int * term  (* ends with this exception *)
  | Handles of int * ((term option * term option list) list * t) list
    (* ends with an exception: the first case that is of its constructor (of any), with these
       arguments, says what holds *)

(** The words for it. *)
val to_string : t -> string
