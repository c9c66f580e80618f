(* Steps: code ticks at the head of each function and of each turn of a loop, so that it can be
   limited by what it does and not by the machine's speed (run/steps.h).  Any computation without
   end has such a head, or is in the library.  The Lambda code ticks, not the source, so that types
   and messages are of the code as it was written. *)

open Lambda

let tick =
  let primitive = Primitive.simple ~name:"ocaml_reward_tick" ~arity:1 ~alloc:false in
  Lprim (Pccall primitive, [ lambda_unit ], Loc_unknown)

let before body = Lsequence (tick, body)

(* Whether a function is the code's, by its place, in a unit with the tests (check_request.ml): these
   are not, nor what we add, which has no place; [inside] is whether the function around it is. *)
let is_of_code ~inside = function
  | Debuginfo.Scoped_location.Loc_unknown -> inside
  | Loc_known { loc = { loc_start = { pos_fname; _ }; _ }; _ } ->
    not (List.mem pos_fname [ "tests.ml"; Location.none.loc_start.pos_fname; "" ])

(* Lambda code that ticks.  Of a unit with the tests in it ([merged]) the code's functions do; a loop
   has no place, so that those outside of functions do, too. *)
let added ~merged lambda =
  let rec within ~loops ~inside lambda =
    let found =
      Lambda_compat.map_parts
        (within ~loops ~inside)
        (fun loc body ->
          let ours = (not merged) || is_of_code ~inside loc in
          let body = within ~loops:ours ~inside:ours body in
          if ours then before body else body)
        lambda
    in
    match found with
    | Lwhile (test, body) when loops -> Lwhile (test, before body)
    | Lfor (i, first, last, direction, body) when loops ->
      Lfor (i, first, last, direction, before body)
    | other -> other
  in
  within ~loops:true ~inside:false lambda
