(* What differs between compiler-libs versions in functions: OCaml 4.08 to 5.1. *)

open Parsetree

let lambda ?(label = Asttypes.Nolabel) pattern body = Ast_helper.Exp.fun_ label None pattern body

let parameters e =
  match e.pexp_desc with Pexp_fun (_, _, pattern, _) -> [ pattern ] | _ -> []

let is_function e =
  match e.pexp_desc with Pexp_fun _ | Pexp_function _ -> true | _ -> false

let rec without_types e =
  match e.pexp_desc with Pexp_newtype (_, e) -> without_types e | _ -> e

let unary_function e =
  match e.pexp_desc with
  | Pexp_fun (Asttypes.Nolabel, None, pattern, body) when not (is_function body) ->
    Some (pattern, body)
  | _ -> None

let rec curried e =
  match e.pexp_desc with
  | Pexp_fun (label, None, pattern, body) ->
    let more, body = curried body in
    ((label, pattern) :: more, body)
  | _ -> ([], e)

type body = Body of expression | Cases of case list

let opened e =
  match e.pexp_desc with
  | Pexp_fun (_, by_default, pattern, body) -> Some ([ (by_default, pattern) ], Body body)
  | Pexp_function cases -> Some ([], Cases cases)
  | _ -> None
