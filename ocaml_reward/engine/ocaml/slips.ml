open Parsetree
open Nodes
open Remedies
open Mentions

type suspect = {
  place : Location.t;
  kept : Location.t option;
  cured : Location.t list;
  freed : structure -> structure;
}

let instead ?kept place cured freed = { place; kept; cured; freed }

(* How many uses of one variable are looked at. *)
let most_uses = 3

let is_constant e =
  match e.pexp_desc with Pexp_constant _ | Pexp_construct (_, None) -> true | _ -> false

let rec taken e =
  match Functions.opened e with
  | Some (parameters, Body body) -> List.length parameters + taken body
  | Some (parameters, Cases _) -> List.length parameters + 1
  | None -> 0

(* Whether an operator stands between wrong constants of one kind: [1.5 + 2.5]. *)
let is_between_constants holes f arguments =
  let kind e =
    match e.pexp_desc with
    | Pexp_constant c when List.exists (same e.pexp_loc) holes -> (
      match (Pprintast.string_of_expression e).[0] with
      | ('"' | '\'') as quote -> Some quote
      | '{' -> Some '"'
      | _ -> Some (if Constants.integer c = "" then '.' else '0'))
    | _ -> None
  in
  match (f.pexp_desc, arguments) with
  | Pexp_ident { txt = Lident name; _ }, [ (_, a); (_, b) ] ->
    Names.is_operator name && kind a <> None && kind a = kind b
  | _ -> false

let all_wrong holes =
  List.filter (fun (_, e) -> List.exists (fun hole -> inside hole e.pexp_loc) holes)

(* The arguments of a call that are wrong, where there are several; a constant is what its
   writer meant. *)
let wrong_arguments holes arguments =
  match all_wrong holes arguments with
  | _ :: _ :: _ as wrong when not (List.for_all (fun (_, e) -> is_constant e) wrong) -> wrong
  | _ -> []

(* [f (a + b) c] for [f a + b c]. *)
let with_operands place program =
  let default = Ast_mapper.default_mapper in
  let expr self e =
    match e.pexp_desc with
    | Pexp_apply
        ( operator,
          [ (left, { pexp_desc = Pexp_apply (f, before); _ });
            (right, { pexp_desc = Pexp_apply (b, behind); _ }) ] )
      when e.pexp_loc = place -> (
      match List.rev before with
      | (label, a) :: before ->
        let argument =
          Ast_helper.Exp.apply ~loc:{ place with loc_ghost = true } operator
            [ (left, a); (right, b) ]
        in
        { e with pexp_desc = Pexp_apply (f, List.rev before @ ((label, argument) :: behind)) }
      | [] -> e)
    | _ -> default.expr self e
  in
  let mapper = { default with expr } in
  mapper.structure mapper program

let of_operands holes read =
  let of_call (place, _, arguments) =
    match arguments with
    | [ (_, { pexp_desc = Pexp_apply _; pexp_loc = left; _ });
        (_, { pexp_desc = Pexp_apply (b, _); _ }) ]
      when List.exists (same left) holes && List.exists (same b.pexp_loc) holes ->
      let cured = List.filter (fun hole -> inside hole place) holes in
      [ instead place cured (with_operands place) ]
    | _ -> []
  in
  List.concat_map of_call read.calls

(* All elements are constants of one type, and another was expected; or all but the first are
   of another type than that is. *)
let of_elements holes read =
  let of_list (place, elements) =
    let is_wrong e = List.exists (same e.pexp_loc) holes in
    match elements with
    | _ :: _ :: _ when List.for_all (fun e -> is_constant e && is_wrong e) elements ->
      let cured = List.filter (fun hole -> inside hole place) holes in
      [ instead place cured (with_expression place (fun _ -> hole_expression place)) ]
    | first :: (_ :: _ :: _ as rest) when List.for_all is_wrong rest ->
      let first = first.pexp_loc in
      let cured = List.filter (fun hole -> inside hole place && is_after hole first) holes in
      [ instead first cured (with_expression first (fun _ -> hole_expression first)) ]
    | _ -> []
  in
  List.concat_map of_list read.lists

