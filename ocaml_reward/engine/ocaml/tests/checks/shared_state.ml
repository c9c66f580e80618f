(* Finds which checks depend on state that earlier test statements create: if such a statement
   does not finish, the check says nothing and earns nothing.  The run of the tests as they were
   written only tells that the whole has failed. *)

open Parsetree
open Syntax
module Map = Names.Map
module Set = Names.Set

(* Two functions: from names to the tests' mutable values that they lead to through definitions, and
   from such values to all names that lead to some of them.
   (kappelmann/eidi2_repetitorium_tum
   additional_exercises/2016_17/Blatt 7 Lösungen/ocaml/ha7_test.ml) *)
let by_name structure =
  let defined = Hashtbl.create 16 and state = ref Names.Set.empty in
  let creates e =
    match e.pexp_desc with Pexp_apply (f, _) -> is_named [ "ref"; "create" ] f | _ -> false
  in
  let value_binding b =
    let free = lazy (Free_names.names [ Ast_helper.Str.eval b.pvb_expr ]).Names.values in
    let names = Names.pattern_names b.pvb_pat in
    if creates b.pvb_expr then state := Names.Set.union names !state;
    Names.Set.iter (fun name -> Hashtbl.add defined name free) names
  in
  Visit.(in_structure structure { default with value_binding = before value_binding default.value_binding });
  let rec add name found =
    if Names.Set.mem name found || not (Hashtbl.mem defined name) then found
    else
      List.fold_left
        (fun found free -> Names.Set.fold add (Lazy.force free) found)
        (Names.Set.add name found) (Hashtbl.find_all defined name)
  in
  let state_of names =
    if Names.Set.is_empty !state then Names.Set.empty
    else Names.Set.inter !state (Names.Set.fold add names Names.Set.empty)
  in
  let leading =
    lazy
      (List.map
         (fun name -> (name, state_of (Names.Set.singleton name)))
         (List.sort_uniq compare (List.of_seq (Hashtbl.to_seq_keys defined))))
  in
  let leading_to shared =
    if Names.Set.is_empty shared then []
    else
      List.filter_map
        (fun (name, state) -> if Names.Set.disjoint state shared then None else Some name)
        (Lazy.force leading)
  in
  (state_of, leading_to)

(* Notes taken while reading the tests.  State is named by numbers. *)
type notes = {
  mutable made : int;
  mutable unclear : bool;
  mutable checks : (int * bool * Set.t) list;  (* whether it may exit *)
  mutable items : (int * int * Set.t) list;  (* number of the next check *)
  mutable linked : Set.t list;  (* states linked by statements without checks *)
}

