(* Inlines the tests' own functions, bindings and scopes into a check. *)

open Parsetree
open Ast_helper
open Syntax
open Binding_time
open Check_parts
module Set = Names.Set

(* The body with a literal for a name. *)
let substitute name literal body =
  let expr self e =
    match e.pexp_desc with
    | Pexp_ident { txt = Longident.Lident found; _ } when found = name -> literal
    | _ -> Visit.mapper.expr self e
  in
  Visit.map_expression body { Visit.mapper with expr }

(* The helper's body with its arguments bound; None if it takes other arguments. *)
let applied helper arguments =
  let rec pair parameters arguments =
    match parameters with
    | [] -> if arguments = [] then Some [] else None
    | (label, p) :: rest -> (
      match List.partition (fun (l, _) -> l = label) arguments with
      | (_, a) :: same, others ->
        Option.map (fun pairs -> (p, a) :: pairs) (pair rest (same @ others))
      | [], _ -> None)
  in
  let with_literals body (p, a) =
    match variable p with
    | Some name when is_literal a && Names.times_bound [ Str.eval body ] name = 0 ->
      (substitute name a body, true)
    | _ -> (body, false)
  in
  Option.map
    (fun pairs ->
      let body, others =
        List.fold_left
          (fun (body, others) pair ->
            let body, done_ = with_literals body pair in
            (body, if done_ then others else pair :: others))
          (helper.body, []) pairs
      in
      (* Arguments are evaluated from the last one on. *)
      let bindings = List.map (fun (p, a) -> Vb.mk p a) others in
      if bindings = [] then body
      else Exp.let_ ~loc:body.pexp_loc Asttypes.Nonrecursive bindings body)
    (pair helper.parameters arguments)

(* [f a b] for [(f a) b]. *)
let rec flat e =
  match e.pexp_desc with
  | Pexp_apply (f, more) -> (
    match (flat f).pexp_desc with
    | Pexp_apply (f, first) -> { e with pexp_desc = Pexp_apply (f, first @ more) }
    | _ -> e)
  | _ -> e

(* The body of the called function of the tests, with its arguments bound; None if it is none, or
   calls are nested too deeply. *)
let inlined_body c e =
  match (flat e).pexp_desc with
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ }, arguments)
    when c.depth < 12 -> (
    match Names.Map.find_opt name c.g.helpers with
    | Some helper when unshadowed c.g helper -> applied helper arguments
    | _ -> None)
  | Pexp_apply (f, arguments) when c.depth < 12 && Function_compat.is_function f -> (
    match Function_compat.curried f with
    | [], _ -> None
    | parameters, body ->
      applied { parameters; body; whole = f; scope = c.g.times } arguments)
  | _ -> None

(* The context inside one more call. *)
let deeper c = { c with depth = c.depth + 1 }

(* ---- bindings ----------------------------------------------------------------------- *)

(* Binds tuples component by component: a case of a table holds arguments and expected value. *)
let rec simple_bindings b =
  match (b.pvb_pat.ppat_desc, tuple_patterns b.pvb_pat, Path_compat.tuple b.pvb_expr) with
  | Ppat_constraint (p, _), _, _ when Path_compat.tuple b.pvb_expr <> [] ->
    simple_bindings { b with pvb_pat = p }
  | _, (_ :: _ as ps), (_ :: _ as es) when List.compare_lengths ps es = 0 ->
    List.concat (List.map2 (fun p e -> simple_bindings { b with pvb_pat = p; pvb_expr = e }) ps es)
  | _ -> [ b ]

(* The names in statements and definitions before the assertion: the code may have received their
   values. *)
let escaping_names body =
  let found = ref Set.empty in
  let add e = found := Set.union (needs e).Names.values !found in
  let expr e =
    match e.pexp_desc with
    | Pexp_sequence (a, _) when not (judges [] a) -> add a
    | Pexp_let (_, bindings, _) -> List.iter (fun b -> add b.pvb_expr) bindings
    | _ -> ()
  in
  Visit.(in_expression body (each ~expr ()));
  !found

(* The piece that [inside] makes of what follows a [let], with the bindings that it needs; [body] is
   all of it. *)
let with_bindings c recursive bindings ~body inside =
  let bindings =
    if recursive = Asttypes.Nonrecursive then List.concat_map simple_bindings bindings
    else bindings
  in
  let g = bind_all c.g recursive bindings in
  let g = if List.exists (may_mutate c.g) bindings then after_mutation g else g in
  let escaped = Set.union g.escaped (escaping_names body) in
  let piece = inside { c with g = { g with escaped } } in
  let names b = Names.pattern_names b.pvb_pat in
  let all = Names.bound_names bindings in
  let known b = of_expression c.g b.pvb_expr = Static || of_expression c.g b.pvb_expr = Mutable in
  let wrapped keep e =
    let kept =
      if recursive = Asttypes.Recursive then
        if mentions_any all e then bindings else []
      else List.filter (keep e) bindings
    in
    if kept = [] then e else Exp.let_ recursive kept e
  in
  let wanted e b = mentions_any (names b) e in
  {
    piece with
    (* Calls of the code happen even if their value is not needed. *)
    query = wrapped (fun e b -> wanted e b || not (known b)) piece.query;
    oracle = wrapped (fun e b -> wanted e b) piece.oracle;
  }

(* Raises In_process. *)
let raise_in_process what = raise (In_process what)

(* The environment inside a scope other than [let]; None if the expression opens none. *)
let scope g e =
  match Scope_compat.local e with
  | Some (Scope_compat.Module ({ txt = Some name; _ }, m), _) ->
    let items = [ Str.module_ (Mb.mk (nowhere None) m) ] in
    let dynamic = of_names g (Free_names.names ~types:false items) <> Static in
    Some (with_module g name ~dynamic ~physical:(structure_uses_identity g items))
  | Some (Scope_compat.Open o, _) -> Some (with_opened g [ Str.open_ o ])
  | Some _ -> Some g
  | None -> None

(* Whether creating a module may assert; of functors only the library's are known. *)
let rec may_assert m =
  match m.pmod_desc with
  | Pmod_ident _ -> false
  | Pmod_structure _ -> judged [] (Visit.in_module m)
  | Pmod_constraint (m, _) -> may_assert m
  | Pmod_apply ({ pmod_desc = Pmod_ident { txt; _ }; _ }, argument) -> (
    match Path_compat.components txt with
    | m :: _ :: _ when Names.Set.mem m (Names.standard ()).modules -> may_assert argument
    | _ -> true)
  | _ -> true

(* The piece that [inside] makes of the body of a scope other than [let], with the scope around both
   parts; None if the expression opens none. *)
let scoped c e inside =
  (match Scope_compat.local e with
   | Some ((Module (_, m) | Open { popen_expr = m; _ }), _) when may_assert m ->
     raise (In_process "a module that may assert where it is made")
   | _ -> ());
  match (Scope_compat.local e, scope c.g e) with
  | Some (_, body), Some g ->
    let piece = inside { c with g } body in
    let wrap x = if is_unit x then x else Scope_compat.with_body e x in
    Some { piece with query = wrap piece.query; oracle = wrap piece.oracle }
  | _ -> None
