(* Inferred signatures, for every compiler version. *)

open Types

(* Brings the types of values into the form of an interface. *)
let rec normalize signature =
  List.iter
    (function
      | Sig_value (_, { val_type; _ }, _) -> Ctype.normalize_type val_type
      | Sig_module (_, _, { md_type; _ }, _, _) -> normalize_module md_type
      | _ -> ())
    signature

(* Brings the types of a module's values into the form of an interface. *)
and normalize_module = function
  | Mty_signature signature -> normalize signature
  | Mty_functor (_, body) -> normalize_module body
  | _ -> ()

(* The signature with only the values that are [shown]. *)
let only shown =
  List.filter (function Sig_value (id, _, _) -> shown (Ident.name id) | _ -> true)

(* The environment with a unit of this signature. *)
let with_unit name signature env =
  Env.add_module (Ident.create_persistent name) Mp_present (Mty_signature signature) env

(* The names that a signature declares. *)
let names signature =
  let add names item =
    match item with
    | Sig_value (id, _, _) | Sig_module (id, _, _, _, _) | Sig_type (id, _, _, _)
    | Sig_modtype (id, _, _) | Sig_typext (id, _, _, _) | Sig_class (id, _, _, _)
    | Sig_class_type (id, _, _, _) -> Names.Set.add (Ident.name id) names
  in
  List.fold_left add Names.Set.empty signature

(* The signature of the definitions between two environments, also of a program that failed;
   [suspects] get any type. *)
let defined ~suspects ~before ~after =
  let start = Env.summary before in
  let value id d =
    if Names.Set.mem (Ident.name id) suspects then { d with val_type = Btype.newgenvar () } else d
  in
  let rec go items summary =
    if summary == start then items
    else
      match summary with
      | Env.Env_value (rest, id, d) -> go (Sig_value (id, value id d, Exported) :: items) rest
      | Env_type (rest, id, d) -> go (Sig_type (id, d, Trec_first, Exported) :: items) rest
      | Env_extension (rest, id, d) ->
        go (Sig_typext (id, d, Text_exception, Exported) :: items) rest
      | Env_module (rest, id, presence, d) ->
        go (Sig_module (id, presence, d, Trec_not, Exported) :: items) rest
      | Env_modtype (rest, id, d) -> go (Sig_modtype (id, d, Exported) :: items) rest
      | Env_class (rest, id, d) -> go (Sig_class (id, d, Trec_not, Exported) :: items) rest
      | Env_cltype (rest, id, d) ->
        go (Sig_class_type (id, d, Trec_not, Exported) :: items) rest
      | Env_open (rest, _)
      | Env_constraints (rest, _)
      | Env_copy_types rest
      | Env_persistent (rest, _)
      | Env_value_unbound (rest, _, _)
      | Env_module_unbound (rest, _, _) -> go items rest
      (* The start, or an entry that only occurs inside modules. *)
      | _ -> items
  in
  go [] (Env.summary after)
