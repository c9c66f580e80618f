open Parsetree
open Values
open Origins

let deepest = 1_000

let is_exception p = match p.ppat_desc with Ppat_exception _ -> true | _ -> false

let rec value s env e =
  s.depth <- s.depth + 1;
  if s.depth > deepest then raise Lost;
  step s;
  let found = expression s env (Syntax.as_call (plain e)) in
  s.depth <- s.depth - 1;
  found

and behind s env first e =
  match value s env first with
  | Never -> Never
  (* A guard that may raise has asked. *)
  | first -> if is_chosen first then choose (value s env e) else value s env e

and expression s env e =
  let parts es = built (List.map (value s env) es) in
  let whole name es = block name (List.map (value s env) es) in
  match e.pexp_desc with
  | Pexp_ident _ -> (
    match identifier env e with
    | Some (Own cell) when cell.arity > 0 ->
      take s cell ~driven:true [];
      func cell.arity cell.value
    | Some (Own cell) -> cell.value
    | Some (Standard (path, t)) -> Supply.result flow s env path t []
    | _ -> of_unknown s env e)
  | Pexp_constant _ -> constant e
  | Pexp_construct ({ txt = Longident.Lident "true"; _ }, None) -> Known 1
  | Pexp_construct ({ txt = Longident.Lident "false"; _ }, None) -> Known 0
  | Pexp_construct ({ txt; _ }, part) -> whole (Syntax.last_name txt) (Option.to_list part)
  | Pexp_variant (label, part) -> whole ("`" ^ label) (Option.to_list part)
  | Pexp_array [] -> block "[||]" []
  | Pexp_array es -> parts es
  | Pexp_record (fields, None) when not s.mutates -> whole (record fields) (List.map snd fields)
  | Pexp_record (fields, base) -> parts (List.map snd fields @ Option.to_list base)
  | Pexp_field (e, { txt; _ }) ->
    let v = value s env e in
    take_up s v;
    field txt v
  | Pexp_setfield (record, _, e) ->
    let values = [ value s env record; value s env e ] in
    written s env values [ Expression record ];
    if List.mem Never values then Never else Constant
  | Pexp_sequence (first, second) -> behind s env first second
  | Pexp_ifthenelse (asked, yes, no) -> (
    let otherwise env = match no with Some no -> value s env no | None -> Constant in
    match value s env asked with
    | Never -> Never
    | Known 0 -> otherwise env
    | Known _ -> value s env yes
    | found ->
      let env = driven env found in
      let gives = join (value s env yes) (otherwise env) in
      take_up s found;
      if asks found then choose gives else gives)
  | Pexp_while (asked, body) -> (
    match value s env asked with
    | Never -> Never
    | Known 0 -> Constant
    | found ->
      (* What ends it, if only an exception, is up to what is given. *)
      let body = value s (driven env Made) body in
      (* Who asks for a reference has forgotten to change it. *)
      let forgets = Syntax.exists (Syntax.is_named [ "!" ]) asked in
      (match found with
       | Known _ when not forgets -> Never
       | found -> looped found body))
  | Pexp_for (pattern, first, last, direction, body) -> (
    match (value s env first, value s env last, direction) with
    | Never, _, _ | _, Never, _ -> Never
    | Known first, Known last, Asttypes.Upto when first > last -> Constant
    | Known first, Known last, Asttypes.Downto when first < last -> Constant
    | first, last, _ ->
      let bounds = built [ first; last ] in
      looped bounds (value s (driven (bind_pattern s env pattern bounds) bounds) body))
  | Pexp_match (matched, found) ->
    let found = Raising.taken env matched found in
    let is_caught = List.exists (fun c -> is_exception c.pc_lhs) found in
    let matched = value s env matched in
    if matched = Never && not is_caught then Never else cases s env matched found
  | Pexp_try (e, found) ->
    let found = Raising.taken ~handler:true env e found in
    join (value s env e) (cases ~chooses:false s env Made found)
  | Pexp_let (recursive, bindings, body) ->
    let asked = ref false in
    let hear b v = if is_chosen v && variable b.pvb_pat = None then asked := true in
    let env, ended = definitions ~hear s env recursive bindings in
    if ended then Never else if !asked then choose (value s env body) else value s env body
  | Pexp_apply (f, arguments) ->
    call s env f (List.map (fun (label, e) -> (label, Expression e)) arguments)
  | Pexp_assert asked -> (
    match value s env asked with
    | Never | Known 0 -> Never
    | found -> if asks found then Chosen else Constant)
  | Pexp_lazy e -> block "lazy" [ func 1 (value s env e) ]
  | Pexp_send (e, { txt; _ }) ->
    let v = value s env e in
    (match v with Block _ -> () | v -> take_up s v);
    Methods.sent s env v txt
  | Pexp_object structure -> Methods.obj flow s env structure
  | Pexp_new { txt; _ } -> Methods.made_new s txt
  | Pexp_setinstvar ({ txt; _ }, e) -> (
    match value s env e with Never -> Never | v -> Methods.assign s env txt v; Constant)
  | _ when Functions.is_function e ->
    let env = { env with driven = env.driven || s.unknown = Made; asking = false } in
    func (arity e) (given_to s env [] ~rest:s.unknown e)
  | _ -> (
    match (Compat.tuple e, Scopes.local e) with
    | _ :: _ as es, _ -> whole "" es
    | [], Some (Open { popen_expr = m; _ }, body) ->
      let within = s.local_module s env Values.nameless m in
      value s (Option.value ~default:(opening env m) within) body
    | [], Some (Module ({ txt; _ }, m), body) -> (
      match Option.bind txt (fun name -> s.local_module s env name m) with
      | Some env -> value s env body
      | None ->
        lose_within s env (fun self -> self.module_expr self m);
        value s { env with own = Option.to_list txt @ env.own } body)
    | [], Some (_, body) -> value s env body
    | [], None -> Supply.lost s env e)

