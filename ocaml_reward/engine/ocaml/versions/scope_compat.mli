(* Scopes inside an expression, unpacked modules and types' constraints, in every version of the
   compiler's library. *)

open Parsetree

type t =
  | Open of open_declaration
  | Module of string option Asttypes.loc * module_expr
  | Other

(** The scope that an expression opens, and its body; None for any other expression. *)
val local : expression -> (t * expression) option

(** The same scope with another body; any other expression unchanged. *)
val with_body : expression -> expression -> expression

(** The expression with a module opened around it. *)
val opening : open_declaration -> expression -> expression

(** The expression in the scope of a module with this name. *)
val in_module : string -> module_expr -> expression -> expression

(** The name of the module that a pattern unpacks; None if it unpacks none. *)
val unpacked : pattern -> string option

(** Whether a type's parameters are constrained. *)
val is_constrained : type_declaration -> bool
