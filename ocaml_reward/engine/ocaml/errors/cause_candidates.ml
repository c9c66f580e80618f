(* Proposes causes that several errors may share: a wrong definition, a wrong declared type, or
   the parts of a tuple in another order. *)

open Parsetree
open Nodes
open Edits
open Mentions

(* A possible common cause of errors. *)
type suspect = {
  place : Location.t;
  kept : Location.t option;  (* an unbound name in here is the mistake itself *)
  cured : Location.t list;  (* the errors that it may explain; it has to explain the first *)
  freed : structure -> structure;
}

(* The suspect of a place. *)
let instead ?kept place cured freed = { place; kept; cured; freed }

(* Two functions: one returns the errors near at least [times] mentions of a name, the other whether
   most of its mentions outside a location have errors. (ucsd-progsys/nate sp14/2475) *)
let suspected holes read =
  let found = Hashtbl.create 16 and all = Hashtbl.create 16 in
  let holes = Array.of_list holes in
  let of_mention mention =
    let near = ref [] in
    for i = Array.length holes - 1 downto 0 do
      if inside mention.at read.contexts.(i) || inside holes.(i) mention.reach then
        near := holes.(i) :: !near
    done;
    Hashtbl.add all mention.name (mention.at, !near <> []);
    if !near <> [] then Hashtbl.add found mention.name !near
  in
  List.iter of_mention read.mentions;
  let is_denied name place =
    let uses = List.filter (fun (at, _) -> not (inside at place)) (Hashtbl.find_all all name) in
    2 * List.length (List.filter snd uses) > List.length uses
  in
  let near times name =
    match Hashtbl.find_all found name with
    | mentions when List.compare_length_with mentions times >= 0 ->
      let is_near hole = List.exists (List.memq hole) mentions in
      List.filter is_near (Array.to_list holes)
    | _ -> []
  in
  (near, is_denied)

(* The number of parameters that a function takes. *)
let rec taken e =
  match Function_compat.opened e with
  | Some (parameters, Body body) -> List.length parameters + taken body
  | Some (parameters, Cases _) -> List.length parameters + 1
  | None -> 0

(* The suspect that a definition is wrong, such as one without a parameter, since most of its uses
   contradict it. (ucsd-progsys/nate fa15/3079) *)
let of_all_uses name place cured =
  let freed program = with_any_uses name place (with_free_calls name place program) in
  instead ~kept:place place cured freed

(* The suspects among definitions.  A local value that is no function needs three uses with errors.
   (sauravbhattacharya001/Ocaml-sample-code finger_tree.ml) *)
let of_bindings holes ~is_missing ~is_denied read suspected =
  let of_binding (recursive, of_structure, b) =
    match Syntax.variable b.pvb_pat with
    | Some name -> (
      let place = b.pvb_loc in
      let is_wrong = List.exists (fun hole -> inside hole place) holes in
      (* If it lacks a parameter, calls have too many arguments. *)
      let calls =
        let is_it (_, f, _) =
          match f.pexp_desc with Pexp_ident { txt; _ } -> Syntax.last_name txt = name | _ -> false
        in
        List.filter is_it read.calls
      in
      let is_overfull (_, _, arguments) =
        List.compare_length_with arguments (taken b.pvb_expr) > 0
      in
      let is_denied within =
        if not (List.exists is_missing within) then is_denied name place
        else
          List.exists is_overfull calls
          && (is_denied name place || List.for_all is_overfull calls)
      in
      let is_function = of_structure || Function_compat.is_function b.pvb_expr in
      match suspected (if is_wrong then 1 else if is_function then 2 else 3) name with
      | [] -> []
      | cured when not is_wrong -> [ instead place cured (with_unknown name place) ]
      | near ->
        let within = List.filter (fun hole -> inside hole place) holes in
        let cured = near @ List.filter (fun hole -> not (List.memq hole near)) within in
        (* Unbound names stay unbound. *)
        let others = List.filter (fun hole -> not (is_missing hole)) cured in
        (if recursive = Asttypes.Nonrecursive then []
         else [ instead ~kept:place place cured (with_free_calls name place) ])
        @
        if others <> [] && is_denied within then [ of_all_uses name place others ] else [])
    | None -> []
  in
  List.concat_map of_binding read.bindings

