(* Splits prepared tests into a query program, which sends values that the code returns, and an
   oracle program, which sends expected values without the code.  Both keep the order and the
   scopes of the tests. *)

open Parsetree

(** Where a check is judged: its formula, or why it stays in the code's process. *)
type verdict = Outside of Formula.t | In_process of string

type programs = {
  query_program : structure;
  oracle_program : structure;
  verdicts : (int, verdict) Hashtbl.t;
}

(** The checks with numbers in [in_process] stay in the code's process. *)
val programs :
  ounit:bool ->
  applies:Check_parts.applies ->
  in_process:int list ->
  Binding_time.t ->
  structure ->
  programs

(** Whether an expression is the harness's function of this name. *)
val is_harness : string -> expression -> bool

val is_site : expression -> bool

(** The body of a thunk. *)
val body : expression -> expression

(** The same without the [ignore] around it. *)
val statement_body : expression -> expression

(** The number of a check, from its first argument. *)
val number_of : expression -> int option

val has_check : expression -> bool
