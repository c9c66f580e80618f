(* Evaluates the tests' own predicates in the oracle program, on values returned by the code. *)

open Parsetree
open Ast_helper
open Syntax
open Judgement
open Binding_time
open Check_parts
module Set = Names.Set

let given number =
  call (value (within Units.rebuild "given")) [ Exp.constant (Const.string ""); int number ]

(* In [rest], by the name of a parameter: a value with a name of the tests' own would have any
   type at each of its uses, and no shape. *)
let parameter number = "*given" ^ string_of_int number
let taken number = call (value (lident (parameter number))) [ unit ]

let with_given rest number =
  let f = Function_compat.lambda (Pat.var (nowhere (parameter number))) rest in
  call f [ thunk (given number) ]

(* Whether, how often and inside which handlers what stands inside is evaluated, and in which
   scope, is seen while the predicate runs. *)
let postpones e =
  Function_compat.is_function e || Scope_compat.local e <> None
  ||
  match e.pexp_desc with
  | Pexp_lazy _ | Pexp_try _ | Pexp_while _ | Pexp_for _ | Pexp_object _ | Pexp_letop _ -> true
  | Pexp_match (_, cases) ->
    List.exists (fun case -> exception_pattern case <> None) cases
  | _ -> false

(* A later call may write into what an earlier one returned, so that all are made before
   anything is handed out. *)
let all_handed = function
  | [ (_, _, handing) ] -> handing
  | asked ->
    let name number = "*asked" ^ string_of_int number in
    let forced number =
      let found = Pat.var (nowhere "*found") in
      Exp.match_ (value (lident (name number)))
        [ Exp.case (Pat.lazy_ found) (value (lident "*found")) ]
    in
    let tried number =
      Exp.try_ (ignored (forced number)) [ Exp.case (Pat.any ()) unit ]
    in
    let hand all (number, _, _) = before all (handed ~whole:true number (forced number)) in
    List.fold_right
      (fun (number, e, _) rest ->
        Exp.let_ Asttypes.Nonrecursive
          [ Vb.mk (Pat.var (nowhere (name number))) (Exp.lazy_ e) ]
          (Exp.sequence (tried number) rest))
      asked
      (List.fold_left hand unit asked)

let branch c e =
  (match (e.pexp_desc, called c e) with
   | Pexp_ifthenelse (first, yes, no), _ ->
     reached c first yes;
     Option.iter (reached c first) no
   | Pexp_match (first, cases), _ | Pexp_try (first, cases), _ ->
     List.iter
       (fun case ->
         Option.iter (reached c first) case.pc_guard;
         reached c first case.pc_rhs)
       cases
   | _, Some (("&&" | "&" | "||" | "or"), [ (_, a); (_, b) ]) -> reached c a b
   | _ -> ());
  false

(* Are the parts of an expression evaluated from the last one on? *)
let is_from_the_right c e =
  match (e.pexp_desc, called c e) with
  | _, Some (("&&" | "&" | "||" | "or" | "|>"), _) -> false
  | (Pexp_apply _ | Pexp_tuple _ | Pexp_construct _ | Pexp_array _ | Pexp_record _), _ -> true
  | _ -> false

let from_the_right visit e =
  let default = Ast_mapper.default_mapper in
  let each expr = default.expr { default with expr = (fun _ part -> expr part) } e in
  let parts = ref [] and made = ref [] in
  ignore (each (fun part -> parts := part :: !parts; part));
  List.iter (fun part -> made := visit part :: !made) !parts;
  each (fun _ ->
      let first = List.hd !made in
      made := List.tl !made;
      first)

(* An expression that queries only its calls of the code; the rest is evaluated in the oracle
   program. Raises In_process if that could make a difference: a call inside a handler or
   evaluated more than once, or a copy distinguished from its original. *)
let applied c e =
  if c.applies = Nothing then raise (Beside "a predicate of the tests' own");
  if tells_apart c.g e then raise (Beside "whether values are one and the same");
  let inside = Names.times_bound [ Str.eval e ] in
  let asked = ref [] and names = ref [] in
  let closed e = Set.for_all (fun name -> inside name = 0) (needs e).Names.values in
  let slot e =
    let number, handing = ask_whole c e in
    asked := (number, e, handing) :: !asked;
    number
  in
  let postponed = ref false in
  let default = Ast_mapper.default_mapper in
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
  let handed_over () = raise (Beside "a function of the code's, handed to the tests' own") in
  let kept = ref Set.empty in
  let expr self e =
    match e.pexp_desc with
    | _ when time c e = Known -> e
    | Pexp_apply _ when is_codes c.g e && closed e && time c e = Coded ->
      if !postponed then raise (Beside "a call that the tests' own make as they like");
      taken (slot e)
    | Pexp_apply (({ pexp_desc = Pexp_ident _; _ } as f), _) when time c f = Coded ->
      handed_over ()
    | Pexp_ident { txt = Longident.Lident name; _ } when names_value name && time c e = Fresh ->
      if Set.mem name c.g.disturbed then raise (Beside "state that the code shares");
      kept := Set.add name !kept;
      e
    | Pexp_ident { txt = Longident.Lident name; _ } when names_value name ->
      if not (List.mem_assoc name !names) then names := (name, taken (slot e)) :: !names;
      e
    | Pexp_ident _ -> handed_over ()
    | _ when postpones e -> later (fun () -> default.Ast_mapper.expr self e)
    | _ when is_from_the_right c e -> from_the_right (self.Ast_mapper.expr self) e
    | _ -> default.Ast_mapper.expr self e
  in
  let module_expr self m = later (fun () -> default.Ast_mapper.module_expr self m) in
  ignore (exists (branch c) e);
  let rest = Visit.map_expression e { default with expr; module_expr } in
  if !asked = [] then raise (Beside "a predicate of the tests' own");
  (* What has a name is one value, however often it is named. *)
  let named rest (name, e) =
    Exp.let_ Asttypes.Nonrecursive [ Vb.mk (Pat.var (nowhere name)) e ] rest
  in
  let whole = value (within Units.rebuild "whole") in
  let number = next (snd c.slots) in
  let asked = List.rev !asked in
  let slots = List.map (fun (number, _, _) -> number) asked in
  let rest = List.fold_left with_given (List.fold_left named rest !names) slots in
  let rest = call whole [ thunk rest ] in
  { says = Is (Applied (number, slots));
    asked = before (kept_names !kept) (all_handed asked);
    told = handed number rest }

(* ---- names --------------------------------------------------------------------------- *)

(* Is a value of the code's named more than once, here or where this is bound to a name? *)
let repeats c e =
  let often e name = count_mentions [ Str.eval e ] name > 1 in
  match e.pexp_desc with
  | Pexp_let (Asttypes.Nonrecursive, [ b ], body) when time c b.pvb_expr = Coded ->
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
      Names.Map.mem name c.g.times && time_of c.g name = Coded
      && not (Names.Map.mem name c.g.helpers)
    in
    Set.exists (fun name -> is_value name && often e name) (needs e).Names.values

(* The same for an expression that mentions one named value several times, so that the code is
   called once; None if it needs other values. *)
let of_one_value c e =
  if c.applies <> Names || not (repeats c e) then None
  else
    let asked, told = c.slots in
    let before_asked = !asked and before_told = !told in
    match applied c e with
    | { says = Is (Applied (_, [ _ ])); _ } as piece -> Some piece
    | _ | (exception Beside _) ->
      asked := before_asked;
      told := before_told;
      None
