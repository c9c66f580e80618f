open Parsetree
open Syntax
module Set = Names.Set

let begins_item line =
  List.exists
    (fun word ->
      let n = String.length word in
      String.length line >= n && String.sub line 0 n = word)
    [ "let "; "type "; "module "; "exception "; "open "; "(*"; "external "; "class " ]

(* The items of a piece up to where it does not parse. *)
let rec items lines =
  match parse_text Parse.implementation "prompt.ml" (String.concat "\n" lines) with
  | structure -> structure
  | exception _ -> (
    let rec without = function
      | [] -> []
      | line :: before -> if begins_item line then before else without before
    in
    match List.rev (without (List.rev lines)) with [] -> [] | fewer -> items fewer)

let nowhere_at_all =
  let mapper = { Ast_mapper.default_mapper with location = (fun _ _ -> Location.none) } in
  mapper.structure_item mapper

(* The name that an item gives to a value, and the value. *)
let defines i =
  match i.pstr_desc with
  | Pstr_value (_, [ { pvb_pat; pvb_expr; _ } ]) ->
    Option.map
      (fun name -> (name, Format.asprintf "%a" Pprintast.expression pvb_expr))
      (Binding_time.variable pvb_pat)
  | _ -> None

let is_library known i =
  let standard = Lazy.force Names.standard in
  let free = Free_names.names [ i ] in
  let constructors = Names.mentioned_constructors [ i ] in
  Set.subset free.values (Set.union known standard.values)
  && Set.subset free.modules standard.modules
  && Set.subset free.types standard.types
  && Set.for_all (fun c -> Names.Map.mem c (Lazy.force Names.standard_constructors)) constructors

let given ~asked ~used ~reference pieces =
  let items = List.concat_map (fun text -> items (String.split_on_char '\n' text)) pieces in
  let stubs = Stubs.names items in
  let solved = List.filter_map defines reference in
  (* A reference that has it otherwise was asked for it. *)
  let is_given name value =
    (not (Set.mem name asked || Set.mem name stubs))
    && List.for_all (fun (other, theirs) -> other <> name || theirs = value) solved
  in
  let add (known, found) i =
    match defines i with
    | Some (name, value) when is_library known i && is_given name value ->
      (Set.add name known, (name, nowhere_at_all i) :: found)
    | Some (name, _) -> (Set.remove name known, List.remove_assoc name found)
    | None -> (known, found)
  in
  let known, found = List.fold_left add (Set.empty, []) items in
  let finished name = not (Set.mem name stubs) in
  let all = Set.of_list (List.filter finished (List.map fst (List.filter_map defines items))) in
  if Set.subset used.Names.values all && Set.is_empty used.modules then []
  else
    let keep (wanted, kept) (name, i) =
      if Set.mem name wanted then
        (Set.union (Free_names.names [ i ]).Names.values wanted, i :: kept)
      else (wanted, kept)
    in
    snd (List.fold_left keep (Set.inter used.values known, []) found)