and flow =
  { Supply.value = (fun s env e -> value s env e);
    func = (fun s env values e -> given_to s env values ~rest:Made e);
    call = (fun s env f arguments -> call s env f arguments) }

(* What a function gives that takes these values, and behind them others such as [rest]. *)
and given_to s env values ~rest e =
  match Functions.opened e with
  | None -> value s env e
  | Some (parameters, body) -> (
    let bind_one (env, values) (by_default, pattern) =
      let given, values =
        match values with first :: others -> (first, others) | [] -> (rest, [])
      in
      let given = all (given :: List.map (value s env) (Option.to_list by_default)) in
      (bind_pattern s env pattern given, values)
    in
    let env, values = List.fold_left bind_one (env, values) parameters in
    match (body, values) with
    | Body body, _ -> given_to s env values ~rest (plain body)
    | Cases found, first :: _ -> cases s env first found
    | Cases found, [] -> cases s env rest found)

(* Cases that the value never comes to give nothing; where it comes to one alone, whatever it
   is, it decides nothing. *)
and cases ?(chooses = true) s env found cs =
  let given c = if is_exception c.pc_lhs then Made else found in
  let is_dead c =
    let guard = Option.map (value s (bind_pattern s env c.pc_lhs (given c))) c.pc_guard in
    guard = Some Never || guard = Some (Known 0)
  in
  let rec live = function
    | [] -> []
    | c :: rest when is_exception c.pc_lhs -> c :: live rest
    | c :: rest -> (
      match fits c.pc_lhs found with
      | No -> live rest
      | _ when is_dead c -> live rest
      | Yes when c.pc_guard = None -> c :: List.filter (fun c -> is_exception c.pc_lhs) rest
      | _ -> c :: live rest)
  in
  let case ~decides c =
    let env = bind_pattern s env c.pc_lhs (given c) in
    let env = if decides then driven env (given c) else env in
    if is_dead c then Never else value s env c.pc_rhs
  in
  match live cs with
  | [ ({ pc_guard = None; _ } as c) ] when fits c.pc_lhs found = Yes -> case ~decides:false c
  | live ->
    let gives = all (List.map (case ~decides:true) live) in
    let is_sure = function { pc_guard = None; pc_lhs; _ } -> fits pc_lhs found = Yes | _ -> false in
    let is_one =
      match List.filter (fun c -> not (is_exception c.pc_lhs)) live with
      | [ c ] -> is_sure c
      | _ -> false
    in
    if chooses && not is_one then take_up s found;
    if chooses && ((asks found && not is_one) || List.exists (fun c -> c.pc_guard <> None) live)
    then choose gives
    else gives

(* Definitions by [let], and whether what stands behind them is never reached.  [hear] gets
   each of them with what it gives. *)