type t = {
  own : Names.t;
  labels : Set.t option;
  values : Set.t Map.t;  (* states reachable from the tests' names *)
  modules : (Set.t * Set.t Map.t) Map.t;
  opened : Set.t;  (* states reachable from unknown names *)
  notes : notes;
}

(* The state that stands for the code. *)
let code = "*"

(* The states that a value may reach. *)
let of_value t name =
  match Map.find_opt name t.values with
  | Some reached -> reached
  | None when Set.mem name t.own.values -> Set.singleton code
  | None when Set.mem name (Names.standard ()).values -> Set.empty
  | None -> t.opened

(* Modules of the library with global state.
   (kappelmann/eidi2_repetitorium_tum
   additional_exercises/2016_17/Blatt 7 Lösungen/ocaml/ha7_test.ml) *)
let stateful = [ "Format"; "Random"; "Str"; "Scanf"; "Callback"; "Filename" ]

(* The states that a module or a value in it may reach. *)
let of_module t path =
  let words = String.split_on_char '.' path in
  let root = List.hd words in
  match (Map.find_opt root t.modules, words) with
  | Some (_, inside), [ _; name ] when Map.mem name inside -> Map.find name inside
  | Some (whole, _), _ -> whole
  | None, _ when Set.mem root t.own.modules -> Set.singleton code
  | None, ([ _; ("sprintf" | "asprintf" | "kasprintf" | "dprintf" | "sscanf") ]) -> Set.empty
  | None, _ when List.mem root stateful -> Set.singleton root
  | None, _ -> Set.empty

(* The states that items may reach. *)
let of_items t items =
  let { Names.values; modules; _ } = Free_names.names ~types:false ~members:true items in
  Set.union (Names.union_of (of_value t) values) (Names.union_of (of_module t) modules)

(* The states that an expression may reach. *)
let of_expression t e = of_items t [ Ast_helper.Str.eval e ]

(* Whether a label may be a mutable one. *)
let is_mutable t label =
  match t.labels with Some labels -> Set.mem label labels | None -> true

(* Whether an expression creates no state. (edj36/CS3110 scrabble/player_test.ml) *)
let rec is_stateless t e =
  match e.pexp_desc with
  | Pexp_constant _ | Pexp_ident _ -> true
  | Pexp_construct (_, argument) | Pexp_variant (_, argument) ->
    Option.fold ~none:true ~some:(is_stateless t) argument
  | Pexp_tuple _ -> List.for_all (is_stateless t) (Path_compat.tuple e)
  | Pexp_constraint (e, _) | Pexp_field (e, _) -> is_stateless t e
  | Pexp_record (fields, base) ->
    let field ((label : Longident.t Location.loc), e) =
      (not (is_mutable t (last_name label.txt))) && is_stateless t e
    in
    List.for_all field fields && Option.fold ~none:true ~some:(is_stateless t) base
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, arguments)
    when Binding_time.returns_immutable txt ->
    List.for_all (fun (_, argument) -> stateless_argument t argument) arguments
  | _ -> Function_compat.is_function e

(* Whether an argument of a function of the library makes it create no state. *)
and stateless_argument t e =
  match e.pexp_desc with
  | Pexp_ident { txt = Longident.Lident name; _ } when Map.mem name t.values ->
    Set.is_empty (Map.find name t.values)
  | Pexp_ident { txt; _ } -> Binding_time.returns_immutable txt
  | _ -> (
    match Function_compat.curried e with
    | _ :: _, body -> is_stateless t body
    | [], _ -> is_stateless t e && not (Function_compat.is_function e))

(* Returns the name of a new state. *)
let new_state t =
  t.notes.made <- t.notes.made + 1;
  string_of_int t.notes.made

(* Notes that a statement may connect these states. *)
let link t reached = t.notes.linked <- reached :: t.notes.linked

(* Binds a name that may reach these states. *)
let bind reached t name = { t with values = Map.add name reached t.values }

(* Binds the names of a pattern, which may reach these states. *)
let bind_pattern reached t pattern =
  Set.fold (fun name t -> bind reached t name) (Names.pattern_names pattern) t

