open Parsetree
open Nodes
open Remedies
open Slips

let of_calls holes (read : Mentions.read) =
  let in_order arguments call =
    match call.pexp_desc with
    | Pexp_apply (f, _) -> { call with pexp_desc = Pexp_apply (f, arguments) }
    | _ -> call
  in
  let of_call (place, _, arguments) =
    let orders =
      match (all_wrong holes arguments, arguments) with
      | [ (Asttypes.Nolabel, a); (Asttypes.Nolabel, b) ], _ ->
        let other e = if e == a then b else if e == b then a else e in
        [ List.map (fun (label, e) -> (label, other e)) arguments ]
      | [ _; _; _ ], [ ((Asttypes.Nolabel, _) as a); (Nolabel, _) as b; (Nolabel, _) as c ] ->
        [ [ b; c; a ]; [ c; a; b ] ]
      | _ -> []
    in
    let cured = List.filter (fun hole -> inside hole place) holes in
    List.map (fun order -> instead place cured (with_expression place (in_order order))) orders
  in
  List.concat_map of_call read.calls

(* Where a value might stand among the arguments, but for the last place. *)
let rec places value = function
  | [] -> []
  | first :: rest as all ->
    (value :: all) :: List.map (fun order -> first :: order) (places value rest)

let of_pipes holes (read : Mentions.read) =
  let of_call (place, pipe, arguments) =
    match (pipe.pexp_desc, arguments) with
    | ( Pexp_ident { txt = Lident "|>"; _ },
        [ (Asttypes.Nolabel, value); (_, { pexp_desc = Pexp_apply (f, own); pexp_loc; _ }) ] )
      when List.exists (fun hole -> inside hole pexp_loc) holes -> (
      let is_it hole = inside hole pexp_loc || same hole value.pexp_loc in
      match List.filter is_it holes with
      | _ :: _ :: _ as cured ->
        let order arguments =
          let meant e = { e with pexp_desc = Pexp_apply (f, arguments) } in
          instead place cured (with_expression place meant)
        in
        List.map order (places (Asttypes.Nolabel, value) own)
      | _ -> [])
    | _ -> []
  in
  List.concat_map of_call read.calls
