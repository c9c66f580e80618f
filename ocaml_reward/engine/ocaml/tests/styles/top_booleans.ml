(* Asserts boolean statements such as [f 2 = 4;;] or [let _ = valid "a"].  Their types come from
   the reference, the signature, the prompt or the tests themselves.  To plain OCaml they are nothing. *)

open Parsetree
open Ast_helper
open Syntax
module Set = Names.Set

(* [Typed]: the reference, or declarations of the signature.  [Names]: only that names are the
   code's, with the [promised] types of some. *)
type known = Typed of structure | Names of { names : Names.Set.t; promised : structure }

(* ---- statements of a program that has typed ------------------------------------------ *)

type kind = Boolean | Unknown | Other

(* The kind of a typed expression. *)
let kind_of (e : Typedtree.expression) =
  let t = try Ctype.expand_head e.exp_env e.exp_type with _ -> e.exp_type in
  match Type_compat.desc t with
  | Tconstr (path, [], _) when Path.same path Predef.path_bool -> Boolean
  | Tvar _ -> Unknown
  | _ -> Other

(* The expressions whose value is discarded. *)
let statements structure =
  let found = ref [] in
  let default = Tast_iterator.default_iterator in
  let note (e : Typedtree.expression) = found := e :: !found in
  let structure_item self (i : Typedtree.structure_item) =
    (match i.str_desc with
     | Tstr_eval (e, _) -> note e
     | Tstr_value (_, bindings) ->
       List.iter
         (fun (b : Typedtree.value_binding) ->
           match b.vb_pat.pat_desc with Tpat_any -> note b.vb_expr | _ -> ())
         bindings
     | _ -> ());
    default.Tast_iterator.structure_item self i
  in
  let iterator = { default with structure_item } in
  iterator.structure iterator structure;
  !found

(* ---- results of the code's functions -------------------------------------------------- *)

(* The path of the applied function and the arguments; None for other expressions. *)
let application e =
  match applied e with
  | { pexp_desc = Pexp_ident { txt; _ }; _ }, arguments -> Some (txt, List.map snd arguments)
  | _ -> None

(* The name that stands for the result of a function with this number of arguments. *)
let result_name = Printf.sprintf "%s/%d"

(* The field of [ref]. *)
let contents = nowhere (Path_compat.dot (Longident.Lident "Stdlib") "contents")

(* The item with each call of a function of the code replaced by the contents of one reference per
   function, as its calls return one type; and the names of those references. *)
let with_results ~is_of_code i =
  let found = ref Set.empty in
  let is_bound = Names.times_bound [ i ] in
  let expr self e =
    match application e with
    | Some (path, (_ :: _ as arguments)) when is_of_code path && is_bound (last_name path) = 0 ->
      let path = String.concat "." (Path_compat.components path) in
      let result = result_name path (List.length arguments) in
      found := Set.add result !found;
      let taken a = Vb.mk (Pat.any ()) (self.Ast_mapper.expr self a) in
      let result = Exp.field ~loc:e.pexp_loc (value (lident result)) contents in
      Exp.let_ ~loc:e.pexp_loc Asttypes.Nonrecursive (List.map taken arguments) result
    | _ -> Visit.mapper.expr self e
  in
  let i = Visit.map_item i { Visit.mapper with expr } in
  (i, !found)

(* ---- typing --------------------------------------------------------------------------- *)

(* The discarded expressions of what was typed last. *)
let saved () =
  match Cmt_format.get_saved_types () with
  | Cmt_format.Partial_structure structure :: _ -> statements structure
  | _ -> []

(* Types items.  Returns the environment after them and their discarded expressions; None if an item
   does not type. *)
let typed env items =
  match Type_items.undo env items with
  | Type_items.Typed left -> Some (left, saved ())
  | Failed _ -> None

(* The discarded expressions of tests, typed after the items [types]. *)
let with_types types structure =
  let step (env, found) i =
    match typed env [ i ] with
    | Some (env, more) -> (env, more @ found)
    | None -> (env, found)
  in
  match Type_items.attempt (Lazy.force Names.env) types with
  | Type_items.Typed env -> snd (List.fold_left step (env, []) structure)
  | Failed _ -> []

(* A definition of a reference whose contents are a hole. *)
let unset name =
  let hole = Nodes.hole_expression Location.none in
  let reference = Exp.record [ (contents, hole) ] None in
  define name reference

(* The environment after items; the same if they do not type. *)
let left env items = match Type_items.undo env items with Typed env -> env | Failed _ -> env

(* The number of arguments of a function's type. *)
let rec arity t =
  match Type_compat.desc t with Types.Tarrow (_, _, t, _) -> 1 + arity t | _ -> 0

(* Gives the results of a declared function their type, which applies to all its calls.
   (exercism/ocaml exercises/practice/allergies/allergies.mli) *)
let promise t (env, results) i =
  let item = snd (Holes_for_names.item t i) in
  let one (env, results) name =
    match Env.find_value_by_name (Longident.Lident name) (left env item) with
    | _, { Types.val_type; _ } when arity val_type > 0 ->
      let count = arity val_type in
      let result = result_name name count in
      let env = left env [ unset result ] in
      let arguments = List.init count (fun _ -> Nodes.hole_expression Location.none) in
      let returned = call (value (lident name)) arguments in
      let held = Exp.field (value (lident result)) contents in
      let same = Exp.ifthenelse (Exp.construct (lident "true") None) returned (Some held) in
      ignore (left (left env item) [ Str.eval same ]);
      (env, Set.add result results)
    | _ -> (env, results)
    | exception _ -> (env, results)
  in
  Set.fold (fun name found -> one found name) (Names.defined [ i ]).Names.values (env, results)

(* The discarded expressions of tests, typed by how they use the code's names.
   (vietlq/ocaml-kata prob018_extract_slice_from_list.ml) *)
let by_use names promised structure =
  let step (t, env, results, found) i =
    let is_of_code path = Holes_for_names.is_value_of_code t path in
    let item, used = with_results ~is_of_code i in
    let fresh = Set.elements (Set.diff used results) in
    let env = left env (List.map unset fresh) in
    let results = Set.union used results in
    let attempt item =
      let t, items = Holes_for_names.item t item in
      Option.map (fun (env, more) -> (t, env, results, more @ found)) (typed env items)
    in
    match attempt item with
    | Some next -> next
    | None -> (
      (* A function may return values of several types. *)
      match attempt i with
      | Some next -> next
      | None -> (t, env, results, found))
  in
  let t = Holes_for_names.start names structure in
  match Type_items.attempt (Lazy.force Names.env) [ Nodes.lost_type ] with
  | Type_items.Typed env ->
    let env, results = List.fold_left (promise t) (env, Set.empty) promised in
    let _, _, _, found = List.fold_left step (t, env, results, []) structure in
    found
  | Failed _ -> []

(* ---- rewriting ------------------------------------------------------------------------ *)

(* Whether a pattern is [_], with or without a type.
   (kupl/LearnML result/prog/uniq/sub17/original.ml) *)
let rec drops p =
  match p.ppat_desc with Ppat_any -> true | Ppat_constraint (p, _) -> drops p | _ -> false

(* The location of an expression inside type constraints, as the compiler reports it. *)
let rec place e = match e.pexp_desc with Pexp_constraint (e, _) -> place e | _ -> e.pexp_loc

(* Applies [change] to each expression whose value is discarded. *)
let with_statements change tests =
  let items self i =
    match (Visit.mapper.structure_item self i).pstr_desc with
    | Pstr_eval (e, attributes) -> [ { i with pstr_desc = Pstr_eval (change e, attributes) } ]
    | Pstr_value (Asttypes.Nonrecursive, bindings)
      when List.for_all (fun b -> drops b.pvb_pat) bindings ->
      let one b =
        let e = change b.pvb_expr in
        let kept = e == b.pvb_expr in
        let changed = Vb.mk ~loc:b.pvb_loc ~attrs:b.pvb_attributes (Pat.any ()) e in
        Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ (if kept then b else changed) ]
      in
      List.map one bindings
    | pstr_desc -> [ { i with pstr_desc } ]
  in
  let structure self list = List.concat_map (items self) list in
  Visit.map tests { Visit.mapper with structure }

(* The expressions whose value is discarded, in the order of the text. *)
let statements_of structure =
  let found = ref [] in
  ignore (with_statements (fun e -> found := e :: !found; e) structure);
  List.rev !found

(* The message for a statement of unknown type. *)
let why =
  "a statement whose type nothing says without a reference or a signature: write assert where it \
   is a check, and ignore where it is none"

(* The tests with boolean statements asserted, but for those that [judging] says assert themselves.
   With [strict] raises Unsupported for a statement whose type is unknown.  Sets of the 99 problems
   have [let _ = Alcotest.(check bool) …].
   (vietlq/ocaml-kata prob018_extract_slice_from_list.ml) *)
let asserted ~known ~strict ~judging structure =
  let candidates = List.filter (fun e -> not (judging e)) (statements_of structure) in
  if List.for_all (fun e -> judges [] e) candidates then structure
  else begin
    let found, by_use =
      match known with
      | Names { names; promised } -> (by_use names promised structure, true)
      | Typed types -> (with_types types structure, false)
    in
    let kinds = List.map (fun (e : Typedtree.expression) -> (e.exp_loc, kind_of e)) found in
    Type_items.reset ();
    let kind e = Option.value ~default:Other (List.assoc_opt (place e) kinds) in
    let change e =
      if judging e then e
      else if kind e = Boolean then Exp.assert_ ~loc:e.pexp_loc e
      else if strict && by_use && kind e = Unknown && not (judges [] e) then
        raise (Unsupported (line_of e.pexp_loc, why))
      else e
    in
    with_statements change structure
  end
