(* Copies what a check compares with before the code runs: in `f m = m` code could write its
   answer into m. *)

open Parsetree
open Ast_helper
open Syntax

(* The number of parameters and the result type of a library function; None if there is none of this
   path. *)
let result_of path =
  let rec result count t =
    match Type_compat.desc t with Tarrow (_, _, t, _) -> result (count + 1) t | _ -> (count, t)
  in
  let path = List.fold_left Path_compat.dot (Longident.Lident (List.hd path)) (List.tl path) in
  match Env.find_value_by_name path (Lazy.force Names.env) with
  | _, { Types.val_type; _ } -> Some (result 0 val_type)
  | exception _ -> None

(* Whether a function of the library compares: takes values and returns a boolean or an order. *)
let is_predicate ~is_library e =
  match e.pexp_desc with
  | Pexp_ident { txt; _ } -> (
    let path = Path_compat.components txt in
    path <> [] && is_library (List.hd path)
    &&
    match result_of path with
    | Some (count, result) when count > 1 -> (
      match Type_compat.desc result with
      | Tconstr (path, [], _) -> List.exists (Path.same path) Predef.[ path_bool; path_int ]
      | _ -> false)
    | _ -> last_name txt = "assert_equal")
  | _ -> false

(* Whether an expression runs no code, and whether it then names a value.  [reads]: it may also read
   mutable values, which are then read early. *)
let runs_nothing ~reads e =
  let named = ref false in
  let rec runs_nothing e =
    match e.pexp_desc with
    | Pexp_ident _ -> named := true; true
    | Pexp_constant _ -> true
    | Pexp_construct (_, argument) | Pexp_variant (_, argument) ->
      Option.fold ~none:true ~some:runs_nothing argument
    | Pexp_tuple _ -> List.for_all runs_nothing (Path_compat.tuple e)
    | Pexp_array parts -> List.for_all runs_nothing parts
    | Pexp_constraint (e, _) -> runs_nothing e
    | Pexp_field (e, _) -> reads && runs_nothing e
    | Pexp_apply (f, [ (Asttypes.Nolabel, e) ]) -> reads && is_named [ "!" ] f && runs_nothing e
    | _ -> false
  in
  let found = runs_nothing e in
  (found, found && !named)

(* The call [e] with copies of arguments that exist before the others run.  Evaluation is from the
   right, so arguments right of all calls may be read, too. *)
let compared e f arguments =
  let runs (_, e) = not (fst (runs_nothing ~reads:true e)) in
  let rec copied = function
    | [] -> []
    | (_, e) :: behind ->
      snd (runs_nothing ~reads:(not (List.exists runs behind)) e) :: copied behind
  in
  let kept = if List.exists runs arguments then copied arguments else [] in
  if not (List.mem true kept) then e
  else
    let name place = "*kept" ^ string_of_int place in
    let named place (label, _) = (label, value (lident (name place))) in
    let choose place is_kept argument = if is_kept then named place argument else argument in
    let arguments' = List.mapi (fun n (k, a) -> choose n k a) (List.combine kept arguments) in
    let copy place (_, argument) rest =
      Exp.let_ ~loc:e.pexp_loc Asttypes.Nonrecursive
        [ Vb.mk (Pat.var (nowhere (name place)))
            (call (value (within harness "copied")) [ argument ]) ]
        rest
    in
    let numbered = List.mapi (fun n (k, a) -> (n, k, a)) (List.combine kept arguments) in
    List.fold_right
      (fun (n, k, a) rest -> if k then copy n a rest else rest)
      numbered
      { e with pexp_desc = Pexp_apply (f, arguments') }

(* The tests with copied arguments of the library's functions that return a boolean or an order. *)
let structure ~is_library tests =
  let expr self e =
    let e = Visit.mapper.expr self e in
    match e.pexp_desc with
    | Pexp_apply (f, arguments)
      when is_predicate ~is_library f && not (Physical_equality.uses_identity [ Str.eval e ]) ->
      compared e f arguments
    | _ -> e
  in
  Visit.map tests { Visit.mapper with expr }
