(* Tells which expressions evaluate a hole inside them whatever their arguments are. *)

open Parsetree

(* Whether an expression is a hole: in a program [assert] and [false] have different locations. *)
let is_hole e =
  match e.pexp_desc with
  | Pexp_assert { pexp_desc = Pexp_construct ({ txt = Lident "false"; _ }, None); pexp_loc; _ } ->
    pexp_loc = e.pexp_loc
  | _ -> false

(* Whether evaluating an expression reaches a hole in it. *)
let at_once e =
  let found = ref false in
  let expr self e =
    match e.pexp_desc with
    | _ when is_hole e -> found := true
    | _ when Function_compat.is_function e -> ()
    | Pexp_lazy _ -> ()
    (* A definition of the tests: the harness evaluates it at once. *)
    | Pexp_apply (f, [ (_, thunk) ]) when Split_program.is_harness "setup" f ->
      Visit.default.expr self (Split_program.body thunk)
    | _ -> Visit.default.expr self e
  in
  Visit.(in_expression e { default with expr });
  !found

(* Whether evaluating an expression certainly reaches a hole in it. *)
let rec surely_meets e =
  is_hole e
  ||
  match e.pexp_desc with
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Lident ("&&" | "||"); _ }; _ }, (_, first) :: _) ->
    surely_meets first
  | Pexp_apply (f, arguments) ->
    surely_meets f || List.exists (fun (_, e) -> surely_meets e) arguments
  | Pexp_let (_, bindings, body) ->
    List.exists (fun b -> surely_meets b.pvb_expr) bindings || surely_meets body
  | Pexp_sequence (a, b) -> surely_meets a || surely_meets b
  | Pexp_match (e, _) | Pexp_try (e, _) | Pexp_ifthenelse (e, _, _) | Pexp_constraint (e, _)
  | Pexp_construct (_, Some e) | Pexp_field (e, _) | Pexp_assert e -> surely_meets e
  | Pexp_tuple _ -> List.exists surely_meets (Path_compat.tuple e)
  | _ -> false

(* Whether a binding is to a function that reaches a hole whatever its arguments are. *)
let is_hollow b =
  match Function_compat.curried b.pvb_expr with [], _ -> false | _, body -> surely_meets body
