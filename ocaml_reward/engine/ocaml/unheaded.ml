open Parsetree
open Nodes
open Slips

exception Otherwise

let start e = e.pexp_loc.Location.loc_start.pos_cnum
let stop e = e.pexp_loc.Location.loc_end.pos_cnum
let column (at : Lexing.position) = at.pos_cnum - at.pos_bol

let name e =
  match e.pexp_desc with Pexp_ident { txt = Longident.Lident name; _ } -> Some name | _ -> None

(* Where names begin a line at the margin of an item, and where an expression does that is an
   item. *)
let lines item =
  let first = item.pstr_loc.loc_start in
  let is_expression = match item.pstr_desc with Pstr_eval _ -> true | _ -> false in
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    let at = e.pexp_loc.loc_start in
    let is_line = at.pos_lnum > first.pos_lnum && column at = column first in
    if name e <> None && (is_line || is_expression && at = first) then
      found := at.pos_cnum :: !found;
    default.expr self e
  in
  let iterator = { default with expr } in
  iterator.structure_item iterator item;
  List.sort_uniq compare !found

let is_infix f left = start f > start left

(* An expression parted at such a line: what stands before, the words that the line begins with,
   and what stands behind its equals sign. *)
type parted = { before : expression; words : expression list; body : expression option }

let rec parted at e =
  let with_body own body = { own with body = Some { e with pexp_desc = body } } in
  let with_before own before = { own with before = { e with pexp_desc = before } } in
  match e.pexp_desc with
  | Pexp_ident _ when start e = at ->
    { before = hole_expression e.pexp_loc; words = [ e ]; body = None }
  | Pexp_apply (f, [ (_, left); (_, right) ]) when is_infix f left ->
    if at < stop left then
      let own = parted at left in
      match own.body with
      | None when name f = Some "=" -> { own with body = Some right }
      | None -> raise Otherwise
      | Some body -> with_body own (Pexp_apply (f, [ (Nolabel, body); (Nolabel, right) ]))
    else if start right < at then
      let own = parted at right in
      with_before own (Pexp_apply (f, [ (Nolabel, left); (Nolabel, own.before) ]))
    else raise Otherwise
  | Pexp_apply (f, arguments)
    when start f = at || List.exists (fun (_, e) -> start e = at) arguments ->
    let behind, own = List.partition (fun (_, e) -> start e >= at) arguments in
    let words = List.map snd behind in
    let own =
      if own = [] then { before = f; words; body = None }
      else with_before { before = f; words; body = None } (Pexp_apply (f, own))
    in
    if start f = at then { own with words = f :: words } else own
  | Pexp_sequence (a, b) when at < stop a -> (
    let own = parted at a in
    match own.body with
    | Some body -> with_body own (Pexp_sequence (body, b))
    | None -> raise Otherwise)
  | _ ->
    (* In the last part of anything else. *)
    let found = ref None in
    let default = Ast_mapper.default_mapper in
    let expr _ part =
      if stop part <= at then part
      else if start part >= at then raise Otherwise
      else begin
        let own = parted at part in
        found := Some own;
        own.before
      end
    in
    let before = default.expr { default with expr } e in
    (match !found with Some own -> { own with before } | None -> raise Otherwise)

let names_in e =
  let found = ref Names.Set.empty in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    Option.iter (fun name -> found := Names.Set.add name !found) (name e);
    default.expr self e
  in
  let iterator = { default with expr } in
  iterator.expr iterator e;
  !found

