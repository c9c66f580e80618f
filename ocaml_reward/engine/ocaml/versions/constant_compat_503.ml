(* What differs between compiler-libs versions in constants: OCaml 5.3 and later. *)

open Parsetree

let is_zero e =
  match e.pexp_desc with
  | Pexp_constant { pconst_desc = Pconst_integer ("0", None); _ } -> true
  | _ -> false

let is_immediate e =
  match e.pexp_desc with
  | Pexp_constant { pconst_desc = Pconst_integer (_, None) | Pconst_char _; _ } -> true
  | _ -> false

let is_string e = match e.pexp_desc with Pexp_constant { pconst_desc = Pconst_string _; _ } -> true | _ -> false

let integer c = match c.pconst_desc with Pconst_integer (digits, _) -> digits | _ -> ""
