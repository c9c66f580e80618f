open Parsetree
open Nodes
open Slips

(* In the body the name stands for a value of one type that is not known yet. *)
let with_default name body program =
  let within e =
    let loc = { e.pexp_loc with loc_ghost = true } in
    Ast_helper.Exp.let_ ~loc Asttypes.Nonrecursive [ Remedies.unknown loc name ] e
  in
  Remedies.with_expression body.pexp_loc within program

let of_parameters near program =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    let parameters, body = Functions.curried e in
    let of_parameter (label, p) =
      match (label, p.ppat_desc) with
      | Asttypes.Optional _, Ppat_var { txt; _ } -> (
        match List.filter (fun hole -> inside hole body.pexp_loc) (near txt) with
        | _ :: _ :: _ as cured ->
          found := instead p.ppat_loc cured (with_default txt body) :: !found
        | _ -> ())
      | _ -> ()
    in
    List.iter of_parameter parameters;
    default.expr self e
  in
  let iterator = { default with expr } in
  iterator.structure iterator program;
  List.rev !found
