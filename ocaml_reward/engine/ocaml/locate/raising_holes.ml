open Parsetree
open Nodes

exception Hopeless

type t = {
  uses : Names.Set.t;
  mutable places : Location.t list;
  mutable gone : (string * string) list;  (* kind and name of definitions that are gone *)
  mutable work : int;  (* remaining work, in bytes of text to type *)
}

(* The work for one program: about fifty items of usual size. *)
let all_work = 1_000_000

let is_module name = name <> "" && name.[0] >= 'A' && name.[0] <= 'Z'

(* The kind and the name of a value or module. *)
let named name = ((if is_module name then "module" else "value"), name)

let start ?(missing = Names.Set.empty) ~uses () =
  let gone = List.map named (Names.Set.elements missing) in
  { uses; places = []; gone; work = all_work }

let left holes = Names.Set.filter (fun name -> not (List.mem (named name) holes.gone)) holes.uses

(* Whether the holes are in the code, not in tests. *)
let of_code holes = Names.Set.is_empty holes.uses

(* Takes an attempt at an item off the work left.  Raises Hopeless. *)
let spend holes item =
  holes.work <- holes.work - 20_000 - size item.pstr_loc;
  if holes.work < 0 then raise Hopeless

(* A function of the harness. *)
let harness name = Syntax.value (Syntax.within Syntax.harness name)

(* The item with a hole for each use of what is gone. *)
let without_gone gone item =
  List.fold_left (fun item what -> without_uses (Some what) item) item gone

(* Notes that the values and modules that items define are gone, and returns them. *)
let note_gone holes items =
  let { Names.values; modules; _ } = Names.defined items in
  let gone =
    List.map (fun name -> ("value", name)) (Names.Set.elements values)
    @ List.map (fun name -> ("module", name)) (Names.Set.elements modules)
  in
  holes.gone <- gone @ holes.gone;
  gone

(* Reports that a statement may be missing. *)
let taint loc = Ast_helper.Str.eval ~loc (Syntax.call (harness "taint") [ Syntax.unit ])

(* Whether evaluating an item only defines functions and types. *)
let rec is_pure item =
  match item.pstr_desc with
  | Pstr_value (_, bindings) ->
    List.for_all (fun b -> Function_compat.is_function b.pvb_expr) bindings
  | Pstr_module { pmb_expr = { pmod_desc = Pmod_structure items; _ }; _ } ->
    List.for_all is_pure items
  | Pstr_eval _ | Pstr_include _ | Pstr_module _ | Pstr_recmodule _ | Pstr_class _ -> false
  | _ -> true

(* The report that a statement may be missing in the place of this item, as a list. *)
let tainted holes item =
  if of_code holes && not (is_pure item) then [ taint item.pstr_loc ] else []

(* What is left of an item that is gone: its types, as abstract types. *)
let left_of holes item =
  match item.pstr_desc with
  | Pstr_type _ -> remains item
  | _ ->
    ignore (note_gone holes [ item ]);
    tainted holes item

(* The item without values that reach a hole when they are defined; these are gone.  A statement
   stays and ends at the hole. *)
let rec defused holes item =
  match item.pstr_desc with
  | Pstr_value (_, bindings)
    when List.exists
           (fun b -> Hole_contexts.at_once b.pvb_expr || Hole_contexts.is_hollow b)
           bindings -> (
    match note_gone holes [ item ] with [] -> [ item ] | _ -> tainted holes item)
  | Pstr_value (recursive, [ b ]) -> (
    (* Query programs run in a local module. *)
    match Scope_compat.local b.pvb_expr with
    | Some (Module ({ txt = Some name; _ }, ({ pmod_desc = Pmod_structure _; _ } as m)), body) ->
      let pvb_expr = Scope_compat.in_module name (within_module holes m) body in
      [ { item with pstr_desc = Pstr_value (recursive, [ { b with pvb_expr } ]) } ]
    | _ -> [ item ])
  | Pstr_module binding ->
    let pmb_expr = within_module holes binding.pmb_expr in
    [ { item with pstr_desc = Pstr_module { binding with pmb_expr } } ]
  | _ -> [ item ]

