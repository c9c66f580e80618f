open Parsetree
open Nodes
open Remedies
open Mentions
open Slips
open Branching

type suspect = Slips.suspect = {
  place : Location.t;
  kept : Location.t option;
  cured : Location.t list;
  freed : structure -> structure;
}

(* The errors around which a name is mentioned so many times or more, and whether there are any
   around most of its mentions outside of a place. *)
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

(* A definition with a mistake in it that most of its uses deny: it lacks a parameter, say. *)
let of_all_uses name place cured =
  let freed program = with_any_uses name place (with_free_calls name place program) in
  instead ~kept:place place cured freed

(* Of a local value that is no function, two uses are as likely to be wrong as it is. *)
let of_bindings holes ~is_missing ~is_denied ~lacks_methods read suspected =
  let of_binding (recursive, of_structure, b) =
    match b.pvb_pat.ppat_desc with
    | Ppat_var { txt; _ } | Ppat_constraint ({ ppat_desc = Ppat_var { txt; _ }; _ }, _) -> (
      let place = b.pvb_loc in
      let is_wrong = List.exists (fun hole -> inside hole place) holes in
      (* Where it lacks a parameter, it is given too many arguments. *)
      let calls =
        let is_it (_, f, _) =
          match f.pexp_desc with Pexp_ident { txt = path; _ } -> last path = txt | _ -> false
        in
        List.filter is_it read.calls
      in
      let is_overfull (_, _, arguments) =
        List.compare_length_with arguments (taken b.pvb_expr) > 0
      in
      let is_denied within =
        if not (List.exists is_missing within) then is_denied txt place
        else
          List.exists is_overfull calls
          && (is_denied txt place || List.for_all is_overfull calls)
      in
      let is_function = of_structure || Functions.is_function b.pvb_expr in
      (* One use, that is wrong itself and makes what it is part of wrong. *)
      let uses times name =
        match (suspected times name, suspected 1 name) with
        | [], ([ one; other ] as both)
          when not (is_wrong || is_function) && (inside one other || inside other one) -> both
        | found, _ -> found
      in
      match uses (if is_wrong then 1 else if is_function then 2 else 3) txt with
      | [] when is_wrong && List.memq place read.partners -> (
        (* Others that it is recursive with have used it before it was read. *)
        match List.filter (fun hole -> inside hole place && not (is_missing hole)) holes with
        | _ :: _ :: _ as cured ->
          [ instead ~kept:place place cured (with_free_calls txt place) ]
        | _ -> [])
      | [] -> []
      | cured when (not is_wrong) && lacks_methods cured -> []
      | cured when not is_wrong ->
        (* A wrong call of itself may only have given it another type. *)
        let calls_itself =
          recursive = Asttypes.Recursive && Functions.is_function b.pvb_expr
          && List.exists (fun { name; at; _ } -> name = txt && inside at place) read.mentions
        in
        instead place cured (with_unknown txt place)
        :: (if calls_itself then [ instead place cured (with_free_calls txt place) ] else [])
      | near ->
        let within = List.filter (fun hole -> inside hole place) holes in
        let cured = near @ List.filter (fun hole -> not (List.memq hole near)) within in
        (* What is missing stays so. *)
        let others = List.filter (fun hole -> not (is_missing hole)) cured in
        let calls cured = instead ~kept:place place cured (with_free_calls txt place) in
        (if recursive = Asttypes.Nonrecursive then []
         else calls cured :: (if others = [] || others = cured then [] else [ calls others ]))
        @
        if others <> [] && is_denied within then [ of_all_uses txt place others ] else [])
    | _ -> []
  in
  List.concat_map of_binding read.bindings