(* The expression of a definition, without the harness's [setup]. *)
let unwrapped e =
  match e.pexp_desc with
  | Pexp_apply (f, [ (_, made) ]) when Split_program.is_harness "setup" f -> Split_program.body made
  | _ -> e

(* The states that the value of a definition may reach, with a new one if it creates state. *)
let of_definition t e =
  let e = unwrapped e in
  let reached = of_expression t e in
  if is_stateless t e then reached
  else begin
    let reached = Set.add (new_state t) reached in
    link t reached;
    reached
  end

(* Binds the names of a definition. *)
let bind_all = Name_clusters.bind_all ~bind_pattern ~of_expression:of_definition

(* The scope after a module is opened. *)
let opening t m =
  match m.pmod_desc with
  | Pmod_ident { txt = Longident.Lident name; _ } when Map.mem name t.modules ->
    let whole, inside = Map.find name t.modules in
    { t with
      values = Map.union (fun _ _ newer -> Some newer) t.values inside;
      opened = Set.union t.opened whole }
  | Pmod_ident { txt; _ } ->
    let reached = of_module t (String.concat "." (Path_compat.components txt)) in
    let t = { t with opened = Set.union t.opened reached } in
    let { Names.values; _ } = Names.contents txt in
    if Set.mem code reached then t else Set.fold (fun name t -> bind reached t name) values t
  | _ ->
    t.notes.unclear <- true;
    t

(* Whether an expression is the harness's [guard]. *)
let is_guard = Split_program.is_harness "guard"

(* Whether an expression is a call of the harness's [guard]. *)
let guards e = match e.pexp_desc with Pexp_apply (f, _) -> is_guard f | _ -> false

(* The states reached by the parts of an expression outside its checks; notes its checks. *)
let rec expression t e =
  match e.pexp_desc with
  | Pexp_apply (f, [ (_, item); _; (_, last); (_, inside) ]) when is_guard f ->
    let reached = expression t (Split_program.statement_body inside) in
    let note item last = t.notes.items <- (item, last + 1, reached) :: t.notes.items in
    Option.iter
      (fun item -> Option.iter (note item) (Split_program.number_of last))
      (Split_program.number_of item);
    Set.empty
  | _ when not (Split_program.has_check e) ->
    let reached = of_expression t e in
    link t reached;
    reached
  | Pexp_apply (f, (_, number) :: arguments)
    when Split_program.(is_harness "check" f || is_harness "run" f || is_site f) ->
    let argument reached (_, e) = Set.union reached (of_expression t e) in
    let reached = List.fold_left argument Set.empty arguments in
    let exits = exists (is_named [ "exit" ]) e in
    let note place = t.notes.checks <- (place, exits, reached) :: t.notes.checks in
    Option.iter note (Split_program.number_of number);
    Set.empty
  | Pexp_let (recursive, bindings, body) ->
    let reached = expressions t (List.map (fun b -> b.pvb_expr) bindings) in
    Set.union reached (expression (bind_all t recursive bindings) body)
  | Pexp_sequence (a, b) -> expressions t [ a; b ]
  | _ -> (
    match Scope_compat.local e with
    | Some (Open o, body) -> expression (opening t o.popen_expr) body
    | Some (Module ({ txt = Some name; _ }, m), body) ->
      expression (bind_module t name m) body
    | _ ->
      let found = ref [] in
      Visit.default.expr { Visit.default with expr = (fun _ e -> found := e :: !found) } e;
      let patterns = Function_compat.parameters e in
      expressions (List.fold_left (bind_pattern Set.empty) t patterns) (List.rev !found))

(* The states reached by parts of these expressions outside their checks. *)
and expressions t = function
  | [] -> Set.empty
  | e :: rest ->
    let reached = expression t e in
    Set.union reached (expressions t rest)

(* Binds a module with the states that it may reach; notes its checks.
   (exercism/ocaml exercises/practice/palindrome-products/test.ml) *)
and bind_module t name m =
  let bound reached inside = { t with modules = Map.add name (reached, inside) t.modules } in
  let of_module_expr m = of_items t [ Ast_helper.Str.include_ (Ast_helper.Incl.mk m) ] in
  match (Functor_tests.unsealed m).pmod_desc with
  | Pmod_structure items ->
    let after = structure t items in
    let defined = Names.defined items in
    let inside = Map.filter (fun name _ -> Set.mem name defined.values) after.values in
    let inner name =
      match Map.find_opt name after.modules with Some (whole, _) -> whole | None -> Set.empty
    in
    let whole = Map.fold (fun _ -> Set.union) inside (Names.union_of inner defined.modules) in
    bound (Set.union whole (Set.diff after.opened t.opened)) inside
  | Pmod_ident { txt = Longident.Lident other; _ } when Map.mem other t.modules ->
    { t with modules = Map.add name (Map.find other t.modules) t.modules }
  | Pmod_ident _ -> bound (of_module_expr m) Map.empty
  | Pmod_apply ({ pmod_desc = Pmod_ident { txt; _ }; _ }, _) when of_library t txt ->
    bound (of_module_expr m) Map.empty
  | _ -> bound (Set.add (new_state t) (of_module_expr m)) Map.empty

(* Whether a path starts at a module that neither tests nor code define. *)
and of_library t path =
  match Names.root path with
  | Some root -> not (Map.mem root t.modules || Set.mem root t.own.modules)
  | None -> false

(* The scope after an item; notes its checks. (suspenss/CS3110 exercise/ch8.ml) *)
and item t i =
  match i.pstr_desc with
  | Pstr_value (recursive, bindings) ->
    let guarded, others = List.partition (fun b -> guards b.pvb_expr) bindings in
    let checks b = guards b.pvb_expr || Split_program.has_check b.pvb_expr in
    List.iter
      (fun b -> if checks b then ignore (expression t b.pvb_expr))
      (guarded @ others);
    bind_all t recursive others
  | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } -> bind_module t name pmb_expr
  | Pstr_open o -> opening t o.popen_expr
  | Pstr_include { pincl_mod; _ } -> (
    match (Functor_tests.unsealed pincl_mod).pmod_desc with
    | Pmod_structure items -> structure t items
    | _ -> opening t pincl_mod)
  | Pstr_class _ | Pstr_recmodule _ ->
    t.notes.unclear <- true;
    t
  | _ -> t

(* The scope after these items; notes their checks. *)
and structure t items = List.fold_left item t items

(* ---- which checks these are ----------------------------------------------------------- *)

(* With more pairs each check depends on each statement. *)
let most_pairs = 2_000_000

(* Dependencies as words: "g2:3-5,9-9": checks 3 to 5 and 9 depend on statement 2; "c4:0-1":
   check 4 needs one of the checks 0 and 1, as it calls no code itself; "x4:0-1": it needs all
   of them.  [own] are the names of the code, [labels] the mutable labels if known.  Also
   returns the checks that neither call the code nor read state.
   (sauravbhattacharya001/Ocaml-sample-code test_lru_cache.ml) *)
let of_tests ~own ~labels items =
  let notes = { made = 0; unclear = false; checks = []; items = []; linked = [] } in
  ignore
    (structure
       { own; labels; values = Map.empty; modules = Map.empty; opened = Set.empty; notes }
       items);
  let without = Set.remove code in
  let one = Name_clusters.merged (List.map without notes.linked) in
  let states reached = one (without reached) in
  let checks =
    List.sort compare notes.checks
    |> List.map (fun (place, exits, reached) ->
           (place, exits, Set.mem code reached, states reached))
  in
  let any = notes.unclear || List.length checks * List.length notes.items > most_pairs in
  let word letter number holds =
    match List.filter holds checks with
    | [] -> []
    | found ->
      let places = List.map (fun (place, _, _, _) -> place) found in
      [ Printf.sprintf "%c%d:%s" letter number (Name_clusters.ranges places) ]
  in
  let of_item (number, behind, reached) =
    let changed = states reached in
    if Set.is_empty reached && not notes.unclear then []
    else
      word 'g' number (fun (place, _, _, read) ->
          place >= behind && (any || not (Set.disjoint changed read)))
  in
  (* State that statements changed through the code is checked in any case. *)
  let changed_by_code =
    List.filter (Set.mem code) notes.linked |> List.map states
    |> List.fold_left Set.union Set.empty
  in
  let of_check (number, exits, calls, read) =
    if calls || Set.is_empty read || not (Set.disjoint read changed_by_code) then []
    else
      word (if exits then 'x' else 'c') number (fun (place, _, calls, changed) ->
          place < number && calls && not (Set.disjoint changed read))
  in
  let is_constant (_, _, calls, read) = not (notes.unclear || calls) && Set.is_empty read in
  ( List.concat_map of_item (List.rev notes.items) @ List.concat_map of_check checks
    |> String.concat " ",
    List.map (fun (place, _, _, _) -> place) (List.filter is_constant checks) )
