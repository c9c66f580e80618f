open Parsetree
open Origins

let deepest = 1_000

(* Does a function give one of its parameters back, or a constant? *)
let rec is_bare e =
  match (Functions.opened e, e.pexp_desc) with
  | Some (_, Body body), _ -> is_bare (plain body)
  | Some (_, Cases _), _ -> false
  | None, (Pexp_ident _ | Pexp_constant _ | Pexp_construct (_, None)) -> true
  | None, _ -> false

let is_bare = function Expression e -> is_bare (plain e) | Value _ -> false

let is_exception p = match p.ppat_desc with Ppat_exception _ -> true | _ -> false

let rec value s env e =
  s.depth <- s.depth + 1;
  if s.depth > deepest then raise Lost;
  step s;
  let found = expression s env (plain e) in
  s.depth <- s.depth - 1;
  found

and behind s env first e = if value s env first = Never then Never else value s env e

and expression s env e =
  let parts es = built (List.map (value s env) es) in
  match e.pexp_desc with
  | Pexp_ident _ -> (
    match identifier env e with
    | Some (Own cell) when cell.arity > 0 -> take s cell ~driven:true []; join Constant cell.value
    | Some (Own cell) -> cell.value
    | Some (Standard (path, t)) -> library s env path t []
    | _ -> Made)
  | Pexp_constant c -> (
    match int_of_string_opt (Constants.integer c) with Some n -> Known n | None -> Constant)
  | Pexp_construct ({ txt = Longident.Lident "true"; _ }, None) -> Known 1
  | Pexp_construct ({ txt = Longident.Lident "false"; _ }, None) -> Known 0
  | Pexp_construct (_, part) | Pexp_variant (_, part) -> parts (Option.to_list part)
  | Pexp_array es -> parts es
  | Pexp_record (fields, base) -> parts (List.map snd fields @ Option.to_list base)
  | Pexp_field (e, _) -> value s env e
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
      join (value s env yes) (otherwise env))
  | Pexp_while (asked, body) -> (
    match value s env asked with
    | Never -> Never
    | Known 0 -> Constant
    | found ->
      (* What ends it, if only an exception, is up to what is given. *)
      ignore (value s (driven env Made) body);
      (match found with Known _ -> Never | _ -> Constant))
  | Pexp_for (pattern, first, last, _, body) ->
    let bounds = parts [ first; last ] in
    if bounds <> Never then
      ignore (value s (driven (bind_pattern s env pattern bounds) bounds) body);
    if bounds = Never then Never else Constant
  | Pexp_match (matched, cases) ->
    let found = value s env matched in
    if found = Never && not (List.exists (fun c -> is_exception c.pc_lhs) cases) then Never
    else all (List.map (case s env found) cases)
  | Pexp_try (e, cases) -> join (value s env e) (all (List.map (case s env Made) cases))
  | Pexp_let (recursive, bindings, body) ->
    let env, ended = definitions s env recursive bindings in
    if ended then Never else value s env body
  | Pexp_apply (f, arguments) ->
    call s env f (List.map (fun (label, e) -> (label, Expression e)) arguments)
  | Pexp_assert asked -> (
    match value s env asked with Never | Known 0 -> Never | _ -> Constant)
  | Pexp_lazy e -> join Constant (value s env e)
  | _ when Functions.is_function e ->
    join Constant (func s { env with driven = true; asking = false } [] ~rest:Made e)
  | _ -> (
    match (Compat.tuple e, Scopes.local e) with
    | _ :: _ as es, _ -> parts es
    | [], Some (Open o, body) -> value s (opening env o.popen_expr) body
    | [], Some (Module ({ txt; _ }, m), body) ->
      lose_within s env (fun self -> self.module_expr self m);
      value s { env with own = Option.to_list txt @ env.own } body
    | [], Some (_, body) -> value s env body
    | [], None -> lose s env e; Made)

(* What a function gives that takes these values, and behind them others such as [rest]. *)
and func s env values ~rest e =
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
    | Body body, _ -> func s env values ~rest (plain body)
    | Cases cases, first :: _ -> all (List.map (case s env first) cases)
    | Cases cases, [] -> all (List.map (case s env rest) cases))

and case s env found c =
  let found = if is_exception c.pc_lhs then Made else found in
  let env = driven (bind_pattern s env c.pc_lhs found) found in
  match Option.map (value s env) c.pc_guard with
  | Some (Never | Known 0) -> Never
  | _ -> value s env c.pc_rhs

(* Definitions by [let], and whether what stands behind them is never reached.  [hear] gets
   each of them with what it gives. *)
and definitions ?(top = false) ?(hear = fun _ _ -> ()) s env recursive bindings =
  let ended = ref false in
  let named b =
    match (variable b.pvb_pat, plain b.pvb_expr) with
    | Some (name, loc), e when Functions.is_function e ->
      let found = cell s ~arity:(arity e) loc name in
      if top then take s found ~driven:false [];
      Some (name, found)
    | _ -> None
  in
  let bind_function env b =
    match named b with
    | Some (name, found) ->
      let env = bind env name found in
      { env with within = found :: env.within }
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
      raise_to s found (func s body found.takes ~rest:Made e);
      hear b found.value;
      bind env name found
    | None, Some (name, _), Some (Own found) ->
      if top then take s found ~driven:false [];
      hear b found.value;
      bind env name found
    | _ ->
      let found = value s inside e in
      if found = Never then ended := true;
      hear b found;
      let sources = mentioned s inside e in
      let outlives = top || List.exists (fun (c : cell) -> c.outlives) sources in
      bind_pattern s ~outlives ~sources env b.pvb_pat found
  in
  let env = List.fold_left define env bindings in
  (env, !ended)

