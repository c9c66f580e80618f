(* The types in a test of learn-ocaml, [[%ty: int -> int] "f"], with what stands beside them, as JSON
   for Python (formats/folders/witnesses.py).  Places are byte ranges. *)

open Parsetree
open Types_json

let range { Location.loc_start; loc_end; _ } =
  [ Number loc_start.pos_cnum; Number loc_end.pos_cnum ]

let nothing = kind "" [ Number 0; Number 0 ]

(* What an expression may name: it is a string, or a variable that holds one. *)
let naming e =
  match e.pexp_desc with
  | _ when Constant_compat.is_string e -> kind "string" (range e.pexp_loc)
  | Pexp_ident { txt = Longident.Lident _; _ } -> kind "variable" (range e.pexp_loc)
  | _ -> nothing

let written_type e =
  match e.pexp_desc with
  | Pexp_extension ({ txt = "ty" | "funty"; loc }, PTyp t) -> Some (loc, t)
  | _ -> None

(* What stands around the first type among the arguments of a call: the function, whether its inputs
   are drawn, the argument before, and the next one without a label. *)
let in_call f arguments =
  let draws (label, e) =
    match label with
    | Asttypes.Labelled "sampler" -> false
    | Labelled "gen" -> not (Constant_compat.is_zero e)
    | _ -> true
  in
  let name = match f.pexp_desc with Pexp_ident p -> Syntax.last_name p.txt | _ -> "" in
  let draws = List.for_all draws arguments in
  let rec go name before = function
    | (_, e) :: rest when written_type e <> None ->
      let after = match Syntax.unlabelled rest with e :: _ -> naming e | [] -> nothing in
      (e, [ Text name; Flag draws; before; after ]) :: go "" nothing rest
    | (_, e) :: rest -> go name (naming e) rest
    | [] -> []
  in
  go name nothing arguments

(* The JSON of a test: its types; where a string follows a variable; the variables that are strings;
   the functions at the top. *)
let of_structure structure =
  let types = ref [] and pairs = ref [] and strings = ref [] and around = ref [] in
  let bound = ref [] in
  let rec pair = function
    | (_, f) :: ((_, e) :: _ as rest) ->
      if Constant_compat.is_string e then pairs := List [ naming f; naming e ] :: !pairs;
      pair rest
    | _ -> ()
  in
  let expr e =
    (match e.pexp_desc with
     | Pexp_apply (f, arguments) ->
       pair ((Asttypes.Nolabel, f) :: arguments);
       around := in_call f arguments @ !around
     | _ -> ());
    match written_type e with
    | None -> ()
    | Some (loc, t) ->
      let call =
        match List.assq_opt e !around with
        | Some call -> call
        | None -> [ Text ""; Flag false; nothing; nothing ]
      in
      let name = Option.value ~default:"" (List.assq_opt e !bound) in
      let written = [ Number loc.loc_end.pos_cnum; Number t.ptyp_loc.loc_end.pos_cnum ] in
      types := List (range e.pexp_loc @ written @ (Text name :: type_ t :: call)) :: !types
  in
  let value_binding b =
    match Syntax.variable b.pvb_pat with
    | None -> ()
    | Some name ->
      bound := (b.pvb_expr, name) :: !bound;
      if Constant_compat.is_string b.pvb_expr then
        strings := List [ Text name; naming b.pvb_expr ] :: !strings
  in
  let iterator = Visit.each ~expr () in
  Visit.in_structure structure
    { iterator with value_binding = Visit.before value_binding Visit.default.value_binding };
  let helper i =
    match i.pstr_desc with
    | Pstr_value (_, { pvb_pat; pvb_expr; _ } :: _) when Function_compat.is_function pvb_expr ->
      Option.map
        (fun name -> List [ Text name; Number i.pstr_loc.loc_start.pos_cnum ])
        (Syntax.variable pvb_pat)
    | _ -> None
  in
  let in_order found = List (List.rev !found) in
  List [ in_order types; in_order pairs; in_order strings; List (List.filter_map helper structure) ]
