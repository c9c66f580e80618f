open Parsetree
open Nodes
open Remedies
open Slips

(* Some words on one line, names of the program's among them: one alone may be an operand. *)
let is_aside e =
  let is_word e =
    match e.pexp_desc with
    | Pexp_ident _ | Pexp_constant _ | Pexp_construct (_, None) -> true
    | _ -> false
  in
  e.pexp_loc.loc_start.pos_lnum = e.pexp_loc.loc_end.pos_lnum
  &&
  match e.pexp_desc with
  | Pexp_apply (f, words) -> is_word f && List.for_all (fun (_, e) -> is_word e) words
  | _ -> false

let of_operators holes ~is_missing (read : Mentions.read) =
  let of_call (place, sign, operands) =
    match (sign.pexp_desc, operands) with
    | Pexp_ident { txt = Lident ("//" | "--"); _ }, [ (_, left); (_, right) ]
      when is_aside right -> (
      match List.filter (fun hole -> inside hole right.pexp_loc) holes with
      | _ :: _ as cured when List.for_all is_missing cured ->
        (* The sign stays missing. *)
        let alone e =
          let open Ast_helper in
          let loc = e.pexp_loc in
          Exp.let_ ~loc Nonrecursive [ Vb.mk ~loc (Pat.any ~loc ()) sign ] left
        in
        [ instead ~kept:place place cured (with_expression place alone) ]
      | _ -> [])
    | _ -> []
  in
  List.concat_map of_call read.calls