(* Several arguments are wrong, or what is applied to them is. *)
let of_calls holes read =
  let of_call (place, f, arguments) =
    if wrong_arguments holes arguments = [] && not (is_between_constants holes f arguments)
    then []
    else
      let any e = hole_expression e.pexp_loc in
      let cured = List.filter (fun hole -> inside hole place) holes in
      [ instead place cured (with_expression f.pexp_loc any) ]
  in
  (* What is wrong may be the whole call around one error, where another is in the same
     definition. *)
  let wider hole =
    let around (place, _, _) = inside hole place && not (same hole place) in
    match List.filter around read.calls with
    | [] -> []
    | calls ->
      let size (place, _, _) = size place in
      let smaller a b = if size b < size a then b else a in
      let place, f, arguments = List.fold_left smaller (List.hd calls) calls in
      let is_meant (_, e) = same hole e.pexp_loc && is_constant e in
      let is_constant_wrong = List.exists is_meant arguments in
      (* Between a constant, which is meant, and something else an operator may be another. *)
      let is_operator =
        match (f.pexp_desc, List.filter (fun (_, e) -> is_constant e) arguments) with
        | Pexp_ident { txt = Lident name; _ }, [ _ ] -> Names.is_operator name
        | _ -> false
      in
      if
        (is_constant_wrong && not is_operator)
        || List.exists (fun other -> other != hole && inside other place) holes
      then []
      else
        let wrong = if is_constant_wrong then f.pexp_loc else place in
        let freed = with_expression wrong (fun _ -> hole_expression wrong) in
        let beside (_, _, b) =
          if inside hole b.pvb_loc then
            List.filter (fun other -> other != hole && inside other b.pvb_loc) holes
          else []
        in
        match List.find_opt (( <> ) []) (List.rev_map beside read.bindings) with
        | None -> []
        | Some others -> [ instead place (others @ [ hole ]) freed ]
  in
  List.concat_map of_call read.calls @ List.concat_map wider holes

(* A function over a GADT has to name the type that its cases tell apart: else the first of
   them decides, and each later one is denied. *)
let of_gadts holes read =
  let is_of_gadt p =
    match p.ppat_desc with
    | Ppat_construct ({ txt; _ }, _) ->
      let is_it (_, c) = c.pcd_name.txt = last txt && c.pcd_res <> None in
      List.exists is_it read.constructors
    | _ -> false
  in
  let of_choice (definition, names, patterns) =
    let is_denied p = is_of_gadt p && List.exists (same p.ppat_loc) holes in
    match List.filter (fun hole -> inside hole definition) holes with
    | _ :: _ :: _ as cured when List.exists is_denied patterns ->
      let is_it (_, _, b) = b.pvb_loc = definition in
      let itself =
        match List.find_opt is_it read.bindings with
        | Some (_, _, b) -> Names.pattern_names b.pvb_pat
        | None -> Names.Set.empty
      in
      let free name = with_free_calls name definition in
      let freed program =
        Names.Set.fold free itself (with_cases_apart patterns names program)
      in
      [ instead definition cured freed ]
    | _ -> []
  in
  List.concat_map of_choice read.choices

(* A constructor that takes several arguments is given one call, of more arguments than that takes:
   a comma is missing ([Node (insert x l insert x r)]). *)
let of_crowded holes program =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    let place = e.pexp_loc in
    (match e.pexp_desc with
     | Pexp_construct (_, Some { pexp_desc = Pexp_apply (f, _); pexp_loc = call; _ })
       when List.exists (same place) holes
            && List.exists (fun hole -> same hole f.pexp_loc || same hole call) holes ->
       let cured = List.filter (fun hole -> inside hole place) holes in
       let freed = with_expression place (fun _ -> hole_expression place) in
       found := instead place cured freed :: !found
     | _ -> ());
    default.expr self e
  in
  let iterator = { default with expr } in
  iterator.structure iterator program;
  List.rev !found

