(* What a library's function gives, by its type: of [List.assoc : 'a -> ('a * 'b) list -> 'b]
   something from the table, never from the key, of [raise] nothing. *)

open Parsetree
open Origins

(** How expressions, functions that take these values, and calls are followed. *)
type flow = {
  value : state -> env -> expression -> Values.t;
  func : state -> env -> Values.t list -> expression -> Values.t;
  call : state -> env -> expression -> (Asttypes.arg_label * argument) list -> Values.t;
}

(** What is known of an argument's value. *)
val given : flow -> state -> env -> argument -> Values.t

(** What a function of the library gives, by its path and type, for these arguments. *)
val result :
  flow ->
  state ->
  env ->
  string list ->
  Types.type_expr ->
  (Asttypes.arg_label * argument) list ->
  Values.t

(** What an expression gives that is not followed. *)
val lost : state -> env -> expression -> Values.t

(** Is it a name of the program's own, in what is not followed? *)
val is_hidden : env -> expression -> bool
