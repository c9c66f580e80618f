(* What differs between compiler-libs versions in how types are read: OCaml 5.4 on. *)

open Types

let desc = get_desc
let id = get_id
let is_generic t = get_level t = Btype.generic_level

(* The parts of a tuple, each with its label. *)
let parts (types : (string option * type_expr) list) = types

let is_abstract = function Type_abstract Definition -> true | _ -> false
let is_atomic { ld_atomic; _ } = ld_atomic = Asttypes.Atomic

(* The result that a constructor of an extension is declared with. *)
let result (c : Parsetree.extension_constructor) =
  match c.pext_kind with Parsetree.Pext_decl (_, _, result) -> result | Pext_rebind _ -> None

let snapshot = Types.snapshot
let backtrack = Btype.backtrack
