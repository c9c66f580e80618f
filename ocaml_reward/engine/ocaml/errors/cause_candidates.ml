open Parsetree
open Nodes
open Edits
open Mentions

type suspect = {
  place : Location.t;
  kept : Location.t option;
  cured : Location.t list;
  freed : structure -> structure;
}

let instead ?kept place cured freed = { place; kept; cured; freed }

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

let is_constant e =
  match e.pexp_desc with Pexp_constant _ | Pexp_construct (_, None) -> true | _ -> false

(* Whether an operator stands between wrong constants of one kind: [1.5 + 2.5]. *)
let is_between_constants holes f arguments =
  let kind e =
    match e.pexp_desc with
    | Pexp_constant c when List.exists (same e.pexp_loc) holes -> (
      match (Pprintast.string_of_expression e).[0] with
      | ('"' | '\'') as quote -> Some quote
      | '{' -> Some '"'
      | _ -> Some (if Constant_compat.integer c = "" then '.' else '0'))
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

let rec taken e =
  match Function_compat.opened e with
  | Some (parameters, Body body) -> List.length parameters + taken body
  | Some (parameters, Cases _) -> List.length parameters + 1
  | None -> 0

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
      let is_function = of_structure || Function_compat.is_function b.pvb_expr in
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
          recursive = Asttypes.Recursive && Function_compat.is_function b.pvb_expr
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

(* How many uses of one variable are looked at. *)
let most_uses = 3

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

(* Patterns that fit each other, and not what is matched. *)
let of_matches holes read =
  let of_match (place, patterns) =
    let wrong hole = List.exists (inside hole) patterns in
    match List.filter wrong holes with
    | _ :: _ :: _ as cured ->
      let freed = with_expression place (fun _ -> hole_expression place) in
      [ instead place cured freed ]
    | _ -> []
  in
  List.concat_map of_match read.matches

(* Branches agree, but for one before them, which gave all their type. *)
let of_branches holes read =
  let is_exit e =
    match e.pexp_desc with
    | Pexp_assert _ -> true
    | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ }, _) ->
      List.mem name [ "raise"; "failwith"; "invalid_arg" ]
    | _ -> false
  in
  (* What a function gives by calling itself has no type of its own. *)
  let calls_itself e =
    match e.pexp_desc with
    | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ }, _) ->
      let is_it (recursive, _, b) =
        recursive = Asttypes.Recursive && inside e.pexp_loc b.pvb_loc
        && Names.Set.mem name (Names.pattern_names b.pvb_pat)
      in
      List.exists is_it read.bindings
    | _ -> false
  in
  let of_branch (item, branches) =
    let holds e = List.exists (fun hole -> inside hole e.pexp_loc) holes in
    let rec parted before = function
      | e :: _ when holds e -> Some (List.rev before, e)
      | e :: rest -> parted (if is_exit e then before else e :: before) rest
      | [] -> None
    in
    match parted [] branches with
    | None | Some ([], _) -> []
    | Some ((earliest :: more as before), wrong) ->
      let first = List.find (fun hole -> inside hole wrong.pexp_loc) holes in
      let suspect { pexp_loc = place; _ } =
        let is_later hole =
          hole != first && inside hole item && (is_after hole place || inside first hole)
        in
        match List.filter is_later holes with
        | [] -> None
        | others ->
          let freed = with_expression place (fun _ -> hole_expression place) in
          Some (instead place (first :: others) freed)
      in
      let tried =
        if List.compare_length_with more 2 < 0 then before
        else
          match List.find_opt (fun e -> not (calls_itself e)) before with
          | Some e when e != earliest -> [ e; earliest ]
          | _ -> [ earliest ]
      in
      List.filter_map suspect tried
  in
  List.concat_map of_branch read.branches

(* The parts of a tuple, or the arguments of a constructor, in another order: of 2,712 ill-typed
   programs of students 24 are so. *)
let orders = function
  | [ a; b ] -> [ [ b; a ] ]
  | [ a; b; c ] -> [ [ b; c; a ]; [ c; a; b ] ]
  | _ -> []

let of_tuples holes program =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    let is_wrong part = List.exists (same part.pexp_loc) holes in
    let wrong = List.filter is_wrong (Path_compat.tuple e) in
    let cured = List.filter (fun hole -> inside hole e.pexp_loc) holes in
    let in_order other =
      let moved = List.map2 (fun part other -> (part.pexp_loc, other)) wrong other in
      instead e.pexp_loc cured (with_expressions moved)
    in
    found := !found @ List.map in_order (orders wrong);
    default.expr self e
  in
  let iterator = { default with expr } in
  iterator.structure iterator program;
  !found

let base_types = [ "int"; "string"; "float"; "bool"; "char"; "unit" ]

(* What a declared type could say instead, by the [words] of an error. *)
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

let parts t =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let typ self t =
    found := t :: !found;
    default.typ self t
  in
  let iterator = { default with typ } in
  iterator.typ iterator t;
  List.rev !found

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
        | Ptyp_constr ({ txt; _ }, _) -> List.mem (last txt) words
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

let suspects (found : Holes.hole list) program =
  let holes = List.map (fun (hole : Holes.hole) -> hole.loc) found in
  let words shown =
    let hole = List.find (fun (hole : Holes.hole) -> hole.loc == shown) found in
    Followups.names_in hole.report
  in
  let is_missing shown =
    List.exists (fun (hole : Holes.hole) -> hole.loc == shown && hole.missing) found
  in
  let lacks_method shown =
    List.exists
      (fun (hole : Holes.hole) -> hole.loc == shown && Followups.lacks_method hole.report)
      found
  in
  (* Other methods each, or one beside a single error of another kind: an object of another type
     would be the same mistake so often. *)
  let lacks_methods cured =
    let names = List.filter_map (fun shown -> Followups.method_lacked (words shown)) cured in
    let others = List.length cured - List.length names in
    if others = 0 then List.compare_lengths (List.sort_uniq compare names) cured = 0
    else names <> [] && others = 1
  in
  let read = Mentions.read holes program in
  let suspected, is_denied = suspected holes read in
  let candidates =
    of_calls holes read
    @ of_tuples holes program
    @ of_matches holes read
    @ of_branches holes read
    @ of_annotations suspected (List.filter (fun hole -> not (lacks_method hole)) holes) read
    @ of_bindings holes ~is_missing ~is_denied ~lacks_methods read suspected
    @ of_uses holes read suspected
    @ of_components words holes program read suspected
  in
  let outermost { cured; _ } =
    let lies_in hole other = other != hole && inside hole other in
    List.filter (fun hole -> not (List.exists (lies_in hole) cured)) cured
  in
  let by_weight (a, _) (b, _) = List.compare_lengths b a in
  let weighed = List.map (fun suspect -> (outermost suspect, suspect)) candidates in
  List.map snd (List.stable_sort by_weight weighed)
