(* What differs between compiler-libs versions in constants: OCaml 4.08 to 5.2. *)

open Parsetree

let is_zero e =
  match e.pexp_desc with Pexp_constant (Pconst_integer ("0", None)) -> true | _ -> false

(* A constant that is no block in memory. *)
let is_immediate e =
  match e.pexp_desc with
  | Pexp_constant (Pconst_integer (_, None) | Pconst_char _) -> true
  | _ -> false

(* The digits of an integer. *)
let integer c = match c with Pconst_integer (digits, _) -> digits | _ -> ""
