(* Finds which of the code's names each check uses, directly or through the tests' definitions and
   earlier statements. *)

open Parsetree
module Map = Names.Map
module Set = Names.Set

type t = {
  own : Names.t;  (* the names of the code *)
  values : Set.t Map.t;  (* the code's names that the tests' own names use *)
  modules : Set.t Map.t;
  opened : Set.t;  (* opened modules of the code, which may define any name *)
  found : (int, Set.t) Hashtbl.t;  (* by the check's number *)
}

(* No names of the tests yet.  [own] are the code's. *)
let start own =
  { own; values = Map.empty; modules = Map.empty; opened = Set.empty; found = Hashtbl.create 16 }

(* The code's names that a value uses. *)
let of_value t name =
  match Map.find_opt name t.values with
  | Some taken -> taken
  | None -> if Set.mem name t.own.values then Set.singleton name else Set.empty

(* The code's names that a module uses. *)
let of_module t path =
  let root = List.hd (String.split_on_char '.' path) in
  match Map.find_opt root t.modules with
  | Some taken -> taken
  | None -> if Set.mem root t.own.modules then Set.singleton path else Set.empty

(* The code's names that items use. *)
let of_items t items =
  let { Names.values; modules; _ } = Free_names.names ~types:false ~members:true items in
  Names.union_of (of_value t) values
  |> Set.union (Names.union_of (of_module t) modules)
  |> Set.union t.opened

(* The code's names that an expression uses. *)
let of_expression t e = of_items t [ Ast_helper.Str.eval e ]

(* Binds a name of the tests that uses [taken]. *)
let bind taken t name = { t with values = Map.add name taken t.values }

(* Binds the names of a pattern, which use [taken]. *)
let bind_pattern taken t p = Set.fold (fun name t -> bind taken t name) (Names.pattern_names p) t

(* Binds the names of a definition. *)
let bind_all = Name_clusters.bind_all ~bind_pattern ~of_expression

(* The names after a statement, which may mutate the values that it mentions.
   (sauravbhattacharya001/Ocaml-sample-code test_lru_cache.ml) *)
let after_statement t e =
  let taken = of_expression t e in
  let mentioned = (Binding_time.needs e).Names.values in
  let add name own = if Set.mem name mentioned then Set.union own taken else own in
  if Set.is_empty taken then t else { t with values = Map.mapi add t.values }

(* The names after an [open], of which the code's modules may define any.
   (exercism/ocaml exercises/practice/beer-song/test.ml) *)
let opening t m =
  match m.pmod_desc with
  | Pmod_ident { txt; _ } ->
    let path = String.concat "." (Path_compat.components txt) in
    { t with opened = Set.union t.opened (of_module t path) }
  | _ -> t

(* Notes the names that the checks in an expression use.
   (exercism/ocaml exercises/practice/hamming/test.ml) *)
let rec expression t e =
  match e.pexp_desc with
  | Pexp_apply (f, (_, number) :: _)
    when Split_program.(is_harness "check" f || is_harness "run" f || is_site f) ->
    Option.iter
      (fun place -> Hashtbl.replace t.found place (of_expression t e))
      (Split_program.number_of number)
  | Pexp_let (recursive, bindings, body) ->
    List.iter (fun b -> expression t b.pvb_expr) bindings;
    expression (bind_all t recursive bindings) body
  | Pexp_sequence (a, b) ->
    expression t a;
    expression (if Split_program.has_check a then t else after_statement t a) b
  | Pexp_match (subject, cases) | Pexp_try (subject, cases) ->
    expression t subject;
    let taken = of_expression t subject in
    List.iter
      (fun c ->
        let t = bind_pattern taken t c.pc_lhs in
        Option.iter (expression t) c.pc_guard;
        expression t c.pc_rhs)
      cases
  | _ -> (
    match Scope_compat.local e with
    | Some (Open o, body) -> expression (opening t o.popen_expr) body
    | Some (Module ({ txt = Some name; _ }, m), body) ->
      expression (bind_module t name m) body
    | _ -> inside t (fun it -> Ast_iterator.default_iterator.expr it e))

(* Visits the sub-expressions of a node in the scope [t]. *)
and inside t visit = visit { Visit.default with expr = (fun _ e -> expression t e) }

(* Binds a module of the tests; notes the names that its checks use. *)
and bind_module t name m =
  let taken = of_items t [ Ast_helper.Str.include_ (Ast_helper.Incl.mk m) ] in
  (match m.pmod_desc with Pmod_structure items -> ignore (structure t items) | _ -> ());
  { t with modules = Map.add name taken t.modules }

(* The names after an item; notes those that its checks use. *)
and item t i =
  match i.pstr_desc with
  | Pstr_value (recursive, bindings) ->
    List.iter (fun b -> expression t b.pvb_expr) bindings;
    let after t b = if Split_program.has_check b then t else after_statement t b in
    bind_all (List.fold_left after t (List.map (fun b -> b.pvb_expr) bindings)) recursive bindings
  | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } -> bind_module t name pmb_expr
  | Pstr_open o -> opening t o.popen_expr
  | Pstr_include { pincl_mod; _ } -> opening t pincl_mod
  | _ -> inside t (fun it -> Ast_iterator.default_iterator.structure_item it i); t

(* The names after these items; notes those that their checks use. *)
and structure t items = List.fold_left item t items

(* Returns a function from a check's number to the [own] names that it uses, separated by blanks;
   "?" for one that was not met. (exercism/ocaml exercises/practice/robot-name/test.ml) *)
let of_tests ~own items =
  let t = start own in
  ignore (structure t items);
  fun place ->
    match Hashtbl.find_opt t.found place with
    | None -> "?"
    | Some taken -> String.concat " " (Set.elements taken)
