(* Merges errors of a definition that one small hole explains: where typing with it gets as far
   as with several.  Small is a name, a constant, an annotation, or an expression that contains
   none of the errors. *)

open Parsetree
open Nodes
open Holes

(* The items with these holes; [left own hole] is what is kept of a hole's expression, [own] being
   the holes of its item. (ucsd-progsys/nate sp14/0133) *)
let filled_leaving left holes items =
  let fill item =
    match List.filter (fun hole -> inside hole.loc item.pstr_loc) holes with
    | [] -> [ item ]
    | own ->
      let place items hole =
        replace ~hole:(Hole_contents.hole (left own hole)) (hole.kind, hole.loc) items
      in
      let unsure = List.filter (fun hole -> not hole.sure) own in
      Hole_types.all (List.map (fun hole -> hole.loc) unsure) (List.fold_left place [ item ] own)
  in
  List.concat_map fill items

(* The items with holes in the place of these errors; items without one do not change. *)
let filled = filled_leaving (fun _ _ -> Hole_contents.Nothing)

(* The items with [hole] and others; an expression around another hole is kept, as it may still be
   wrong. (ucsd-progsys/nate sp14/1087) *)
let filled_with hole others =
  let left own one =
    let is_in other = inside other.loc one.loc && not (same other.loc one.loc) in
    if one != hole && List.exists is_in own then Hole_contents.Itself else Nothing
  in
  filled_leaving left (hole :: others)

(* The locations of the outermost type annotations of an item.
   (ocaml-sf/learn-ocaml-corpus exercises/fpottier/generic_sorting/wrong/bool_OTrue.ml) *)
let annotations item =
  let found = ref [] in
  (* Outermost annotations only. *)
  let typ _ t = found := t.ptyp_loc :: !found in
  Visit.(in_item item { default with typ });
  List.rev !found

(* Whether an expression is a name or a constant, or contains none of these errors.
   (ucsd-progsys/nate fa15/1375) *)
let is_small holes e =
  match e.pexp_desc with
  | Pexp_ident _ | Pexp_constant _ | Pexp_construct (_, None) -> true
  | _ -> not (List.exists (fun hole -> inside hole.loc e.pexp_loc) holes)

(* Limits on the text typed again for a definition, with a fixed cost of each attempt: about one
   hundred attempts. (ucsd-progsys/nate sp14/1880) *)
let all_work = 100_000
let try_work = 700

(* A small hole that explains as many holes of a definition as possible, the smallest of these, with
   the holes that it explains.  [types]: the definition types with a hole and others.
   (ucsd-progsys/nate sp14/0177) *)
let stood_for types definition own =
  let best = ref None in
  let consider kind loc ~is_small =
    let hole = { (List.hd own) with kind; loc; sure = true } in
    (* The holes that are still needed; it has to make at least two others unnecessary. *)
    let rec needed kept = function
      | [] -> Some kept
      | next :: rest ->
        if types hole (kept @ rest) then needed kept rest
        else if List.length kept + 2 >= List.length own then None
        else needed (next :: kept) rest
    in
    match needed [] own with
    | None -> false
    | Some kept ->
      let gone = List.filter (fun hole -> not (List.memq hole kept)) own in
      let rank = (-List.length gone, size loc) in
      (match !best with
       | Some (least, _, _) when least <= rank -> ()
       | _ -> if is_small then best := Some (rank, gone, hole));
      true
  in
  (* A part can only help if the expression around it does. *)
  let rec among { expression = e; within } =
    if consider Expression e.pexp_loc ~is_small:(is_small own e) then List.iter among within
  in
  List.iter among (expressions definition);
  List.iter (fun loc -> ignore (consider Type loc ~is_small:true)) (annotations definition);
  Option.map (fun (_, gone, hole) -> (gone, hole)) !best

(* Every item except modules, with its outermost item.
   (anwarmamat/cmsc330spring2024 examples/module/ocamlgraph/imperative_edge.ml) *)
let definitions program =
  let found = ref [] in
  let within outermost =
    let structure_item self item =
      match item.pstr_desc with
      | Pstr_module _ | Pstr_recmodule _ | Pstr_include _ -> Visit.default.structure_item self item
      | _ -> found := (outermost, item) :: !found
    in
    Visit.(in_item outermost { default with structure_item })
  in
  List.iter within program;
  List.rev !found

(* The holes that are left of [holes], in order; of holes that one stands for, the first.  [all]
   are all that were found. *)
let fewest (state : Recovery.state) program ~all holes =
  let is_of item hole =
    inside hole.loc item.pstr_loc && (not hole.missing)
    && (match hole.kind with Expression | Pattern | Type -> true | _ -> false)
  in
  let standing item outermost own others env =
    let work = ref all_work in
    (* How far typing gets. *)
    let typing hole kept =
      work := !work - try_work - size item.pstr_loc;
      if !work < 0 then Error None
      else Type_items.tried env (filled_with hole (kept @ others) [ outermost ]) ~typed:ignore
    in
    (* Not to the end if an error follows from these. *)
    let before = typing (List.hd own) (List.tl own) in
    let types hole kept =
      match typing hole kept with
      | Ok () -> true
      | Error None -> false
      | Error (Some _) as found -> found = before
    in
    stood_for types item own
  in
  (* [now]: the holes that count, with their current replacements. *)
  let in_definition all now (outermost, item) =
    match List.filter (is_of item) (List.map snd now) with
    | _ :: _ :: _ as own ->
      let others = List.filter (fun hole -> not (List.memq hole own)) all in
      Option.bind (Recovery.env_of state outermost) (standing item outermost own others)
    | _ -> None
  in
  let rec within (all, now) definition =
    match in_definition all now definition with
    | None -> (all, now)
    | Some (gone, hole) ->
      state.causes <- hole.loc :: state.causes;
      let first = List.hd gone in
      let stands (found, current) =
        if current == first then Some (found, hole)
        else if List.memq current gone then None
        else Some (found, current)
      in
      let left = List.filter (fun other -> not (List.memq other gone)) all in
      within (hole :: left, List.filter_map stands now) definition
  in
  match holes with
  | [] | [ _ ] -> holes
  | _ ->
    let each = List.map (fun hole -> (hole, hole)) holes in
    List.map fst (snd (List.fold_left within (all, each) (definitions program)))