(* What is called by a name that is missing, and stands where an operator would: [n div 2] is taken
   for a call of [n]. *)
let of_infixes holes ~is_missing read =
  let applied f = function [] -> f | own -> Ast_helper.Exp.apply ~loc:f.pexp_loc f own in
  (* A line of its own may be a definition whose keyword is misspelt. *)
  let rec parted line before = function
    | (Asttypes.Nolabel, ({ pexp_desc = Pexp_ident { txt = Lident _; _ }; _ } as name))
      :: (Asttypes.Nolabel, next) :: more -> (
      match List.find_opt (same name.pexp_loc) holes with
      | Some hole when is_missing hole && hole.loc_start.pos_lnum = line ->
        Some (hole, name, List.rev before, applied next more)
      | _ -> parted line ((Asttypes.Nolabel, name) :: before) ((Nolabel, next) :: more))
    | argument :: more -> parted line (argument :: before) more
    | [] -> None
  in
  (* What is known for a function otherwise is called, and has an argument that is missing. *)
  let is_operand f =
    List.exists (same f.pexp_loc) holes
    ||
    match f.pexp_desc with
    | Pexp_ident { txt = Lident name; _ } -> Names.Set.mem name read.variables
    | _ -> false
  in
  let of_call (place, f, arguments) =
    match parted f.pexp_loc.loc_end.pos_lnum [] arguments with
    | Some (missing, name, before, right) when is_operand f -> (
      let is_it hole = hole != missing && (inside hole place || is_after hole missing) in
      match List.filter is_it holes with
      | [] -> []
      | others ->
        let operands = [ (Asttypes.Nolabel, applied f before); (Asttypes.Nolabel, right) ] in
        let operator = hole_expression name.pexp_loc in
        let meant e = { e with pexp_desc = Pexp_apply (operator, operands) } in
        [ instead place (missing :: others) (with_expression place meant) ])
    | _ -> []
  in
  List.concat_map of_call read.calls

(* A comma where a semicolon was meant. *)
let of_commas holes read =
  let of_comma (within, tuple) =
    let is_near hole = inside hole within || is_after hole within in
    match List.filter is_near holes with
    | [] -> []
    | first :: _ as near ->
      let within_it = List.filter (fun hole -> inside hole within) near in
      let cured = if within_it = [] then [ first ] else within_it in
      [ instead within cured (with_semicolons tuple ~within) ]
  in
  List.concat_map of_comma read.commas

(* What stands at a line's beginning was meant as an item of its own, and taken for arguments. *)
let of_items holes read =
  let of_call (place, _, arguments) =
    match List.filter (fun hole -> inside hole place) holes with
    | _ :: _ :: _ as cured when List.exists (fun (_, e) -> begins_item e) arguments ->
      [ instead place cured (with_items_behind place) ]
    | _ -> []
  in
  List.concat_map of_call read.calls

(* How many other mistakes at most may stand before what a wrong annotation is to blame for. *)
let most_before = 2

let of_annotations suspected holes read =
  (* Uses of a definition that lets no other mistake of it hide them. *)
  let with_uses definition within =
    let is_it (_, _, b) = b.pvb_loc = definition in
    match (within, List.find_opt is_it read.bindings) with
    | [ _ ], Some (_, _, b) ->
      let used name = suspected 1 name in
      let uses = List.concat_map used (Names.Set.elements (Names.pattern_names b.pvb_pat)) in
      within @ List.filter (fun hole -> not (List.memq hole within)) uses
    | _ -> within
  in
  let rec ends before = function
    | _ :: (_ :: _ as rest) as cured when before <= most_before -> cured :: ends (before + 1) rest
    | _ -> []
  in
  List.concat_map
    (fun (place, definition) ->
      let any = Ast_helper.Typ.any ~loc:place () in
      List.filter (fun hole -> inside hole definition) holes
      |> with_uses definition
      |> ends 0
      |> List.map (fun cured -> instead place cured (with_type place any)))
    read.annotations
