(* What differs between compiler-libs versions in constants: OCaml 4.08 to 5.2. *)

open Parsetree

let is_zero e =
  match e.pexp_desc with Pexp_constant (Pconst_integer ("0", None)) -> true | _ -> false

let is_immediate e =
  match e.pexp_desc with
  | Pexp_constant (Pconst_integer (_, None) | Pconst_char _) -> true
  | _ -> false

let is_string e = match e.pexp_desc with Pexp_constant (Pconst_string _) -> true | _ -> false

let integer c = match c with Pconst_integer (digits, _) -> digits | _ -> ""
