(* Makes two programs of prepared tests: one that asks the code for values, and one that
   works out, without the code, what these are compared with.

   Both keep the order and the scopes of the tests.  What only the second needs is not in the
   first, and what depends on the code is not in the second. *)

open Parsetree

(** Where a check is judged: what is to hold, or why it stays beside the code. *)
type verdict = Outside of Formula.t | In_process of string

(** Both programs, with the verdict on each check by its number. *)
type programs = { query_program : structure; oracle_program : structure; verdicts : (int, verdict) Hashtbl.t }

(** Those of tests, of which it is known when their names can be evaluated; the checks of
    these numbers stay [in_process] the code. *)
val programs :
  ounit:bool ->
  applies:Check_parts.applies ->
  in_process:int list ->
  Binding_time.t ->
  structure ->
  programs

(** Whether an expression is the harness' function of this name. *)
val is_harness : string -> expression -> bool

(** Whether it is the site of an OUnit assertion. *)
val is_site : expression -> bool

(** What a thunk of ours holds. *)
val body : expression -> expression

(** Likewise, where its value is ignored. *)
val statement_body : expression -> expression

(** The number that a check's first argument is. *)
val number_of : expression -> int option

(** Whether a check stands anywhere in it. *)
val has_check : expression -> bool
