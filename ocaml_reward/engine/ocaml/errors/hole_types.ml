(* Gives definitions with a type error any type, so that their uses do not fail as well. *)

open Parsetree
open Nodes

(* The names defined by bindings with errors; recursive ones have their types together. *)
let wrong holes recursive bindings =
  let holds_one binding = List.exists (fun hole -> inside hole binding.pvb_loc) holes in
  let bindings =
    match recursive with
    | Asttypes.Nonrecursive -> List.filter holds_one bindings
    | Recursive -> if List.exists holds_one bindings then bindings else []
  in
  Names.bound_names bindings

(* The values that an item defines with an error in them.
   (ucsd-progsys/yunounderstand-data fa15/student05.hw1:217) *)
let values holes item =
  match item.pstr_desc with
  | Pstr_value (recursive, bindings) -> wrong holes recursive bindings
  | _ -> Names.Set.empty

(* The mapper that gives values any type for their uses: those that [names] selects of the bindings
   of a [let]. *)
let mapper names =
  let expr self e =
    let e = Visit.mapper.expr self e in
    match e.pexp_desc with
    | Pexp_let (recursive, bindings, body) ->
      let body = with_holes body.pexp_loc (names recursive bindings) body in
      { e with pexp_desc = Pexp_let (recursive, bindings, body) }
    | _ -> e
  in
  let structure self items =
    let with_values item =
      match item.pstr_desc with
      | Pstr_value (recursive, bindings) ->
        let names = names recursive bindings in
        if Names.Set.is_empty names then [ item ] else [ item; hole_values item.pstr_loc names ]
      | _ -> [ item ]
    in
    List.concat_map with_values (Visit.mapper.structure self items)
  in
  { Visit.mapper with expr; structure }

(* The item with any type for its local definitions with an error. (ucsd-progsys/nate sp14/1176) *)
let inner holes item =
  if holes = [] then item else Visit.map_item item (mapper (wrong holes))

(* The items with any type for the values that they define with an error, local ones too. *)
let all holes items =
  if holes = [] then items else Visit.map items (mapper (wrong holes))
