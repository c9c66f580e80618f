open Parsetree
open Values
open Origins

let most_rounds = 12
let deepest_modules = 100

module Set = Names.Set

(* What is looked for in a walk through a program, and the functors that it has come by. *)
type walk = {
  functors : (string, env * module_expr) Hashtbl.t;
  is_idle : value_binding -> Values.t -> bool;
}

let is_below m path =
  let length = String.length m in
  String.length path > length + 1 && String.sub path 0 (length + 1) = m ^ "."

(* What stands in a module of one's own comes into scope by its own names; what is idle there
   stays so. *)
let brought env idle m =
  let prefix = String.length m + 1 in
  let now = env.now + 1 in
  let bring path (cell, _) (names, idle) =
    if not (is_below m path) then (names, idle)
    else
      let own = String.sub path prefix (String.length path - prefix) in
      ( Names.Map.add own (cell, now) names,
        if Set.mem path idle then Set.add own idle else Set.remove own idle )
  in
  let names, idle = Names.Map.fold bring env.names (env.names, idle) in
  ({ env with names; now }, idle)

(* A module whose members are all known has this among what is idle. *)
let known m = m ^ "."

let is_class i = match i.pstr_desc with Pstr_class _ -> true | _ -> false

let rec last_parameter m =
  match m.pmod_desc with
  | Pmod_functor (_, ({ pmod_desc = Pmod_functor _; _ } as m)) -> last_parameter m
  | Pmod_functor (_, m) | Pmod_constraint (m, _) -> last_parameter m
  | _ -> m

let rec parameters m =
  match m.pmod_desc with
  | Pmod_functor (Named ({ txt = Some p; _ }, _), m) -> p :: parameters m
  | Pmod_functor (_, m) | Pmod_constraint (m, _) -> parameters m
  | _ -> []

(* The functor that a module is made by, and what it is given. *)
let rec application m =
  match m.pmod_desc with
  | Pmod_apply ({ pmod_desc = Pmod_ident { txt = Longident.Lident f; _ }; _ }, given) ->
    Some (f, [ given ])
  | Pmod_apply (m, given) -> Option.map (fun (f, all) -> (f, given :: all)) (application m)
  | Pmod_constraint (m, _) -> application m
  | _ -> None

(* Binds what is in a module, and says whether it gives nothing of what it is given; what of
   it is idle, by its path. *)
let rec in_module w s env name m =
  (* A functor's body is followed once for each module that it makes, and may name itself in a
     functor of the same name. *)
  if s.depth > deepest_modules then raise Lost;
  s.depth <- s.depth + 1;
  step s;
  let found = module_of w s env name m in
  s.depth <- s.depth - 1;
  found

