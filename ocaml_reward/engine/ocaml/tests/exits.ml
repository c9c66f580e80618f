(* Marks calls of `exit` in functions that the code could call: only an `exit 0` of the tests' own
   statements ends them without a failure. *)

open Parsetree
open Syntax

(* The harness's [exit] for functions that the code could call. *)
let callback_exit =
  value (nowhere (Path_compat.dot (within harness "In_callback").txt "exit"))

let default = Ast_mapper.default_mapper

(* Whether a path is that of [exit]. *)
let is_exit path =
  match Path_compat.components path with [ "exit" ] | [ "Stdlib"; "exit" ] -> true | _ -> false

(* Marks the calls of [exit] outside the tests' own statements and the functions that only such
   statements call.  Adds to [hidden] all names mentioned elsewhere. *)
let pass hidden structure =
  let hide =
    let expr self e =
      match e.pexp_desc with
      | Pexp_ident { txt; _ } when is_exit txt -> callback_exit
      | Pexp_ident { txt; _ } ->
        hidden := Names.Set.add (last_name txt) !hidden;
        e
      | _ -> default.expr self e
    in
    { default with expr }
  in
  let hide_all e = hide.expr hide e in
  let rec statement e =
    let with_desc pexp_desc = { e with pexp_desc } in
    let calls f arguments =
      with_desc (Pexp_apply (f, List.map (fun (label, a) -> (label, hide_all a)) arguments))
    in
    match e.pexp_desc with
    | Pexp_sequence (a, b) ->
      let a = statement a in
      with_desc (Pexp_sequence (a, statement b))
    | Pexp_let (recursive, bindings, body) ->
      let bindings = List.map binding bindings in
      with_desc (Pexp_let (recursive, bindings, statement body))
    | Pexp_ifthenelse (condition, a, b) ->
      with_desc (Pexp_ifthenelse (hide_all condition, statement a, Option.map statement b))
    | Pexp_match (over, cases) -> with_desc (Pexp_match (hide_all over, List.map case cases))
    | Pexp_try (body, cases) -> with_desc (Pexp_try (statement body, List.map case cases))
    | Pexp_constraint (body, t) -> with_desc (Pexp_constraint (statement body, t))
    | Pexp_apply (({ pexp_desc = Pexp_ident op; _ } as apply), [ (l, f); (m, a) ])
      when op.txt = Longident.Lident "@@" && is_name f ->
      with_desc (Pexp_apply (apply, [ (l, f); (m, hide_all a) ]))
    | Pexp_apply (({ pexp_desc = Pexp_ident op; _ } as apply), [ (l, a); (m, f) ])
      when op.txt = Longident.Lident "|>" && is_name f ->
      with_desc (Pexp_apply (apply, [ (l, hide_all a); (m, f) ]))
    | Pexp_apply (f, arguments) when is_name f -> calls f arguments
    | _ -> (
      match Scope_compat.local e with
      | Some (Open _, body) -> Scope_compat.with_body e (statement body)
      | Some (Module (_, m), body) ->
        ignore (hide.module_expr hide m);
        Scope_compat.with_body e (statement body)
      | _ -> hide_all e)
  and is_name e = match e.pexp_desc with Pexp_ident _ -> true | _ -> false
  and case c = { c with pc_guard = Option.map hide_all c.pc_guard; pc_rhs = statement c.pc_rhs }
  and binding b =
    let expression =
      match variable b.pvb_pat with
      | Some name when Function_compat.is_function b.pvb_expr && not (Names.Set.mem name !hidden) ->
        body_of b.pvb_expr
      | _ when Assertions.is_unit_pattern b.pvb_pat -> statement b.pvb_expr
      | _ -> hide_all b.pvb_expr
    in
    { b with pvb_expr = expression }
  and body_of f =
    let expr _ e = if Function_compat.is_function e then body_of e else statement e in
    default.expr { default with expr } f
  in
  let rec item i =
    match (i.pstr_desc, module_of_item i) with
    | Pstr_value (recursive, bindings), _ ->
      { i with pstr_desc = Pstr_value (recursive, List.map binding bindings) }
    | Pstr_eval (e, attributes), _ -> { i with pstr_desc = Pstr_eval (statement e, attributes) }
    | _, Some (m, with_module) -> with_module (module_expr m)
    | _ -> hide.structure_item hide i
  and module_expr m =
    match m.pmod_desc with
    | Pmod_structure items -> { m with pmod_desc = Pmod_structure (List.map item items) }
    | Pmod_constraint (m', t) -> { m with pmod_desc = Pmod_constraint (module_expr m', t) }
    | _ -> hide.module_expr hide m
  in
  List.map item structure

(* Marks calls until no more functions are hidden: those called by a hidden one are, too. *)
let rec settled hidden structure =
  let found = ref hidden in
  let marked = pass found structure in
  if Names.Set.equal !found hidden then marked else settled !found structure

(* The tests with marked calls; no change if [exit] is the tests' or the code's own. *)
let marked ~own structure =
  if Names.Set.mem "exit" own || Names.times_bound structure "exit" > 0 then structure
  else settled Names.Set.empty structure