(* The module without values that reach a hole when they are defined. *)
and within_module holes m =
  match m.pmod_desc with
  | Pmod_structure items ->
    let before = holes.gone in
    let items = defused_all holes items in
    holes.gone <- before;
    { m with pmod_desc = Pmod_structure items }
  | _ -> m

(* The items without values that reach a hole when they are defined, and with holes for the uses of
   those values. *)
and defused_all holes = function
  | [] -> []
  | item :: items ->
    let before = holes.gone in
    let own = defused holes item in
    let fresh = List.filter (fun what -> not (List.memq what before)) holes.gone in
    own @ defused_all holes (List.map (without_gone fresh) items)

(* The structure in which a case with an ill-typed pattern matches everything and is a hole. *)
let with_pattern (kind, at) structure =
  let case self c =
    let c = Visit.mapper.case self c in
    if kind = Pattern && inside at c.pc_lhs.ppat_loc then
      { c with pc_guard = Some (hole_expression at) }
    else c
  in
  Visit.map structure { Visit.mapper with case }

(* The item without the item at a location inside it, which goes as a whole. *)
let without_inner holes at item =
  let lost = ref [] in
  let structure self items =
    let kept i =
      if i.pstr_loc <> at then [ i ]
      else
        match i.pstr_desc with
        | Pstr_type _ -> remains i
        | _ -> lost := i :: !lost; tainted holes i
    in
    Visit.mapper.structure self (List.concat_map kept items)
  in
  let item = Visit.map_item item { Visit.mapper with structure } in
  let before = holes.gone in
  let gone = note_gone holes !lost in
  holes.gone <- before;
  [ without_gone gone item ]

(* The item with a hole at a node. *)
let hole holes ((kind, at) as node) item =
  if kind <> Item then with_pattern node (replace node [ item ])
  else if at = item.pstr_loc then left_of holes item
  else without_inner holes at item

(* The smallest node around an error that is no hole yet; in tests, the smallest that mentions a
   name of the code.  With the names of the code in it; None if all are holes. *)
let chosen holes at items tried =
  let is_fresh (kind, loc, _) = not (List.mem (kind, loc) tried) in
  let fresh = List.filter is_fresh (around at items) in
  let used names = Names.Set.inter (Lazy.force names) holes.uses in
  let about (_, _, names) = not (Names.Set.is_empty (used names)) in
  match (List.find_opt about fresh, fresh) with
  | Some (kind, loc, names), _ | None, (kind, loc, names) :: _ -> Some ((kind, loc), used names)
  | None, [] -> None

(* The items without the signatures selected by [is_it]: at run time the structure's values show
   whether they or the signature are wrong. *)
let unsigned is_it items =
  let module_expr self m =
    match m.pmod_desc with
    | Pmod_constraint (({ pmod_desc = Pmod_structure _; _ } as own), signature)
      when is_it own.pmod_loc signature.pmty_loc ->
      Visit.mapper.module_expr self own
    | _ -> Visit.mapper.module_expr self m
  in
  Visit.map items { Visit.mapper with module_expr }

let without_signatures items = unsigned (fun _ _ -> true) items

(* The item without a signature that the structure does not match, or that is unbound; None for
   other errors. *)
let without_promise holes (failure : Type_items.failure) item =
  let is_wrong own signature =
    match failure.words with
    | "Signature" :: "mismatch:" :: _ -> own = failure.at
    | "Unbound" :: "module" :: "type" :: _ -> inside failure.at signature
    | _ -> false
  in
  if not (of_code holes) then None
  else
    match unsigned is_wrong [ item ] with
    | [ without ] when without <> item -> Some without
    | _ -> None

(* The node of the expression around the error and the item with a hole for it: in [x ^ 1] with an
   [int] x the operator is wrong.  None for a match, an [if] or a [let], which would include other
   mistakes. *)
let with_wider holes (_, at) tried item =
  let is_wider (kind, loc, _) =
    kind = Expression && size loc > size at && not (List.mem (kind, loc) tried)
  in
  match List.find_opt is_wider (around at [ item ]) with
  | Some (kind, loc, _) when of_code holes && not (chooses loc [ item ]) ->
    Some ((kind, loc), List.hd (replace (kind, loc) [ item ]))
  | _ -> None

(* Whether an item types. *)
let types env item = match Type_items.undo env [ item ] with Typed _ -> true | Failed _ -> false

