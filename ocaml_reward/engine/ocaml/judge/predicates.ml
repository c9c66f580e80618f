(* Evaluates the tests' own predicates in the oracle program, on values returned by the code. *)

open Parsetree
open Ast_helper
open Syntax
open Formula
open Binding_time
open Check_parts
module Set = Names.Set

(* A call that returns the rebuilt value with this number. *)
let returned_value number =
  let shape = Exp.constant (Const.string "") in
  call (value (within Units.rebuild "returned_value")) [ shape; int number ]

(* The parameter that stands for a returned value: a let-bound one would have a fresh type at each
   use, and no shape. *)
let parameter number = "*returned_value" ^ string_of_int number

(* The value of this parameter. *)
let taken number = call (value (lident (parameter number))) [ unit ]

(* The expression [rest] with this parameter bound. *)
let bind_returned rest number =
  let f = Function_compat.lambda (Pat.var (nowhere (parameter number))) rest in
  call f [ thunk (returned_value number) ]

(* Whether it is only known at run time if the parts are evaluated, how often and under which
   handlers. *)
let postpones e =
  Function_compat.is_function e || Scope_compat.local e <> None
  ||
  match e.pexp_desc with
  | Pexp_lazy _ | Pexp_try _ | Pexp_while _ | Pexp_for _ | Pexp_object _ | Pexp_letop _ -> true
  | Pexp_match (_, cases) ->
    List.exists (fun case -> exception_pattern case <> None) cases
  | _ -> false

(* A statement that sends these values.  All are computed before any is sent, as a later call may
   mutate an earlier result. *)
let send_all = function
  | [ (_, _, sending) ] -> sending
  | query ->
    let name number = "*query" ^ string_of_int number in
    let forced number =
      let found = Pat.var (nowhere "*found") in
      Exp.match_ (value (lident (name number)))
        [ Exp.case (Pat.lazy_ found) (value (lident "*found")) ]
    in
    let tried number =
      Exp.try_ (ignored (forced number)) [ Exp.case (Pat.any ()) unit ]
    in
    let hand all (number, _, _) = before all (send ~whole:true number (forced number)) in
    List.fold_right
      (fun (number, e, _) rest ->
        Exp.let_ Asttypes.Nonrecursive
          [ Vb.mk (Pat.var (nowhere (name number))) (Exp.lazy_ e) ]
          (Exp.sequence (tried number) rest))
      query
      (List.fold_left hand unit query)

(* Raises In_process for a branch with calls whose answers decide whether it is reached; returns
   false. *)
let branch c e =
  (match (e.pexp_desc, called c e) with
   | Pexp_ifthenelse (first, yes, no), _ ->
     require_unconditional c first yes;
     Option.iter (require_unconditional c first) no
   | Pexp_match (first, cases), _ | Pexp_try (first, cases), _ ->
     List.iter
       (fun case ->
         Option.iter (require_unconditional c first) case.pc_guard;
         require_unconditional c first case.pc_rhs)
       cases
   | _, Some (("&&" | "&" | "||" | "or"), [ (_, a); (_, b) ]) -> require_unconditional c a b
   | _ -> ());
  false

(* Whether the parts of an expression are evaluated from the right. *)
let is_from_the_right c e =
  match (e.pexp_desc, called c e) with
  | _, Some (("&&" | "&" | "||" | "or" | "|>"), _) -> false
  | (Pexp_apply _ | Pexp_tuple _ | Pexp_construct _ | Pexp_array _ | Pexp_record _), _ -> true
  | _ -> false

(* Maps the parts of an expression, from the right. *)
let from_the_right visit e =
  let each expr = Visit.mapper.expr { Visit.mapper with expr = (fun _ part -> expr part) } e in
  let parts = ref [] and made = ref [] in
  ignore (each (fun part -> parts := part :: !parts; part));
  List.iter (fun part -> made := visit part :: !made) !parts;
  each (fun _ ->
      let first = List.hd !made in
      made := List.tl !made;
      first)

(* The piece of an expression that queries only its calls of the code; the rest is evaluated in the
   oracle program.  Raises In_process if that could make a difference: a call inside a handler or
   evaluated more than once, or a copy distinguished from its original. *)
let piece_of_predicate c e =
  if c.applies = Nothing then raise (In_process "a predicate of the tests' own");
  if uses_identity c.g e then raise (In_process "whether values are one and the same");
  let inside = Names.times_bound [ Str.eval e ] in
  let query = ref [] and names = ref [] in
  let closed e = Set.for_all (fun name -> inside name = 0) (needs e).Names.values in
  let slot e =
    let number, sending = query_whole_value c e in
    query := (number, e, sending) :: !query;
    number
  in
  let postponed = ref false in
  let later visit =
    let was = !postponed in
    postponed := true;
    let found = visit () in
    postponed := was;
    found
  in
  let names_value name =
    Names.Map.mem name c.g.times && inside name = 0 && not (Names.Map.mem name c.g.helpers)
  in
  let passes_function () =
    raise (In_process "a function of the code's, handed to the tests' own")
  in
  let kept = ref Set.empty in
  let expr self e =
    match e.pexp_desc with
    | _ when time c e = Static -> e
    | Pexp_apply _ when is_from_code c.g e && closed e && time c e = Dynamic ->
      if !postponed then raise (In_process "a call that the tests' own make as they like");
      taken (slot e)
    | Pexp_apply (({ pexp_desc = Pexp_ident _; _ } as f), _) when time c f = Dynamic ->
      passes_function ()
    | Pexp_ident { txt = Longident.Lident name; _ } when names_value name && time c e = Mutable ->
      if Set.mem name c.g.escaped then raise (In_process "state that the code shares");
      kept := Set.add name !kept;
      e
    | Pexp_ident { txt = Longident.Lident name; _ } when names_value name ->
      if not (List.mem_assoc name !names) then names := (name, taken (slot e)) :: !names;
      e
    | Pexp_ident _ -> passes_function ()
    | _ when postpones e -> later (fun () -> Visit.mapper.expr self e)
    | _ when is_from_the_right c e -> from_the_right (self.Ast_mapper.expr self) e
    | _ -> Visit.mapper.expr self e
  in
  let module_expr self m = later (fun () -> Visit.mapper.module_expr self m) in
  ignore (exists (branch c) e);
  let rest = Visit.map_expression e { Visit.mapper with expr; module_expr } in
  if !query = [] then raise (In_process "a predicate of the tests' own");
  (* A named value is one value, however often it is mentioned. *)
  let named rest (name, e) =
    Exp.let_ Asttypes.Nonrecursive [ Vb.mk (Pat.var (nowhere name)) e ] rest
  in
  let whole = value (within Units.rebuild "checked") in
  let number = next (snd c.slots) in
  let query = List.rev !query in
  let slots = List.map (fun (number, _, _) -> number) query in
  let rest = List.fold_left bind_returned (List.fold_left named rest !names) slots in
  let rest = call whole [ thunk rest ] in
  { formula = Is (Applied (number, slots));
    query = before (copied_names !kept) (send_all query);
    oracle = send number rest }

(* ---- names --------------------------------------------------------------------------- *)

(* Whether a value of the code is named more than once. *)
let repeats c e =
  let often e name = count_mentions [ Str.eval e ] name > 1 in
  match e.pexp_desc with
  | Pexp_let (Asttypes.Nonrecursive, [ b ], body) when time c b.pvb_expr = Dynamic ->
    let names = Names.pattern_names b.pvb_pat in
    let calls e =
      match e.pexp_desc with
      | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ }, _) ->
        Set.mem name names
      | _ -> false
    in
    (not (exists calls body))
    && Set.fold (fun name count -> count + count_mentions [ Str.eval body ] name) names 0 > 1
  | Pexp_let _ -> false
  | _ ->
    let is_value name =
      Names.Map.mem name c.g.times && time_of c.g name = Dynamic
      && not (Names.Map.mem name c.g.helpers)
    in
    Set.exists (fun name -> is_value name && often e name) (needs e).Names.values

(* The piece of an expression that mentions one named value several times, so that the code is
   called once; None if it does not, or needs other values. *)
let of_one_value c e =
  if c.applies <> Names || not (repeats c e) then None
  else
    let query, oracle = c.slots in
    let before_query = !query and before_oracle = !oracle in
    match piece_of_predicate c e with
    | { formula = Is (Applied (_, [ _ ])); _ } as piece -> Some piece
    | _ | (exception In_process _) ->
      query := before_query;
      oracle := before_oracle;
      None
