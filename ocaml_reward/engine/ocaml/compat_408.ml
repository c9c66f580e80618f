(* What differs between compiler-libs versions: OCaml 4.08 to 5.1. *)

open Parsetree

let dot a b = Longident.Ldot (a, b)

let lambda pattern body = Ast_helper.Exp.fun_ Asttypes.Nolabel None pattern body

(* The patterns that a function node binds itself (its cases are visited apart). *)
let parameters e =
  match e.pexp_desc with Pexp_fun (_, _, pattern, _) -> [ pattern ] | _ -> []

let is_function e =
  match e.pexp_desc with Pexp_fun _ | Pexp_function _ -> true | _ -> false

(* [fun () -> body] or [fun _ -> body]. *)
let unit_function_body e =
  match e.pexp_desc with
  | Pexp_fun (Asttypes.Nolabel, None, { ppat_desc = Ppat_any; _ }, body)
  | Pexp_fun
      ( Asttypes.Nolabel, None,
        { ppat_desc = Ppat_construct ({ txt = Longident.Lident "()"; _ }, None); _ },
        body ) ->
    Some body
  | _ -> None