(* What a word of a definition's head would be as its parameter. *)
let taking word body =
  let loc = word.pexp_loc in
  let open Ast_helper in
  match (word.pexp_desc, name word) with
  | _, Some name -> Functions.lambda (Pat.var ~loc (Location.mkloc name loc)) body
  | Pexp_construct (path, None), None -> Functions.lambda (Pat.construct ~loc path None) body
  | _ ->
    let names = names_in word in
    let bound = Exp.let_ ~loc Asttypes.Nonrecursive (hole_bindings loc names) body in
    Functions.lambda (Pat.any ~loc ()) (if Names.Set.is_empty names then body else bound)

(* The definition that a line is.  Its first word may be its name, or its keyword: whichever it
   is not is there at any type, too, and if that is [loose] its own name is. *)
let definition ~loose words body =
  let open Ast_helper in
  let used = names_in body in
  let named, other, parameters =
    match words with
    | first :: second :: more when Option.fold (name second) ~none:false
                                     ~some:(fun n -> not (Names.Set.mem n used)) ->
      (second, name first, more)
    | first :: more -> (first, Option.bind (List.nth_opt more 0) name, more)
    | [] -> raise Otherwise
  in
  let loc = { named.pexp_loc with loc_ghost = true } in
  let own = match name named with Some name -> name | None -> raise Otherwise in
  let recursive = if parameters = [] then Asttypes.Nonrecursive else Recursive in
  let body = List.fold_right taking parameters body in
  let pattern = Pat.var ~loc (Location.mkloc own loc) in
  Str.value ~loc recursive [ Vb.mk ~loc pattern body ]
  ::
  (match List.filter (fun name -> loose || name <> own) (own :: Option.to_list other) with
   | [] -> []
   | names -> [ hole_values loc (Names.Set.of_list names) ])

(* The definitions that an expression goes on in, behind what stands before them.  Each first word
   but the first of all stays, where it is wrong: it is a mistake of its own. *)
let rec definitions ~loose lines e =
  match List.filter (fun at -> start e <= at && at < stop e) lines with
  | [] -> (e, [])
  | at :: later -> (
    match parted at e with
    | { body = None; _ } -> raise Otherwise
    | { before; words; body = Some body } ->
      let body, behind = definitions ~loose later body in
      (before, (List.hd words, definition ~loose words body) :: behind))

let items_of = function
  | [] -> raise Otherwise
  | (head, first) :: more ->
    let with_head (head, own) = Ast_helper.Str.eval ~loc:head.pexp_loc head :: own in
    (head, first @ List.concat_map with_head more)

let meant ~loose item =
  match item.pstr_desc with
  | Pstr_eval (e, _) -> items_of (snd (definitions ~loose (lines item) e))
  | Pstr_value (recursive, bindings) -> (
    match List.rev bindings with
    | last :: before ->
      let pvb_expr, behind = definitions ~loose (lines item) last.pvb_expr in
      let head, items = items_of behind in
      let bindings = List.rev ({ last with pvb_expr } :: before) in
      (head, { item with pstr_desc = Pstr_value (recursive, bindings) } :: items)
    | [] -> raise Otherwise)
  | _ -> raise Otherwise

let with_items place items program =
  let default = Ast_mapper.default_mapper in
  let structure self own =
    let put item = if item.pstr_loc = place then items else [ item ] in
    List.concat_map put (default.Ast_mapper.structure self own)
  in
  let mapper = { default with structure } in
  mapper.structure mapper program

let of_items holes program =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let structure_item self item =
    let place = item.pstr_loc in
    let own = List.filter (fun hole -> inside hole place) holes in
    let later = List.filter (fun hole -> is_after hole place) holes in
    let suspect loose =
      match if own = [] then raise Otherwise else meant ~loose item with
      | exception Otherwise -> []
      | head, items -> (
        (* Later versions find all of a call wrong that has too many arguments. *)
        match List.partition (inside head.pexp_loc) own with
        | missing, others when missing <> [] && others @ later <> [] ->
          [ instead place (missing @ others @ later) (with_items place items) ]
        | _ -> [])
    in
    (* Behind it may stand a wrong use, which no one has seen as long as the name was missing. *)
    found := !found @ List.concat_map suspect [ false; true ];
    default.structure_item self item
  in
  let iterator = { default with structure_item } in
  iterator.structure iterator program;
  !found
