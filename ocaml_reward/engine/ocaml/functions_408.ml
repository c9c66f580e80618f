(* What differs between compiler-libs versions in functions: OCaml 4.08 to 5.1. *)

open Parsetree

let lambda pattern body = Ast_helper.Exp.fun_ Asttypes.Nolabel None pattern body

(* The patterns that a function node binds itself (its cases are visited apart). *)
let parameters e =
  match e.pexp_desc with Pexp_fun (_, _, pattern, _) -> [ pattern ] | _ -> []

let is_function e =
  match e.pexp_desc with Pexp_fun _ | Pexp_function _ -> true | _ -> false

(* [fun pattern -> body], where [body] takes no further argument. *)
let unary_function e =
  match e.pexp_desc with
  | Pexp_fun (Asttypes.Nolabel, None, pattern, body) when not (is_function body) ->
    Some (pattern, body)
  | _ -> None

(* The parameters of a function, but for defaults and cases, and what stands behind them. *)
let rec curried e =
  match e.pexp_desc with
  | Pexp_fun (label, None, pattern, body) ->
    let more, body = curried body in
    ((label, pattern) :: more, body)
  | _ -> ([], e)

(* Visits a function node, if that has parameters, in the order of its scopes: a default is
   not in that of its parameter. *)
let visited ~bind (self : Ast_iterator.iterator) e =
  match e.pexp_desc with
  | Pexp_fun (_, by_default, pattern, body) ->
    Option.iter (self.expr self) by_default;
    self.pat self pattern;
    bind pattern;
    self.expr self body;
    true
  | _ -> false
