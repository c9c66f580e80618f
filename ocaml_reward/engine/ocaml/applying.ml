open Parsetree
open Ast_helper
open Syntax
open Judgement
open Binding_time
open Asking
module Set = Names.Set

let given number =
  Shapes.marked number
    (call (value (within Units.rebuild "given")) [ Exp.constant (Const.string ""); int number ])

(* Whether, how often and inside which handlers what stands inside is evaluated, and in which
   scope, is seen while the predicate runs. *)
let postpones e =
  Functions.is_function e || Scopes.local e <> None
  ||
  match e.pexp_desc with
  | Pexp_lazy _ | Pexp_try _ | Pexp_while _ | Pexp_for _ | Pexp_object _ | Pexp_letop _ -> true
  | Pexp_match (_, cases) ->
    let handles p = match p.ppat_desc with Ppat_exception _ -> true | _ -> false in
    List.exists (fun case -> handles case.pc_lhs) cases
  | _ -> false

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

let applied c e =
  if not c.applies then raise (Beside "a predicate of the tests' own");
  if tells_apart c.g e then raise (Beside "whether values are one and the same");
  let inside = Names.times_bound [ Str.eval e ] in
  let asked = ref unit and slots = ref [] and names = ref [] in
  let closed e = Set.for_all (fun name -> inside name = 0) (needs e).Names.values in
  let slot e =
    let number, handing = ask_whole c e in
    asked := before !asked handing;
    slots := number :: !slots;
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
  let expr self e =
    match e.pexp_desc with
    | _ when time c e = Known -> e
    | Pexp_apply _ when is_codes c.g e && closed e && time c e = Coded ->
      if !postponed then raise (Beside "a call that the tests' own make as they like");
      given (slot e)
    | Pexp_ident { txt = Longident.Lident name; _ }
      when Names.Map.mem name c.g.times && inside name = 0
           && not (Names.Map.mem name c.g.helpers) && not (Functions.is_function e) ->
      if not (List.mem_assoc name !names) then names := (name, given (slot e)) :: !names;
      e
    | Pexp_ident _ -> raise (Beside "a function of the code's, handed to the tests' own")
    | _ when postpones e -> later (fun () -> default.Ast_mapper.expr self e)
    | _ -> default.Ast_mapper.expr self e
  in
  let module_expr self m = later (fun () -> default.Ast_mapper.module_expr self m) in
  ignore (exists (branch c) e);
  let mapper = { default with expr; module_expr } in
  let rest = mapper.expr mapper e in
  if is_unit !asked then raise (Beside "a predicate of the tests' own");
  (* What has a name is one value, however often it is named. *)
  let named rest (name, e) =
    Exp.let_ Asttypes.Nonrecursive [ Vb.mk (Pat.var (nowhere name)) e ] rest
  in
  let whole = value (within Units.rebuild "whole") in
  let rest = call whole [ thunk (List.fold_left named rest !names) ] in
  let number = next (snd c.slots) in
  { says = Is (Applied (number, List.rev !slots)); asked = !asked; told = handed number rest }
