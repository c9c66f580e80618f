(* Ranks the locations where the mistake behind a type error may be.

   A candidate is an expression for which the item types, or fails further on, once it is a hole.  A
   part is tried only if the part around it is a candidate, as a smaller hole leaves more of what is
   wrong.  The order is decided by the first of these questions on which two candidates differ:
   - Is it the name that a call applies?  The call is more likely to be changed.
   - Is it a [let], a sequence or a function?  Its value is that of an expression in it.
   - Does its own type fit there?  Then what is around it is right, and its value is in question:
     more likely than one of another type, and that more likely than one that does not type alone.
   - Is it at the compiler's location, in or around it, before it, or after it?
   - Is it smaller? *)

open Parsetree

(* Whether the type of [what] fits its place, once a hole in this place has typed. *)
type fit = Fits | Differs | Does_not_type

type candidate = { what : expression; is_applied : bool; fit : fit }

exception Hole of Typedtree.expression

(* The typed hole that replaced [what]; None if typing stopped before it. *)
let hole what =
  let default = Tast_iterator.default_iterator in
  let expr self (e : Typedtree.expression) =
    match e.exp_desc with
    | Texp_assert _ when e.exp_loc = what.pexp_loc -> raise (Hole e)
    | _ -> default.Tast_iterator.expr self e
  in
  let iterator = { default with expr } in
  let read = function
    | Cmt_format.Partial_structure typed -> iterator.structure iterator typed
    | _ -> ()
  in
  match List.iter read (Cmt_format.get_saved_types ()) with
  | () -> None
  | exception Hole hole -> Some hole

(* Whether the type of [what] fits its place, once a hole in this place has typed.
   (ucsd-progsys/nate sp14/1856) *)
let fit what =
  match hole what with
  | None -> Differs
  | Some hole -> (
    let levels = Level_compat.saved () in
    match Typecore.type_expression hole.exp_env what with
    | exception _ -> Level_compat.recover levels; Does_not_type
    | typed -> (
      match Ctype.unify hole.exp_env typed.exp_type hole.exp_type with
      | () -> Fits
      | exception _ -> Differs))

(* Limits on the text typed again: in all, and as a fixed cost of each attempt.  About forty
   attempts on a usual item. (ucsd-progsys/nate sp14/1291) *)
let all_work = 50_000
let try_work = 700

(* Whether an expression is the name that the call around it applies.
   (ucsd-progsys/nate sp14/2733) *)
let is_name_applied e around =
  match (e.pexp_desc, around) with
  | Pexp_ident _, Some { pexp_desc = Pexp_apply (f, _); _ } -> f == e
  | _ -> false

(* The candidates for the first error of an item, in the order of the text.
   (ucsd-progsys/nate sp14/2781) *)
let candidates work env item (failure : Type_items.failure) =
  let moves (at : Location.t) =
    at.loc_start.pos_cnum > failure.at.loc_start.pos_cnum && not (Nodes.inside at failure.at)
  in
  let tried what =
    work := !work - try_work - Nodes.size item.pstr_loc;
    if !work < 0 then None
    else
      let items = Nodes.replace (Expression, what.pexp_loc) [ item ] in
      match Type_items.tried env items ~typed:(fun () -> fit what) with
      | Ok fit -> Some fit
      | Error (Some at) when moves at -> Some Differs
      | Error _ -> None
  in
  let rec among around { Nodes.expression = what; within } =
    match tried what with
    | None -> []
    | Some fit ->
      { what; is_applied = is_name_applied what around; fit }
      :: List.concat_map (among (Some what)) within
  in
  List.concat_map (among None) (Nodes.expressions item)

(* Whether an expression is a let, a sequence or a function: a candidate inside it comes first.
   (ucsd-progsys/nate sp14/2203) *)
let holds_its_value e =
  match e.pexp_desc with
  | Pexp_let _ | Pexp_sequence _ -> true
  | _ -> Function_compat.is_function e

(* The key by which candidates are sorted, likeliest first. (ucsd-progsys/nate sp14/2152) *)
let order (compiler's : Location.t) { what; is_applied; fit } =
  let at = what.pexp_loc in
  let side =
    if Nodes.same at compiler's then 0
    else if Nodes.inside at compiler's || Nodes.inside compiler's at then 1
    else if at.loc_start.pos_cnum < compiler's.loc_start.pos_cnum then 2
    else 3
  in
  let fit = match fit with Fits -> 0 | Differs -> 1 | Does_not_type -> 2 in
  (is_applied, holds_its_value what, fit, side, Nodes.size at)

(* The most errors of one item for which candidates are searched; at most ten places are shown. *)
let most_errors = 4

(* The candidates of each error, likeliest first; the compiler's location if no hole helps.  The
   work is bounded. (ucsd-progsys/yunounderstand-data fa15/student44.hw3:18) *)
let places env program =
  let work = ref all_work in
  let ranked env item (failure : Type_items.failure) =
    let by_order a b = compare (order failure.at a) (order failure.at b) in
    match List.stable_sort by_order (candidates work env item failure) with
    | [] -> [ failure.at ]
    | found -> List.map (fun { what; _ } -> what.pexp_loc) found
  in
  let rec from env program =
    match Type_items.undo env program with
    | Typed _ | Failed None -> []
    | Failed (Some failure) -> (
      match Type_items.stuck env program with
      | _, env, item :: items ->
        let found = within env item failure most_errors in
        let left =
          match Type_items.undo env (Nodes.remains item) with
          | Typed left -> left
          | Failed _ -> env
        in
        found @ (if !work < 0 then [] else from left items)
      | _, _, [] -> [])
  (* Further errors of the item, with holes for the earlier ones. *)
  and within env item failure most =
    let found = ranked env item failure in
    if !work < 0 || most = 1 then [ found ]
    else
      match Nodes.replace (Expression, failure.at) [ item ] with
      | [ next ] -> (
        match Type_items.undo env [ next ] with
        | Failed (Some other) when not (Nodes.inside other.at failure.at) ->
          found :: within env next other (most - 1)
        | _ -> [ found ])
      | _ -> [ found ]
  in
  Level_compat.kept (fun () -> from env program)

(* One candidate per line, in bytes; an empty line between errors. *)
let text found = String.concat "\n\n" (List.map (Nodes.ranges_text ~between:"\n") found)
