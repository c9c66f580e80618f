(* What differs between versions of the compiler's library in functions. *)

open Parsetree

(** A function of one argument, without a label unless one is given. *)
val lambda : ?label:Asttypes.arg_label -> pattern -> expression -> expression

(** The patterns that a function node binds itself (its cases are visited apart). *)
val parameters : expression -> pattern list

(** Is an expression a function, with parameters or with cases? *)
val is_function : expression -> bool

(** A function without its parameters that are types, where these come first. *)
val without_types : expression -> expression

(** [fun pattern -> body], where [body] takes no further argument. *)
val unary_function : expression -> (pattern * expression) option

(** The parameters of a function, but for defaults and cases, and what stands behind them. *)
val curried : expression -> (Asttypes.arg_label * pattern) list * expression

(** What stands behind a function's parameters. *)
type body = Body of expression | Cases of case list

(** The parameters of a function, each with its default, and what stands behind them; nothing
    of any other expression. *)
val opened : expression -> ((expression option * pattern) list * body) option
