(* GADTs that make any two types equal.

   From [T : ('a X.t, 'a) g] the compilers up to 5.2 conclude that ['a] follows from
   ['a X.t], which is wrong where [X.t] is another name for [unit] (ocaml/ocaml#13579). *)

open Parsetree

(* Types by name: those that stand for themselves, and those that may stand for another.
   Of the first kind are the ones a structure defines without an equation, and builtin ones. *)
let plain_types structure =
  let plain = ref (Names.Set.of_list [ "list"; "option"; "array"; "ref"; "lazy_t" ]) in
  let doubtful = ref Names.Set.empty in
  let note set d = set := Names.Set.add d.ptype_name.txt !set in
  let default = Ast_iterator.default_iterator in
  let structure_item self i =
    (match i.pstr_desc with
     | Pstr_type (_, declared) ->
       List.iter (fun d -> note (if d.ptype_manifest = None then plain else doubtful) d) declared
     | _ -> ());
    default.structure_item self i
  in
  let signature_item self i =
    (match i.psig_desc with
     | Psig_type (_, declared) -> List.iter (note doubtful) declared
     | _ -> ());
    default.signature_item self i
  in
  let iterator = { default with structure_item; signature_item } in
  iterator.structure iterator structure;
  Names.Set.diff !plain !doubtful

let has_variable t =
  let default = Ast_iterator.default_iterator in
  let found = ref false in
  let typ self t =
    (match t.ptyp_desc with Ptyp_var _ -> found := true | _ -> ());
    default.typ self t
  in
  let iterator = { default with typ } in
  iterator.typ iterator t;
  !found

(* The types in a GADT constructor's result that need not be injective. *)
let weak_indices plain result =
  let default = Ast_iterator.default_iterator in
  let found = ref [] in
  let typ self t =
    (match t.ptyp_desc with
     | Ptyp_constr ({ txt = Longident.Lident name; _ }, _) when Names.Set.mem name plain -> ()
     | Ptyp_constr ({ txt; _ }, (_ :: _ as arguments)) when List.exists has_variable arguments
       ->
       found := String.concat "." (Compat.components txt) :: !found
     | _ -> ());
    default.typ self t
  in
  let iterator = { default with typ } in
  (match result.ptyp_desc with
   | Ptyp_constr (_, arguments) -> List.iter (iterator.typ iterator) arguments
   | _ -> ());
  !found

(* The result of a GADT's constructor in an extension: its last type, in every version. *)
let last_type constructor =
  let default = Ast_iterator.default_iterator in
  let last = ref None in
  let iterator = { default with typ = (fun _ t -> last := Some t) } in
  iterator.extension_constructor iterator constructor;
  !last
