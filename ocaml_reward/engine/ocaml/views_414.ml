(* What differs between compiler-libs versions in how types are read: OCaml 4.14 to 5.1. *)

open Types

let desc = get_desc
let id = get_id
let is_generic t = get_level t = Btype.generic_level

(* The parts of a tuple, each with its label. *)
let parts types = List.map (fun (t : type_expr) -> (None, t)) types

let is_abstract = function Type_abstract -> true | _ -> false
let is_atomic (_ : label_declaration) = false

(* The result that a constructor of an extension is declared with. *)
let result (c : Parsetree.extension_constructor) =
  match c.pext_kind with Parsetree.Pext_decl (_, _, result) -> result | Pext_rebind _ -> None

let snapshot = Types.snapshot
let backtrack = Btype.backtrack