(* The item once it types, and the environment after it.  [wider] is an alternative, used if it
   types at once. *)
let rec settled ?wider holes env tried item =
  let items = defused holes item in
  match Type_items.undo env items with
  | Typed left -> (items, left)
  | Failed (Some failure) when failure != Type_items.crash -> (
    spend holes item;
    match (wider, items) with
    | Some (node, other), _ when types env other -> settled holes env (node :: tried) other
    | _, [ item ] -> mended holes env tried failure item
    | _ -> ([], env))
  | Failed _ -> raise Hopeless

(* The item with a hole for the error [failure], once it types, and the environment after it. *)
and mended holes env tried (failure : Type_items.failure) item =
  let missing = Type_items.unbound failure.words in
  (match missing with
   | Some ((("value" | "module"), _) as what) when not (of_code holes) ->
     holes.gone <- what :: holes.gone
   | _ -> ());
  let with_rec =
    match missing with
    | Some ("value", name) when of_code holes -> Edits.with_rec name failure.at item
    | _ -> None
  in
  let node, names =
    match chosen holes failure.at [ item ] tried with
    | Some found -> found
    | None -> ((Item, item.pstr_loc), Names.Set.empty)
  in
  let instead =
    match with_rec with Some _ -> with_rec | None -> without_promise holes failure item
  in
  match (instead, Names.Set.elements names) with
  | Some item, _ -> settled holes env tried item
  (* An entry point has another type than the tests expect: all its uses become holes. *)
  | None, [ name ]
    when missing = None && not (is_module name || List.mem ("value", name) holes.gone) ->
    holes.gone <- ("value", name) :: holes.gone;
    settled holes env tried (without_gone [ ("value", name) ] item)
  | None, _ -> (
    holes.places <- snd node :: holes.places;
    if List.mem node tried then ([], env)
    else
      let without = without_uses missing item in
      match hole holes node without with
      | [ item ] ->
        let wider = with_wider holes node tried without in
        settled ?wider holes env (node :: tried) item
      | items -> (
        match Type_items.undo env items with Typed left -> (items, left) | Failed _ -> ([], env)))

let patched holes env items =
  let rec go env = function
    | [] -> ([], env)
    | item :: items ->
      let { Names.values; modules; _ } = Names.defined [ item ] in
      let again (kind, name) =
        Names.Set.mem name (if kind = "value" then values else modules)
      in
      let gone = List.filter (fun what -> not (again what)) holes.gone in
      holes.gone <- gone;
      let own, env = settled holes env [] (without_gone gone item) in
      let rest, env = go env items in
      (own @ rest, env)
  in
  go env items

let likewise holes structure =
  let expr self e =
    if List.exists (inside e.pexp_loc) holes.places then hole_expression e.pexp_loc
    else Visit.mapper.expr self e
  in
  Visit.map structure { Visit.mapper with expr }
  |> List.map (without_gone holes.gone)
  |> defused_all holes

(* ---- holes that raise --------------------------------------------------------------- *)

(* A call that evaluates an expression up to the first hole. *)
let statement e =
  Syntax.call ~loc:e.pexp_loc (harness "statement") [ Syntax.thunk e ]

(* The item, if it is a statement, so that it ends at the first hole. *)
let ended item =
  match item.pstr_desc with
  | Pstr_eval (e, attributes) -> { item with pstr_desc = Pstr_eval (statement e, attributes) }
  | Pstr_value (recursive, [ ({ pvb_pat = pattern; pvb_expr = e; _ } as binding) ])
    when Assertions.is_unit_pattern pattern && not (Function_compat.is_function e) ->
    { item with
      pstr_desc = Pstr_value (recursive, [ { binding with pvb_expr = statement e } ]) }
  | _ -> item

let raising ~code structure =
  let expr self e =
    (* In this form a hole still has any type. *)
    if Hole_contexts.is_hole e then
      Ast_helper.Exp.sequence (Syntax.call (harness "hole") [ Syntax.unit ]) e
    else Visit.mapper.expr self e
  in
  let structure_item self item =
    let item = Visit.mapper.structure_item self item in
    if code then ended item else item
  in
  Visit.map structure { Visit.mapper with expr; structure_item }