(* Other orders of a tuple's or a constructor's arguments: the mistake in 24 of 2,712 ill-typed
   programs of students. (ucsd-progsys/nate sp14/0184) *)
let orders = function
  | [ a; b ] -> [ [ b; a ] ]
  | [ a; b; c ] -> [ [ b; c; a ]; [ c; a; b ] ]
  | _ -> []

(* The suspects among tuples whose parts may be in another order. *)
let of_tuples holes program =
  let found = ref [] in
  let expr e =
    let is_wrong part = List.exists (same part.pexp_loc) holes in
    let wrong = List.filter is_wrong (Path_compat.tuple e) in
    let cured = List.filter (fun hole -> inside hole e.pexp_loc) holes in
    let in_order other =
      let moved = List.map2 (fun part other -> (part.pexp_loc, other)) wrong other in
      instead e.pexp_loc cured (with_expressions moved)
    in
    found := !found @ List.map in_order (orders wrong)
  in
  Visit.(in_structure program (each ~expr ()));
  !found

(* Types that an error may suggest in the place of a declared one. *)
let base_types = [ "int"; "string"; "float"; "bool"; "char"; "unit" ]

(* Alternatives for a declared type, from the [words] of an error. *)
let others words t =
  let open Ast_helper in
  let named name arguments = Typ.constr (Location.mknoloc (Longident.Lident name)) arguments in
  let is_said name = List.mem name words in
  let wrappers = "option" :: "list" :: List.filter is_said [ "array"; "ref" ] in
  let base = List.filter is_said base_types in
  let without =
    match t.ptyp_desc with
    | Ptyp_constr (_, [ inner ]) -> inner :: List.map (fun other -> named other [ inner ]) wrappers
    | _ -> []
  in
  without
  @ List.map (fun name -> named name []) base
  @ List.map (fun name -> named name [ t ]) wrappers

(* A type and the types in it. *)
let parts t =
  let found = ref [] in
  let iterator = Visit.each ~typ:(fun t -> found := t :: !found) () in
  iterator.typ iterator t;
  List.rev !found

(* The suspects among the declared types of constructors and fields. *)
let of_components words holes program read suspected =
  let below = denied_below (denied holes program) program in
  let of_component (name, t) =
    let near = suspected 1 name in
    let is_near hole = List.memq hole near || List.mem (name, hole) below in
    match List.filter is_near holes with
    | [] | [ _ ] -> []
    | shown :: _ as cured ->
      let words = words shown in
      let is_said t =
        match t.ptyp_desc with
        | Ptyp_constr ({ txt; _ }, _) -> List.mem (Syntax.last_name txt) words
        | _ -> false
      in
      List.concat_map
        (fun part ->
          let place = part.ptyp_loc in
          List.map
            (fun other ->
              instead place cured (with_type place other))
            (others words part))
        (List.filter is_said (parts t))
  in
  List.concat_map of_component read.components

(* All suspects; those that may explain most errors come first. *)
let suspects (found : Holes.hole list) program =
  let holes = List.map (fun (hole : Holes.hole) -> hole.loc) found in
  let words shown =
    let hole = List.find (fun (hole : Holes.hole) -> hole.loc == shown) found in
    Followups.names_in hole.report
  in
  let is_missing shown =
    List.exists (fun (hole : Holes.hole) -> hole.loc == shown && hole.missing) found
  in
  let read = Mentions.read holes program in
  let suspected, is_denied = suspected holes read in
  let candidates =
    of_tuples holes program
    @ of_bindings holes ~is_missing ~is_denied read suspected
    @ of_components words holes program read suspected
  in
  let outermost { cured; _ } =
    let lies_in hole other = other != hole && inside hole other in
    List.filter (fun hole -> not (List.exists (lies_in hole) cured)) cured
  in
  let by_weight (a, _) (b, _) = List.compare_lengths b a in
  let weighed = List.map (fun suspect -> (outermost suspect, suspect)) candidates in
  List.map snd (List.stable_sort by_weight weighed)
