(* Parse trees of the tests: stored as bytes, and combined with the code. *)

open Parsetree

(* The item that ignores alerts, as the code may set some on its own unit. *)
let without_alerts =
  let open Ast_helper in
  let setting = PStr [ Str.eval (Exp.constant (Const.string "--all-all")) ] in
  Str.attribute (Attr.mk (Location.mknoloc "ocaml.alert") setting)

(* The structure in the format that ocamlc accepts as a source file, without alerts. *)
let as_binary structure =
  let structure = without_alerts :: structure in
  Config.ast_impl_magic_number
  ^ Marshal.to_string "tests.ml" []
  ^ Marshal.to_string (structure : structure) []

(* The structure in this format.  Raises Failure or Invalid_argument. *)
let of_binary text =
  let magic = String.length Config.ast_impl_magic_number in
  let name = Marshal.total_size (Bytes.unsafe_of_string text) magic in
  (Marshal.from_string text (magic + name) : structure)

(* The tests with the code as their submodule.  A unit may not leave a type open, as [let length =
   List.fold_left (fun n _ -> n + 1) 0] does; inside the tests' unit it may. *)
let merged code tests =
  let place item =
    match item.pstr_desc with
    | Pstr_module ({ pmb_name = { txt = Some name; _ }; _ } as binding)
      when name = Syntax.solution ->
      { item with
        pstr_desc = Pstr_module { binding with pmb_expr = Ast_helper.Mod.structure code } }
    | _ -> item
  in
  List.map place tests

(* Tells whether tests name the code's unit as one module, as in [module Darts = ...]. *)
let names_solution tests =
  let is_solution m =
    match m.pmod_desc with
    | Pmod_ident { txt = Lident name; _ } -> name = Syntax.solution
    | _ -> false
  in
  List.exists
    (fun item ->
      match item.pstr_desc with
      | Pstr_module
          { pmb_expr = { pmod_desc = Pmod_structure ({ pstr_desc = Pstr_include i; _ } :: _); _ };
            _ } ->
        is_solution i.pincl_mod
      | Pstr_module { pmb_expr; _ } -> is_solution pmb_expr
      | Pstr_open { popen_expr = { pmod_desc = Pmod_ident { txt; _ }; _ }; _ } -> (
        match Path_compat.components txt with m :: _ :: _ -> m = Syntax.solution | _ -> false)
      | _ -> false)
    tests

(* The name of the original tests in a query program, which contains them only to be typed. *)
let original_name = "Tests*"

(* Whether an item holds the original tests. *)
let is_original item =
  match item.pstr_desc with
  | Pstr_modtype { pmtd_name = { txt; _ }; _ } -> txt = original_name
  | _ -> false

(* The query program without the original tests. *)
let query_program tests = List.filter (fun item -> not (is_original item)) tests

(* The original tests. *)
let original tests =
  match List.find_opt is_original tests with
  | Some
      { pstr_desc =
          Pstr_modtype
            { pmtd_type =
                Some { pmty_desc = Pmty_typeof { pmod_desc = Pmod_structure inside; _ }; _ };
              _ };
        _ } ->
    let rec before = function
      | item :: rest when not (is_original item) -> item :: before rest
      | _ -> []
    in
    before tests @ inside
  | _ -> tests
