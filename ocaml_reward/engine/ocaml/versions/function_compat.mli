(* What differs between versions of the compiler's library in functions. *)

open Parsetree

(** A function of one argument, without a label unless one is given. *)
val lambda : ?label:Asttypes.arg_label -> pattern -> expression -> expression

(** The patterns that a function node binds itself, without its cases. *)
val parameters : expression -> pattern list

(** Whether an expression is [fun] or [function]. *)
val is_function : expression -> bool

(** A function without its parameters that are types, where these come first. *)
val without_types : expression -> expression

(** The pattern and the body of [fun pattern -> body], where [body] takes no further argument; None
    for any other expression. *)
val unary_function : expression -> (pattern * expression) option

(** The parameters of a function, without defaults and cases, and its body. *)
val curried : expression -> (Asttypes.arg_label * pattern) list * expression

(** The body of a function. *)
type body = Body of expression | Cases of case list

(** The parameters with defaults, and the body; None for any other expression. *)
val opened : expression -> ((expression option * pattern) list * body) option
