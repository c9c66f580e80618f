(* What differs between compiler-libs versions: OCaml 4.08 to 5.1. *)

open Parsetree

let dot a b = Longident.Ldot (a, b)

(* Every name in a path, functor arguments too. *)
let rec components = function
  | Longident.Lident name -> [ name ]
  | Longident.Ldot (path, name) -> components path @ [ name ]
  | Longident.Lapply (f, x) -> components f @ components x

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

let tuple e = match e.pexp_desc with Pexp_tuple parts -> parts | _ -> []

let is_zero e =
  match e.pexp_desc with Pexp_constant (Pconst_integer ("0", None)) -> true | _ -> false

(* A constant that is no block in memory. *)
let is_immediate e =
  match e.pexp_desc with
  | Pexp_constant (Pconst_integer (_, None) | Pconst_char _) -> true
  | _ -> false

(* The digits of an integer. *)
let integer c = match c with Pconst_integer (digits, _) -> digits | _ -> ""