and definitions ?(top = false) ?(hear = fun _ _ -> ()) s env recursive bindings =
  let ended = ref false in
  let named b =
    match (variable b.pvb_pat, plain b.pvb_expr) with
    | Some (name, loc), e when Functions.is_function e ->
      let found = cell s ~arity:(arity e) ~omits:(omits e) loc name in
      if top && not s.whole then offer s found ~driven:false ~rest:Given [];
      Some (name, found)
    | _ -> None
  in
  let names b = Names.Set.elements (Names.pattern_names b.pvb_pat) in
  let calls_them = Syntax.exists (Syntax.is_named (List.concat_map names bindings)) in
  let bind_function env b =
    match named b with
    | Some (name, found) ->
      let env = bind env name found in
      (* What calls none of them does not come back to itself. *)
      if calls_them b.pvb_expr then { env with within = found :: env.within } else env
    | None -> env
  in
  let inside =
    if recursive = Asttypes.Recursive then List.fold_left bind_function env bindings else env
  in
  let define env b =
    let e = plain b.pvb_expr in
    match (named b, variable b.pvb_pat, identifier inside e) with
    | Some (name, found), _, _ ->
      let body = { inside with driven = found.driven; asking = false } in
      attributed s found (fun () -> given_to s body found.takes ~rest:Made e) (hear b);
      bind env name found
    | None, Some (name, _), Some (Own found) ->
      if top && not s.whole then offer s found ~driven:false ~rest:Given [];
      heard s found (hear b);
      bind env name found
    | None, Some (name, loc), Some (Standard (path, t)) when fst (Library.arrows t) <> [] ->
      hear b (value s inside e);
      bind env name (cell s ~alias:(path, t) loc name)
    | _ ->
      let found = value s inside e in
      if found = Never then ended := true;
      let sources = mentioned s inside e in
      let outlives = top || List.exists (fun (c : cell) -> c.outlives) sources in
      let env = bind_pattern s ~outlives ~sources env b.pvb_pat found in
      hear b (kept env b.pvb_pat found);
      (* A pattern that may not match is a condition. *)
      if top || fits b.pvb_pat found = Yes then env else driven env found
  in
  let env = List.fold_left (fun env b -> apart s ~top (fun () -> define env b)) env bindings in
  (env, !ended)

and given s env = function Expression e -> value s env e | Value v -> v

and call s env f arguments =
  let f = plain f in
  let known ?acts values result =
    List.iter (take_up s) values;
    if List.mem Never values then Never
    else (written s ?acts env values (List.map snd arguments); result ())
  in
  let values () = List.map (fun (_, a) -> given s env a) arguments in
  match (f.pexp_desc, identifier env f) with
  | Pexp_apply (g, first), _ ->
    call s env g (List.map (fun (label, e) -> (label, Expression e)) first @ arguments)
  | _, Some (Standard (path, t)) -> Supply.result flow s env path t arguments
  | _, Some (Own cell) when cell.arity > 0 ->
    let values = values () in
    let is_plain = List.for_all (fun (label, _) -> label = Asttypes.Nolabel) arguments in
    let lacking = cell.arity - List.length arguments in
    let result () =
      if lacking > 0 && not cell.omits then
        (* What waits for more takes these as they are, and anything for those to come. *)
        take s cell ~driven:true (if is_plain then values else [])
      else begin
        (* What is left out may be None. *)
        let others = if is_plain && lacking = 0 then [] else [ Constant ] in
        take s cell ~driven:env.driven ~rest:(all (others @ values)) []
      end;
      if lacking > 0 then func lacking cell.value
      else if
        List.memq cell env.within
        && (List.exists is_made values || (s.mutates && env.asking))
        && (cell.value <> Never || env.asking || (s.whole && s.reads))
      then
        (* How often it calls itself is up to what is given, as where it counts; what it asks may
           change, and what is read has an end. *)
        Made
      else applied cell.value (List.filteri (fun n _ -> n >= cell.arity) values)
    in
    known ~acts:false values result
  | _, Some Unknown ->
    let gets = join (of_unknown s env f) (built (values ())) in
    take_up s gets;
    if is_made gets then
      List.iter (function _, Expression e -> lose s env e | _ -> ()) arguments;
    (* What nobody knows may print what it gets. *)
    let does = env.driven || (s.whole && Supply.is_hidden env f) in
    if does || List.exists is_made (values ()) then print s;
    if gets = Never then Never else blur gets
  | _ when Functions.is_function f ->
    let values = values () in
    known ~acts:false values (fun () -> given_to s (driven env (all values)) values ~rest:Made f)
  | _ ->
    let f = value s env f and values = values () in
    (* What a known function does was seen in its body. *)
    let acts = match f with Function _ -> false | _ -> true in
    known ~acts (f :: values) (fun () -> applied f values)

let classes s env declared = Methods.classes flow s env declared
