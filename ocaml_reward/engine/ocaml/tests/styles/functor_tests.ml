(* Inlines tests written as a functor over the code that is applied once: [module Make (Tested :
   S) = struct ... end] and [module Work = Make (Code)].  Each of its assertions is a check then. *)

open Parsetree

(* A module without its signature constraints. *)
let rec unsealed m =
  match m.pmod_desc with Pmod_constraint (m, _) -> unsealed m | _ -> m

(* Parameter, its type and the body, of a functor with one parameter; None for other modules. *)
let definition m =
  match (unsealed m).pmod_desc with
  | Pmod_functor (Named (parameter, wanted), body) -> (
    match (unsealed body).pmod_desc with
    | Pmod_structure items -> Some (parameter, wanted, items)
    | _ -> None)
  | _ -> None

(* The name and the argument of a functor application; None for other modules. *)
let applied m =
  match (unsealed m).pmod_desc with
  | Pmod_apply ({ pmod_desc = Pmod_ident { txt = Longident.Lident f; _ }; _ }, argument) ->
    Some (f, argument)
  | _ -> None

(* How often the items mention a module. *)
let mentions items name =
  let count = ref 0 in
  let module_expr m =
    match m.pmod_desc with
    | Pmod_ident { txt; _ } when Names.root txt = Some name -> incr count
    | _ -> ()
  in
  Visit.(in_structure items (each ~module_expr ()));
  !count

(* The name and the binding of a module definition; None for other items. *)
let module_item i =
  match i.pstr_desc with
  | Pstr_module ({ pmb_name = { txt = Some name; _ }; _ } as binding) -> Some (name, binding)
  | _ -> None

(* The tests with each functor over the code that is applied once replaced, where it is applied, by
   its body. (ocaml/ocaml.org practice/004/ex.ml) *)
let inlined structure =
  let functors =
    List.filter_map
      (fun i ->
        match module_item i with
        | Some (name, binding) when mentions structure name = 1 ->
          Option.map (fun found -> (name, found)) (definition binding.pmb_expr)
        | _ -> None)
      structure
  in
  let used =
    List.filter_map
      (fun i ->
        match module_item i with
        | Some (_, binding) -> (
          match applied binding.pmb_expr with
          | Some (f, _) when List.mem_assoc f functors -> Some f
          | _ -> None)
        | None -> None)
      structure
  in
  let item i =
    match module_item i with
    | Some (name, _) when List.mem name used -> None
    | Some (_, binding) -> (
      match applied binding.pmb_expr with
      | Some (f, argument) when List.mem f used ->
        let parameter, wanted, items = List.assoc f functors in
        (* A structure of the tests is not sealed, which would hide its types; of the code only
           the signature's items are visible. *)
        let given =
          match argument.pmod_desc with
          | Pmod_structure _ -> argument
          | _ -> Ast_helper.Mod.constraint_ argument wanted
        in
        let bound = Ast_helper.(Str.module_ (Mb.mk parameter given)) in
        let pmb_expr = { binding.pmb_expr with pmod_desc = Pmod_structure (bound :: items) } in
        Some { i with pstr_desc = Pstr_module { binding with pmb_expr } }
      | _ -> Some i)
    | None -> Some i
  in
  List.filter_map item structure
