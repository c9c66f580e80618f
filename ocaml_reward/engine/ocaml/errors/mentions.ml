(* Collects names mentioned near the errors of a program, with their definitions. *)

open Parsetree
open Nodes

type mention = {
  name : string;
  at : Location.t;
  reach : Location.t;  (* the whole application *)
}

(* Reads a program with errors at these locations. *)
type read = {
  contexts : Location.t array;  (* the smallest node around each error *)
  mentions : mention list;
  bindings : (Asttypes.rec_flag * bool * value_binding) list;  (* [true]: of a structure *)
  calls : (Location.t * expression * (Asttypes.arg_label * expression) list) list;
}

(* Reads a program with errors at these locations. *)
let read holes program =
  let holes = Array.of_list holes in
  let contexts = Array.map (fun _ -> Location.none) holes in
  let mentions = ref [] and bindings = ref [] and calls = ref [] in
  let call = ref Location.none in
  (* Smaller nodes come later. *)
  let enclose place =
    Array.iteri
      (fun i hole ->
        if inside hole place && not (same hole place) then contexts.(i) <- place)
      holes
  in
  let head = ref Location.none in
  let expr self e =
    enclose e.pexp_loc;
    (match e.pexp_desc with
     | Pexp_ident { txt; loc } ->
       let reach = if same e.pexp_loc !head then !call else Location.none in
       mentions := { name = Syntax.last_name txt; at = loc; reach } :: !mentions
     | Pexp_let (recursive, own, _) ->
       bindings := List.map (fun b -> (recursive, false, b)) own @ !bindings
     | Pexp_apply (f, arguments) ->
       head := f.pexp_loc;
       calls := (e.pexp_loc, f, arguments) :: !calls
     | _ -> ());
    match e.pexp_desc with
    | Pexp_apply _ ->
      let before = !call in
      call := e.pexp_loc;
      Visit.default.expr self e;
      call := before
    | _ -> Visit.default.expr self e
  in
  let pat self p =
    enclose p.ppat_loc;
    Visit.default.pat self p
  in
  let typ _ _ = () in
  let structure_item self item =
    (match item.pstr_desc with
     | Pstr_value (recursive, own) ->
       bindings := List.map (fun b -> (recursive, true, b)) own @ !bindings
     | _ -> ());
    Visit.default.structure_item self item
  in
  let iterator = { Visit.default with expr; pat; typ; structure_item } in
  iterator.structure iterator program;
  {
    contexts;
    mentions = List.rev !mentions;
    bindings = List.rev !bindings;
    calls = List.rev !calls;
  }
