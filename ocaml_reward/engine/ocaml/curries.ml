open Parsetree
open Nodes
open Remedies
open Slips

let of_functions holes program =
  let found = ref [] in
  let is_wrong place = List.exists (same place) holes in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    (match Functions.unary_function e with
     | Some (pattern, body) when is_wrong pattern.ppat_loc -> (
       (* [List.mapi (fun (i, x) -> …)] *)
       match (tuple_parts pattern, List.filter (fun hole -> inside hole e.pexp_loc) holes) with
       | (_ :: _ :: _ as parts), (_ :: _ :: _ as cured) ->
         let meant _ = List.fold_right Functions.lambda parts body in
         found := instead e.pexp_loc cured (with_expression e.pexp_loc meant) :: !found
       | _ -> ())
     | _ -> ());
    default.expr self e
  in
  let iterator = { default with expr } in
  iterator.structure iterator program;
  List.rev !found