and given s env = function Expression e -> value s env e | Value v -> v

and call s env f arguments =
  let f = plain f in
  let known ?acts values result =
    if List.mem Never values then Never
    else (written s ?acts env values (List.map snd arguments); result ())
  in
  let values () = List.map (fun (_, a) -> given s env a) arguments in
  match (f.pexp_desc, identifier env f) with
  | Pexp_apply (g, first), _ ->
    call s env g (List.map (fun (label, e) -> (label, Expression e)) first @ arguments)
  | _, Some (Standard (path, t)) -> library s env path t arguments
  | _, Some (Own cell) when cell.arity > 0 ->
    let values = values () in
    let result () =
      let waits = List.compare_length_with arguments cell.arity < 0 in
      let positional = List.for_all (fun (label, _) -> label = Asttypes.Nolabel) arguments in
      (* What waits for more takes these as they are, and anything for those to come. *)
      let rest = if waits then Made else all (Constant :: values) in
      take s cell ~driven:(waits || env.driven) ~rest (if waits && positional then values else []);
      if waits then join Constant cell.value
      else if
        List.memq cell env.within && List.mem Made values && (cell.value <> Never || env.asking)
      then
        (* How often it calls itself is up to what is given, as where it counts. *)
        Made
      else cell.value
    in
    known ~acts:false values result
  | _, Some Unknown ->
    List.iter (function _, Expression e -> lose s env e | _ -> ()) arguments;
    Made
  | _ when Functions.is_function f ->
    let values = values () in
    known ~acts:false values (fun () -> func s (driven env (all values)) values ~rest:Made f)
  | _ ->
    let values = value s env f :: values () in
    known values (fun () -> built values)

and library s env path t arguments =
  let name = match path with [ name ] | [ "Stdlib"; name ] -> name | _ -> "" in
  match (name, arguments) with
  | ("&&" | "||"), [ (_, a); (_, b) ] -> (
    match (name, given s env a) with
    | _, Never -> Never
    | "&&", Known 0 | "||", Known 1 -> Known (Bool.to_int (name = "||"))
    | _, Known _ -> given s env b
    | _, a -> join a (given s (driven env a) b))
  | _, [ (_, Expression a); (_, Expression b) ] when is_folded name -> (
    let operands = (value s env a, value s env b) in
    match operands with
    | Never, _ | _, Never -> Never
    | x, y ->
      Option.value ~default:(all [ Constant; x; y ]) (folded env name a b operands))
  | _ when Library.reads path ->
    List.iter (fun (_, a) -> ignore (given s env a)) arguments;
    Made
  | _ -> typed s env name t arguments

(* What a library's function gives, by its type. *)
and typed s env name t arguments =
  let parameters, result = Library.arrows t in
  let found, waiting, left = Library.matched parameters arguments in
  let takes_none t = fst (Library.arrows t) = [] in
  let data, functions = List.partition (fun (t, _) -> takes_none t) found in
  if waiting <> [] then
    let rest = List.map (fun (label, _) -> (label, Value Made)) waiting in
    join Constant (typed s env name t (arguments @ rest))
  else
  let values = List.map (fun (t, a) -> (t, given s env a)) data in
  let others = List.map (given s env) left in
  if List.exists (fun (_, v) -> v = Never) values || List.mem Never others then Never
  else begin
    let labels = Hashtbl.create 4 in
    let label v = Option.value ~default:Never (Hashtbl.find_opt labels v) in
    let add v value = Hashtbl.replace labels v (join (label v) value) in
    let known = all (Constant :: List.map snd values) in
    List.iter (fun (t, value) -> List.iter (fun v -> add v value) (Library.variables t)) values;
    let inside = driven env known in
    let answers =
      List.map
        (fun (t, argument) ->
          let parameters, result = Library.arrows t in
          let takes () =
            List.map
              (fun (_, t) ->
                match Library.variables t with [] -> known | found -> all (List.map label found))
              parameters
          in
          let gives = handed s inside argument (takes ()) in
          let accumulates =
            gives <> Never && known = Made && (not (is_bare argument))
            && List.exists
                 (fun v -> List.exists (fun (_, t) -> List.mem v (Library.variables t)) parameters)
                 (Library.variables result)
          in
          let gives = if accumulates then Made else gives in
          List.iter (fun v -> add v gives) (Library.variables result);
          (* What it takes may be what it gave; the next round looks at that. *)
          (match argument with
           | Expression e -> feed s inside (plain e) (takes ())
           | Value _ -> ());
          gives)
        functions
    in
    let everything = all (known :: (answers @ others)) in
    if Library.is_unit result || left <> [] then begin
      written s env [ everything ]
        (List.filter_map (fun (t, a) -> if Library.may_change t then Some a else None) data);
      (* Who prints what is given, or as it says, has done something with it. *)
      if functions = [] && name <> "ignore" && (everything = Made || env.driven) then act s
    end;
    match Views.desc result with
    | Tvar _ when left = [] && List.exists (fun (t, a) -> Library.is_format t && takes_some a) data
      ->
      (* What it prints is to come. *)
      act s;
      Made
    | Tvar _ when left = [] -> label (Views.id result)
    | _ -> if Library.is_unit result then Constant else join Constant everything
  end

(* What a function gives that is handed to a library's, which calls it with these values. *)
and handed s env argument values =
  let labelled = List.map (fun v -> (Asttypes.Nolabel, Value v)) values in
  match argument with
  | Value v -> all (v :: values)
  | Expression e -> (
    let e = plain e in
    match e.pexp_desc with
    | _ when Functions.is_function e -> func s env values ~rest:Made e
    | Pexp_ident _ | Pexp_apply _ -> call s env e labelled
    | _ -> all (value s env e :: values))
