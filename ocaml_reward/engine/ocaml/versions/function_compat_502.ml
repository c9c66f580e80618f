(* What differs between compiler-libs versions in functions: OCaml 5.2 and later. *)

open Parsetree

let lambda ?(label = Asttypes.Nolabel) pattern body =
  let parameter =
    { pparam_loc = pattern.ppat_loc; pparam_desc = Pparam_val (label, None, pattern) }
  in
  Ast_helper.Exp.function_ [ parameter ] None (Pfunction_body body)

let parameters e =
  match e.pexp_desc with
  | Pexp_function (parameters, _, _) ->
    List.filter_map
      (fun p -> match p.pparam_desc with Pparam_val (_, _, pattern) -> Some pattern | _ -> None)
      parameters
  | _ -> []

let is_function e = match e.pexp_desc with Pexp_function _ -> true | _ -> false

let rec without_types e =
  match e.pexp_desc with
  | Pexp_newtype (_, e) -> without_types e
  | Pexp_function ({ pparam_desc = Pparam_newtype _; _ } :: parameters, result, body) ->
    without_types { e with pexp_desc = Pexp_function (parameters, result, body) }
  | _ -> e

let unary_function e =
  match e.pexp_desc with
  | Pexp_function
      ( [ { pparam_desc = Pparam_val (Asttypes.Nolabel, None, pattern); _ } ],
        _, Pfunction_body body )
    when not (is_function body) ->
    Some (pattern, body)
  | _ -> None

let rec curried e =
  match e.pexp_desc with
  | Pexp_function ((_ :: _ as parameters), result, inside) -> (
    let plain p =
      match p.pparam_desc with
      | Pparam_val (label, None, pattern) -> Some (label, pattern)
      | _ -> None
    in
    let known = List.filter_map plain parameters in
    let body =
      match inside with
      | Pfunction_body body -> body
      (* Cases after parameters are a function of their own, as in earlier versions. *)
      | Pfunction_cases (_, loc, _) -> Ast_helper.Exp.function_ ~loc [] None inside
    in
    let body =
      match result with
      | Some (Pconstraint t) -> Ast_helper.Exp.constraint_ ~loc:body.pexp_loc body t
      | _ -> body
    in
    match result with
    | Some (Pcoerce _) -> ([], e)
    | _ when List.compare_lengths known parameters < 0 -> ([], e)
    | _ ->
      let more, body = curried body in
      (known @ more, body))
  | _ -> ([], e)

type body = Body of expression | Cases of case list

let opened e =
  match e.pexp_desc with
  | Pexp_function (parameters, _, body) ->
    let parameter p =
      match p.pparam_desc with
      | Pparam_val (_, by_default, pattern) -> Some (by_default, pattern)
      | Pparam_newtype _ -> None
    in
    let body =
      match body with
      | Pfunction_body body -> Body body
      | Pfunction_cases (cases, _, _) -> Cases cases
    in
    Some (List.filter_map parameter parameters, body)
  | _ -> None
