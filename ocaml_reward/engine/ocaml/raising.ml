open Parsetree
module Set = Names.Set

(* Whoever calls anything else may meet any exception. *)
exception Any

let raised_by path =
  match path with
  | [ "Stdlib"; name ] | [ name ] -> (
    match name with
    | "failwith" | "int_of_string" | "float_of_string" -> [ "Failure" ]
    | "invalid_arg" | "bool_of_string" | "=" | "<>" | "<" | ">" | "<=" | ">=" | "compare" ->
      [ "Invalid_argument" ]
    | "/" | "mod" -> [ "Division_by_zero" ]
    | "+" | "-" | "*" | "+." | "-." | "*." | "/." | "^" | "@" | "~-" | "not" | "fst" | "snd"
    | "succ" | "pred" | "abs" | "ignore" | "ref" | "!" | ":=" | "incr" | "decr" | "&&" | "||"
    | "string_of_int" | "exit" ->
      []
    | _ -> raise Any)
  | [ "List"; ("hd" | "tl") ] -> [ "Failure" ]
  | [ "List"; "nth" ] -> [ "Failure"; "Invalid_argument" ]
  | [ "List"; "assoc" ] | [ "Hashtbl"; "find" ] | [ "String"; ("index" | "rindex") ] ->
    [ "Not_found" ]
  | [ "Option"; "get" ] | [ ("Array" | "String" | "Bytes"); ("get" | "set" | "sub") ] ->
    [ "Invalid_argument" ]
  | [ ("List" | "Array" | "String"); "length" ] | [ "List"; "rev" ] | [ "Hashtbl"; "create" ] -> []
  | _ -> raise Any

let raises env e =
  let found = ref Set.empty in
  let add name = found := Set.add name !found in
  let default = Ast_iterator.default_iterator in
  let call self f arguments =
    match (Origins.identifier env f, arguments) with
    | Some (Standard ([ ("raise" | "raise_notrace") ], _)), [ (_, what) ] -> (
      match (Origins.plain what).pexp_desc with
      | Pexp_construct ({ txt; _ }, _) -> add (Syntax.last_name txt); default.expr self what
      | _ -> raise Any)
    | Some (Standard (path, _)), _ ->
      List.iter add (raised_by path);
      List.iter (fun (_, argument) -> self.Ast_iterator.expr self argument) arguments
    | _ -> raise Any
  in
  let expr self e =
    match e.pexp_desc with
    | Pexp_apply (f, arguments) -> call self f arguments
    | Pexp_assert _ -> add "Assert_failure"; default.Ast_iterator.expr self e
    | Pexp_match _ | Pexp_let _ -> add "Match_failure"; default.expr self e
    | Pexp_ident _ | Pexp_constant _ | Pexp_construct _ | Pexp_variant _ | Pexp_tuple _
    | Pexp_record _ | Pexp_field _ | Pexp_array _ | Pexp_ifthenelse _ | Pexp_sequence _
    | Pexp_constraint _ | Pexp_while _ | Pexp_for _ | Pexp_try _ ->
      default.expr self e
    | _ -> raise Any
  in
  let iterator = { default with expr } in
  match iterator.expr iterator e with () -> Some !found | exception Any -> None

let rec catches found p =
  match p.ppat_desc with
  | Ppat_construct ({ txt; _ }, _) -> Set.mem (Syntax.last_name txt) found
  | Ppat_or (a, b) -> catches found a || catches found b
  | Ppat_alias (p, _) | Ppat_constraint (p, _) -> catches found p
  | _ -> not (Set.is_empty found)

let taken ?(handler = false) env e cases =
  match raises env e with
  | None -> cases
  | Some found ->
    let may_be c =
      match c.pc_lhs.ppat_desc with
      | Ppat_exception p -> catches found p
      | _ -> (not handler) || catches found c.pc_lhs
    in
    List.filter may_be cases
