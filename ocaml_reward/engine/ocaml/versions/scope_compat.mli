(* What opens a scope inside an expression, and modules out of values, in every version of the
   compiler's library. *)

open Parsetree

(** What stands in front of a body. *)
type t =
  | Open of open_declaration
  | Module of string option Asttypes.loc * module_expr
  | Other

(** What stands in front of a body, and the body. *)
val local : expression -> (t * expression) option

(** The same in front of another body; any other expression as it is. *)
val with_body : expression -> expression -> expression

(** A body behind what is opened. *)
val opening : open_declaration -> expression -> expression

(** A body behind a module of this name. *)
val in_module : string -> module_expr -> expression -> expression

(** What a pattern calls the module that it takes out of a value. *)
val unpacked : pattern -> string option