(* A use that came first, and gave a variable a type that all others deny. *)
let of_uses holes read suspected =
  let tried = Hashtbl.create 8 in
  (* What the innermost parameter or case binds it in, if no definition in there does anew. *)
  let scope name at =
    let is_it (names, place) = Names.Set.mem name names && inside at place in
    let smaller a b = if size (snd b) < size (snd a) then b else a in
    match List.filter is_it read.scopes with
    | [] -> None
    | first :: more ->
      let _, place = List.fold_left smaller first more in
      let hides (_, _, b) =
        inside b.pvb_loc place && is_after at b.pvb_loc
        && Names.Set.mem name (Names.pattern_names b.pvb_pat)
      in
      if List.exists hides read.bindings then None else Some place
  in
  let of_mention { name; at; around; _ } =
    (* Others may have another variable of that name. *)
    let place, within =
      if around = Location.none then (around, [])
      else
        (* A condition tells a type by itself. *)
        match (suspected (if same at around then 1 else 2) name, scope name at) with
        | (_ :: _ as found), Some place ->
          (place, List.filter (fun hole -> inside hole place) found)
        | _ -> (around, [])
    in
    match within with
    | shown :: _ :: _ as cured
      when is_after shown around
           && not (List.exists (fun hole -> inside hole around) holes) ->
      Hashtbl.add tried (name, place) at;
      if List.length (Hashtbl.find_all tried (name, place)) > most_uses then None
      else
        let freed = with_expression around (fun _ -> hole_expression around) in
        Some (instead around cured freed)
    | _ -> None
  in
  List.filter_map of_mention read.mentions

let suspects (found : Holes.hole list) program =
  let holes = List.map (fun (hole : Holes.hole) -> hole.loc) found in
  let words shown =
    let hole = List.find (fun (hole : Holes.hole) -> hole.loc == shown) found in
    Cascade.names_in hole.report
  in
  let is_missing shown =
    List.exists (fun (hole : Holes.hole) -> hole.loc == shown && hole.missing) found
  in
  let lacks_method shown =
    List.exists
      (fun (hole : Holes.hole) -> hole.loc == shown && Cascade.lacks_method hole.report)
      found
  in
  (* Other methods each, or one beside a single error of another kind: an object of another type
     would be the same mistake so often. *)
  let lacks_methods cured =
    let names = List.filter_map (fun shown -> Cascade.method_lacked (words shown)) cured in
    let others = List.length cured - List.length names in
    if others = 0 then List.compare_lengths (List.sort_uniq compare names) cured = 0
    else names <> [] && others = 1
  in
  let read = Mentions.read holes program in
  let suspected, is_denied = suspected holes read in
  (* What its writer meant is known then. *)
  let put_right =
    Orders.of_calls holes read
    @ Orders.of_pipes holes read
    @ Exchanges.of_calls holes read program
    @ Parameters.of_declarations holes program
    @ Unheaded.of_items holes program
    @ Optionals.of_parameters (suspected 1) program
    @ Curries.of_functions holes program
    @ of_operands holes read
    @ of_nested holes read
    @ of_conditions holes read
    @ of_commas holes read
    @ of_crowded holes program
    @ of_infixes holes ~is_missing read
    @ Asides.of_operators holes ~is_missing read
    @ of_items holes read
  in
  let of_any_type =
    Exchanges.of_tuples holes program
    @ Exchanges.of_patterns holes program
    @ of_calls holes read
    @ of_matches holes read
    @ of_branches holes read
    @ of_elements holes read
    @ of_annotations suspected (List.filter (fun hole -> not (lacks_method hole)) holes) read
    @ of_gadts holes read
    @ of_bindings holes ~is_missing ~is_denied ~lacks_methods read suspected
    @ of_uses holes read suspected
    @ Declared.of_constructors words holes read
    @ Declared.of_components words holes program read suspected
    @ Declared.of_keys words holes program
  in
  let outermost { cured; _ } =
    let lies_in hole other = other != hole && inside hole other in
    List.filter (fun hole -> not (List.exists (lies_in hole) cured)) cured
  in
  let by_weight (a, _) (b, _) = List.compare_lengths b a in
  let in_order found =
    let weighed = List.map (fun suspect -> (outermost suspect, suspect)) found in
    List.map snd (List.stable_sort by_weight weighed)
  in
  in_order put_right @ in_order of_any_type
