open Parsetree
open Values
open Origins

type flow = {
  value : state -> env -> expression -> Values.t;
  func : state -> env -> Values.t list -> expression -> Values.t;
  call : state -> env -> expression -> (Asttypes.arg_label * argument) list -> Values.t;
}

(* Does a function give one of its parameters back, or a constant? *)
let rec is_bare e =
  match (Functions.opened e, e.pexp_desc) with
  | Some (_, Body body), _ -> is_bare (plain body)
  | Some (_, Cases _), _ -> false
  | None, (Pexp_ident _ | Pexp_constant _ | Pexp_construct (_, None)) -> true
  | None, _ -> false

let is_bare = function Expression e -> is_bare (plain e) | Value _ -> false

let is_hidden env e =
  match e.pexp_desc with
  | Pexp_ident { txt; _ } -> env.blind > 0 || List.mem (List.hd (Compat.components txt)) env.own
  | _ -> false

(* What is not followed may be made of what is named in it. *)
let lost s env e =
  let found = List.map (fun (c : cell) -> blur c.value) (mentioned s env e) in
  lose s env e;
  all (s.unknown :: found)

let given flow s env = function Expression e -> flow.value s env e | Value v -> v

(* What a function gives that is handed to a library's, which calls it with these values. *)
let handed flow s env argument values =
  let labelled = List.map (fun v -> (Asttypes.Nolabel, Value v)) values in
  match argument with
  | Value v -> all (applied v values :: List.map blur values)
  | Expression e -> (
    let e = plain e in
    match e.pexp_desc with
    | _ when Functions.is_function e -> flow.func s env values e
    | Pexp_ident _ | Pexp_apply _ -> flow.call s env e labelled
    | _ -> all (List.map blur (flow.value s env e :: values)))

(* What stands for the variables of a type in such a value: of an empty list nothing does. *)
let rec contents add t v =
  let rest () = List.iter (fun var -> add var (blur v)) (Library.variables t) in
  match (Views.desc t, v) with
  | Tvar _, _ -> add (Views.id t) v
  | Tconstr (_, [ _ ], _), Block (("[]" | "[||]" | "None"), []) -> ()
  | Tconstr (_, [ a ], _), Block ("Some", [ part ]) -> contents add a part
  | Tconstr (_, [ a ], _), Block ("lazy", [ Function part ]) -> contents add a part
  | Tconstr (_, [ a; _ ], _), Block (("Ok" | "Left"), [ part ]) -> contents add a part
  | Tconstr (_, [ _; a ], _), Block (("Error" | "Right"), [ part ]) -> contents add a part
  | Tconstr (_, [ a ], _), Block ("::", [ Block ("", [ head; tail ]) ]) ->
    contents add a head;
    contents add t tail
  | (Ttuple _ as desc), Block ("", parts) ->
    let types = List.map snd (Compat.tuple_type desc) in
    if List.compare_lengths types parts = 0 then List.iter2 (contents add) types parts
    else rest ()
  | _ -> rest ()

(* A list of what never is has nothing in it, nor one of pairs with that. *)
let is_of_never label t =
  let rec never_is t =
    match Views.desc t with
    | Tvar _ -> label (Views.id t) = Never
    | Ttuple _ as desc -> List.exists (fun (_, t) -> never_is t) (Compat.tuple_type desc)
    | _ -> false
  in
  match Views.desc t with
  | Tconstr (_, (_ :: _ as parts), _) -> List.for_all never_is parts
  | _ -> false

(* Nothing is in what was made just for this, as in [Stack.pop (Stack.create ())]. *)
let is_new env t argument =
  match (Views.desc t, argument) with
  | Tconstr _, Expression e -> (
    match (plain e).pexp_desc with
    | Pexp_apply (f, _) -> (
      match identifier env f with
      | Some (Standard ([ ("Hashtbl" | "Queue" | "Stack"); "create" ], _)) -> true
      | _ -> false)
    | _ -> false)
  | _ -> false

(* Is what is written into there for the function alone that it is used in? *)
let is_local env t argument =
  match argument with
  | Expression e when not (Library.is_channel t || Library.is_format t) -> (
    match identifier env (plain e) with Some (Own c) -> not c.outlives | _ -> false)
  | _ -> false

(* May a format take arguments? *)
let takes_some = function
  | Expression ({ pexp_desc = Pexp_constant _; _ } as e) ->
    String.contains (Values.written e) '%'
  | _ -> true

let last path = List.nth path (List.length path - 1)

let counts path = List.mem (last path) [ "length"; "code" ]

let rec typed flow s env path t arguments =
  let parameters, result = Library.arrows t in
  let found, waiting, left = Library.matched parameters arguments in
  let takes_none t = fst (Library.arrows t) = [] in
  let data, functions = List.partition (fun (t, _) -> takes_none t) found in
  if waiting <> [] then
    let rest = List.map (fun (label, _) -> (label, Value Made)) waiting in
    func (List.length waiting) (typed flow s env path t (arguments @ rest))
  else
  let values = List.map (fun (t, a) -> (t, given flow s env a)) data in
  let others = List.map (given flow s env) left in
  if last path <> "ignore" then
    List.iter (take_up s) (List.map snd values @ others);
  if List.exists (fun (_, v) -> v = Never) values || List.mem Never others then Never
  else begin
    let labels = Hashtbl.create 4 in
    let label v = Option.value ~default:Never (Hashtbl.find_opt labels v) in
    let add v value = Hashtbl.replace labels v (join (label v) value) in
    (* What a format takes is there for who gets its text. *)
    let known = blur (all (Constant :: (List.map snd values @ others))) in
    let fill (t, argument) (_, value) =
      if functions <> [] || not (is_new env t argument) then contents add t value
    in
    List.iter2 fill data values;
    let inside = driven env known in
    let adds_up parameters result gives argument =
      gives <> Never && is_made known && (not (is_bare argument))
      && List.exists
           (fun v -> List.exists (fun (_, t) -> List.mem v (Library.variables t)) parameters)
           (Library.variables result)
    in
    let answer (t, argument) =
      let parameters, result = Library.arrows t in
      let takes () =
        List.map
          (fun (_, t) ->
            match Library.variables t with [] -> known | found -> all (List.map label found))
          parameters
      in
      (* With nothing to hand to it, it is not called. *)
      let gives =
        if List.mem Never (takes ()) then Never else handed flow s inside argument (takes ())
      in
      let gives = if adds_up parameters result gives argument then Made else gives in
      contents add result gives;
      (* What it takes may be what it gave; the next round looks at that. *)
      (match argument with
       | Expression e -> feed s inside (plain e) (takes ())
       | Value _ -> ());
      gives
    in
    (* One may take what another that stands behind it gives. *)
    let first = List.map answer functions in
    let answers = if List.mem Never first then List.map answer functions else first in
    let gives = match Views.desc result with Tvar _ -> label (Views.id result) | _ -> Made in
    (* One of several arguments, as of [min], is no longer what is given. *)
    let gives = if List.length arguments > 1 && gives = Given then Made else gives in
    match (gives, Foregone.gives path answers (List.map snd values)) with
    | _, Some found when left = [] -> found
    | (Never | Function _), _ when left <> [] -> applied gives others
    | _ ->
    let everything = blur (all (known :: (answers @ others))) in
    let outlet = Outlets.of_call path (List.map2 (fun (t, _) (_, v) -> (t, v)) data values) in
    let write () =
      match outlet with Output -> print s | Elsewhere -> act s | Nowhere -> ()
    in
    let formats = List.filter (fun (t, _) -> Library.is_format t) data in
    if (Library.is_unit result || left <> [] || outlet = Output) && outlet <> Nowhere then begin
      written s env [ everything ]
        (List.filter_map (fun (t, a) -> if Library.may_change t then Some a else None) data);
      (* Who prints what is given, or as it says, has done something with it; who puts it into
         what is his own has not. *)
      if
        (functions = [] || formats <> [])
        && (is_made everything || env.driven || (outlet = Output && asks everything))
        && not (List.exists (fun (t, a) -> Library.may_change t && is_local env t a) data)
      then write ()
    end;
    match Views.desc result with
    | Tvar _ when left = [] && List.exists (fun (_, a) -> takes_some a) formats ->
      (* What it prints is to come. *)
      if functions = [] then write () else print s;
      Made
    | Tvar _ when left = [] ->
      (* A text without arguments is printed at once, as what is given decides. *)
      if formats <> [] && env.driven then write ();
      gives
    | _ when Library.is_unit result || (left = [] && is_of_never label result) -> Constant
    | _ when left = [] && counts path && is_made everything -> Natural
    | _ -> join Constant everything
  end

let result flow s env path t arguments =
  let name = match path with [ name ] | [ "Stdlib"; name ] -> name | _ -> "" in
  match (name, arguments) with
  | ("&&" | "||"), [ (_, a); (_, b) ] -> (
    let a = given flow s env a in
    take_up s a;
    match (name, a) with
    | _, Never -> Never
    | "&&", Known 0 | "||", Known 1 -> Known (Bool.to_int (name = "||"))
    | _, Known _ -> given flow s env b
    | _, a -> (
      match (name, given flow s (driven env a) b) with
      | "&&", Known 0 | "||", Known 1 -> Known (Bool.to_int (name = "||"))
      | _, b -> join a b))
  | "not", [ (_, a) ] -> (
    match given flow s env a with
    | Known n -> Known (1 - n)
    | v -> blur v)
  | "ref", [ (_, a) ] when not s.mutates -> block "ref" [ given flow s env a ]
  | "!", [ (_, a) ] -> (
    match given flow s env a with
    | Block ("ref", [ inside ]) -> inside
    | v -> typed flow s env path t [ (Asttypes.Nolabel, Value v) ])
  | _, [ (_, Expression a); (_, Expression b) ] when is_folded name -> (
    let operands = (flow.value s env a, flow.value s env b) in
    match operands with
    | Never, _ | _, Never -> Never
    | x, y ->
      List.iter (take_up s) [ x; y ];
      Option.value ~default:(built [ x; y ]) (folded env name a b operands))
  | ("~-" | "~+"), [ (_, a) ] -> (
    match (name, given flow s env a) with
    | "~-", Known n -> Known (-n)
    | "~+", v -> v
    | _, v -> blur v)
  | _ when Library.reads path || (s.whole && last path = "flush_str_formatter") ->
    List.iter (fun (_, a) -> ignore (given flow s env a)) arguments;
    s.changed <- s.changed || not s.reads;
    s.reads <- true;
    Made
  | "@@", [ (_, Expression f); (label, a) ] | "|>", [ (label, a); (_, Expression f) ] ->
    flow.call s env f [ (label, a) ]
  | _ -> (
    match if arguments = [] then Foregone.constant path else None with
    | Some found -> found
    | None -> typed flow s env path t arguments)
