(* Inferred signatures, in every version of the compiler alike. *)

open Types

let rec normalize signature =
  List.iter
    (function
      | Sig_value (_, { val_type; _ }, _) -> Ctype.normalize_type val_type
      | Sig_module (_, _, { md_type; _ }, _, _) -> normalize_module md_type
      | _ -> ())
    signature

and normalize_module = function
  | Mty_signature signature -> normalize signature
  | Mty_functor (_, body) -> normalize_module body
  | _ -> ()

(* Without the values that are not to be seen. *)
let only shown =
  List.filter (function Sig_value (id, _, _) -> shown (Ident.name id) | _ -> true)

(* An environment that has a unit of this name. *)
let with_unit name signature env =
  Env.add_module (Ident.create_persistent name) Mp_present (Mty_signature signature) env