and module_of w s env name m =
  let inside = { env with own = name :: env.own } in
  match m.pmod_desc with
  | Pmod_constraint (m, _) -> in_module w s env name m
  | Pmod_functor _ ->
    Hashtbl.replace w.functors name (env, m);
    let body = { inside with own = parameters m @ inside.own } in
    (* Nobody knows here what it will be given. *)
    let before = s.layer in
    s.layer <- "*";
    let _, idle, _ = in_module w s body nameless (last_parameter m) in
    s.layer <- before;
    (inside, idle, Set.empty)
  | Pmod_structure its ->
    let last, idle = items w s inside its in
    let members = Names.Map.filter (fun _ (_, since) -> since > inside.now) last.names in
    let now = last.now in
    let names =
      Names.Map.fold
        (fun path (cell, _) names -> Names.Map.add (name ^ "." ^ path) (cell, now) names)
        members inside.names
    in
    let is_idle name = Set.mem name idle || String.contains name '.' in
    let paths = Set.map (fun path -> name ^ "." ^ path) idle in
    ( { inside with names; now },
      (* Types and exceptions alone give nothing. *)
      Names.Map.for_all (fun name _ -> is_idle name) members
      && last.blind <= inside.now
      && not (List.exists is_class its),
      if last.blind > inside.now then Set.empty else Set.add (known name) paths )
  | _ -> (
    match application m with
    | Some (f, given) when Hashtbl.mem w.functors f ->
      List.iter (fun m -> lose_within s env (fun self -> self.module_expr self m)) given;
      let around, made = Hashtbl.find w.functors f in
      (* The functor's body sees what was in scope where it stands, and what it is given. *)
      let named = parameters made and given = List.rev given in
      let around =
        if List.compare_lengths named given <> 0 then around
        else List.fold_left2 (receiving w s env) around named given
      in
      let body = { around with own = named @ around.own } in
      let found, is_idle, idle = in_module w s body name (last_parameter made) in
      let add path (cell, _) names =
        if is_below name path then Names.Map.add path (cell, inside.now + 1) names else names
      in
      let names = Names.Map.fold add found.names inside.names in
      ({ inside with names; now = inside.now + 1 }, is_idle, idle)
    | _ -> (inside, false, Set.empty))

(* With the members of a module that stands in [env], as a functor's parameter. *)
and receiving w s env around parameter m =
  let path, found =
    match m.pmod_desc with
    | Pmod_ident { txt; _ } -> (String.concat "." (Compat.components txt), env)
    | _ -> (let found, _, _ = in_module w s env parameter m in (parameter, found))
  in
  let now = around.now + 1 in
  let add name (cell, since) names =
    let is_its = is_below path name && (found == env || since > env.now) in
    let left = String.length path in
    let own () = parameter ^ String.sub name left (String.length name - left) in
    if is_its then Names.Map.add (own ()) (cell, now) names else names
  in
  { around with names = Names.Map.fold add found.names around.names; now }

(* What is in scope behind the items of a structure, and which names are idle there. *)
and items w s env its =
  let note name is_idle idle = if is_idle then Set.add name idle else Set.remove name idle in
  let bring env ended idle m =
    let env, _, inner = in_module w s env nameless m in
    if Set.mem (known nameless) inner then
      let env, idle = brought env (Set.union inner idle) nameless in
      let is_left path = path = known nameless || is_below nameless path in
      (env, ended, Set.filter (fun path -> not (is_left path)) idle)
    else
      let now = env.now + 1 in
      ({ env with blind = now; now }, ended, Set.empty)
  in
  let step (env, ended, idle) i =
    match i.pstr_desc with
    | _ when ended ->
      (* Nobody comes here. *)
      let defined = Names.defined [ i ] in
      (env, ended, Set.union idle (Set.union defined.values defined.modules))
    | Pstr_value (recursive, bindings) ->
      let found = ref idle in
      let hear b value =
        let is_idle = value = Never || (w.is_idle b value && not s.acting) in
        Set.iter (fun name -> found := note name is_idle !found) (Names.pattern_names b.pvb_pat)
      in
      let before = s.works in
      s.works <- false;
      let env, ends = Flow.definitions ~top:true ~hear s env recursive bindings in
      s.works <- s.works || before;
      (env, ends, !found)
    | Pstr_eval (e, _) -> (env, apart s ~top:true (fun () -> Flow.value s env e) = Never, idle)
    | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } ->
      let env, is_idle, inner = in_module w s env name pmb_expr in
      let others = Set.filter (fun path -> not (path = known name || is_below name path)) idle in
      (env, ended, note name is_idle (Set.union inner others))
    | Pstr_open { popen_expr = { pmod_desc = Pmod_ident { txt = Longident.Lident m; _ }; _ }; _ }
    | Pstr_include { pincl_mod = { pmod_desc = Pmod_ident { txt = Longident.Lident m; _ }; _ }; _ }
      when Set.mem (known m) idle ->
      let env, idle = brought env idle m in
      (env, ended, idle)
    | Pstr_open { popen_expr = { pmod_desc = Pmod_structure _ | Pmod_apply _; _ } as m; _ }
    | Pstr_include { pincl_mod = { pmod_desc = Pmod_structure _ | Pmod_apply _; _ } as m; _ } ->
      bring env ended idle m
    | Pstr_class declared -> Flow.classes s env declared; (env, ended, idle)
    | Pstr_class_type _ -> (env, ended, idle)
    | Pstr_open ({ popen_expr = { pmod_desc = Pmod_ident _; _ } as m; _ }) ->
      (opening env m, ended, idle)
    | Pstr_type _ | Pstr_typext _ | Pstr_exception _ | Pstr_modtype _ | Pstr_attribute _ ->
      (env, ended, idle)
    | _ ->
      let now = env.now + 1 in
      lose_within s env (fun self -> self.structure_item self i);
      ({ env with blind = now; now }, ended, Set.empty)
  in
  let env, _, idle = List.fold_left step (env, false, Set.empty) its in
  (env, idle)

(* A module in an expression.  What is not written out, and a functor with the name of another,
   is not followed. *)
let rec local w s env name m =
  let follow () =
    let env, _, inner = in_module w s env name m in
    if name <> nameless then Some env
    else if Set.mem (known nameless) inner then Some (fst (brought env Set.empty nameless))
    else None
  in
  match m.pmod_desc with
  | _ when s.depth > deepest_modules -> None
  | Pmod_constraint (m, _) -> local w s env name m
  | Pmod_structure _ -> follow ()
  | Pmod_functor _ -> (
    match Hashtbl.find_opt w.functors name with
    | Some (_, other) when other != m -> None
    | _ -> follow ())
  | _ -> (
    match application m with
    | Some (f, _) when Hashtbl.mem w.functors f -> follow ()
    | _ -> None)

type t = { names : Set.t; untouched : Set.t; apart : Set.t; printed : bool }

let nothing =
  { names = Set.empty; untouched = Set.empty; apart = Set.empty; printed = false }

(* What such walks find when nothing changes any more; none where that takes too many rounds. *)
let followed s program is_idle further =
  let walk is_idle =
    let w = { functors = Hashtbl.create 4; is_idle } in
    s.local_module <- local w;
    let _, names = items w s empty program in
    Set.filter (fun name -> not (String.contains name '.')) names
  in
  let rec rounds n =
    s.changed <- false;
    let names = walk is_idle in
    if not s.changed then Some (names, if further == is_idle then names else walk further)
    else if n = 0 then None
    else rounds (n - 1)
  in
  match rounds most_rounds with found -> found | exception _ -> None

(* Who is given nothing makes what he gives of what is kept, if of anything. *)
let rec is_given_nothing e =
  let is_nothing (_, p) =
    match p.ppat_desc with
    | Ppat_construct ({ txt = Longident.Lident "()"; _ }, _) -> true
    | _ -> false
  in
  match Functions.opened e with
  | Some (parameters, Body body) ->
    List.for_all is_nothing parameters
    && ((not (Functions.is_function body)) || is_given_nothing body)
  | _ -> false

let is_literal = function Never | Known _ | Text _ | Block _ -> true | _ -> false

let is_untouched b value =
  untouched value && (is_literal value || not (is_given_nothing (plain b.pvb_expr)))

let is_name e = match e.pexp_desc with Pexp_ident _ -> true | _ -> false

(* Does a program that runs by itself print something of what it reads? *)
let prints program =
  let program = Pruning.pruned program in
  let s = start ~whole:true program in
  let found = followed s program (fun _ _ -> false) (fun _ _ -> false) in
  found = None || s.prints

let idle ~whole program =
  let s = start program in
  match followed s program (fun _ value -> not (is_made value)) is_untouched with
  | None -> nothing
  | Some (names, untouched_names) ->
    (* Another name for what nobody knows may be meant for anything. *)
    let s' = start ~unknown:Constant program in
    (* Where something is done in vain, a mistake may have made it so. *)
    let is_apart b value =
      (arity (plain b.pvb_expr) > 0 || not (Syntax.exists is_name b.pvb_expr))
      && untouched value && not s'.works
    in
    let apart = followed s' program is_apart is_apart in
    { names; untouched = untouched_names; printed = whole && not (prints program);
      apart = Option.fold ~none:Set.empty ~some:snd apart }
