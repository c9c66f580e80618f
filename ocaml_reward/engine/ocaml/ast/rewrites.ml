(* The same program in other words: each rewrite keeps what the program means, so tests that are fair
   pass it.  Where names stand for something else than they seem to, the result may not type. *)

open Parsetree
open Ast_helper

(* A mapper that changes expressions, after their parts. *)
let of_expressions change =
  { Visit.mapper with
    expr = (fun self e -> change (Visit.mapper.expr self e)) }

let printed items = Format.asprintf "%a@." Pprintast.structure items

(* Names that patterns bind inside of expressions alone. *)
let local_names items =
  let inside = ref Names.Set.empty and outside = ref Names.Set.empty in
  let expr self e =
    let pat _ p = Option.iter (fun n -> inside := Names.Set.add n !inside) (Names.bound_by p) in
    let pat inner p = pat inner p; Visit.default.pat inner p in
    Visit.default.expr { self with Ast_iterator.pat } e
  in
  let pat self p =
    Option.iter (fun n -> outside := Names.Set.add n !outside) (Names.bound_by p);
    Visit.default.pat self p
  in
  Visit.in_structure items { Visit.default with expr; pat };
  let taken = Names.Set.union !outside (Names.standard ()).values in
  Names.Set.diff !inside taken

let with_variables_renamed items =
  let local = local_names items in
  let other name = if Names.Set.mem name local then name ^ "_again" else name in
  let expr self e =
    let e = Visit.mapper.expr self e in
    match e.pexp_desc with
    | Pexp_ident ({ txt = Longident.Lident name; _ } as path) ->
      { e with pexp_desc = Pexp_ident { path with txt = Lident (other name) } }
    | _ -> e
  in
  let pat self p =
    let p = Visit.mapper.pat self p in
    match p.ppat_desc with
    | Ppat_var name -> { p with ppat_desc = Ppat_var { name with txt = other name.txt } }
    | Ppat_alias (inner, name) ->
      { p with ppat_desc = Ppat_alias (inner, { name with txt = other name.txt }) }
    | _ -> p
  in
  Visit.map items { Visit.mapper with expr; pat }

let truth name = Pat.construct (Syntax.lident name) None

let with_conditions_matched =
  of_expressions (fun e ->
      match e.pexp_desc with
      | Pexp_ifthenelse (condition, yes, Some no) ->
        Exp.match_ condition [ Exp.case (truth "true") yes; Exp.case (truth "false") no ]
      | _ -> e)

let constant name = Exp.construct (Syntax.lident name) None

let with_conditions_for_operators =
  of_expressions (fun e ->
      match e.pexp_desc with
      | Pexp_apply (f, [ (_, a); (_, b) ]) when Syntax.is_named [ "&&" ] f ->
        Exp.ifthenelse a b (Some (constant "false"))
      | Pexp_apply (f, [ (_, a); (_, b) ]) when Syntax.is_named [ "||" ] f ->
        Exp.ifthenelse a (constant "true") (Some b)
      | _ -> e)

let with_functions_matched =
  of_expressions (fun e ->
      match Function_compat.opened e with
      | Some ([], Cases cases) ->
        let name = "it_again" in
        let value = Exp.ident (Syntax.lident name) in
        Function_compat.lambda (Pat.var (Syntax.nowhere name)) (Exp.match_ value cases)
      | _ -> e)

(* Functions of the library by other functions of it, with the same order of effects. *)
let other_words =
  [
    "List.rev", "fun l -> List.fold_left (fun done_ x -> x :: done_) [] l";
    "List.length", "fun l -> List.fold_left (fun n _ -> n + 1) 0 l";
    "List.map", "fun f l -> List.rev (List.rev_map f l)";
    "List.filter",
    "fun p l -> List.rev (List.fold_left (fun kept x -> if p x then x :: kept else kept) [] l)";
    "List.exists", "fun p l -> not (List.for_all (fun x -> not (p x)) l)";
    "List.for_all", "fun p l -> not (List.exists (fun x -> not (p x)) l)";
    "List.mem", "fun x l -> List.exists (fun y -> Stdlib.compare x y = 0) l";
    "List.append", "fun a b -> List.rev_append (List.rev a) b";
    "@", "fun a b -> List.rev_append (List.rev a) b";
    "List.fold_right", "fun f l last -> List.fold_left (fun made x -> f x made) last (List.rev l)";
    "List.fold_left",
    "let rec go f made = function [] -> made | x :: l -> go f (f made x) l in go";
    "List.iter", "let rec go f = function [] -> () | x :: l -> f x; go f l in go";
    "String.concat",
    "fun sep l -> match l with [] -> \"\" | x :: l -> List.fold_left (fun a b -> a ^ sep ^ b) x l";
  ]

(* Whether [List] and [String] may be other modules than the library's. *)
let hides_library items =
  let found = ref (Visit.opened items <> []) in
  Visit.each_bound_module (fun name _ -> if name <> None then found := true) items;
  !found

let with_other_functions items =
  if hides_library items then items
  else
    let change e =
      match e.pexp_desc with
      | Pexp_ident { txt; _ } -> (
        match List.assoc_opt (String.concat "." (Path_compat.components txt)) other_words with
        | Some text -> Syntax.parse_text Parse.expression "" text
        | None -> e)
      | _ -> e
    in
    Visit.map items (of_expressions change)

(* [let rec f x = e] as [let f = let rec f x = e in f]. *)
let with_loops_inside =
  List.map (fun i ->
      match i.pstr_desc with
      | Pstr_value (Asttypes.Recursive, ([ { pvb_pat; pvb_expr; _ } ] as bindings))
        when Function_compat.is_function pvb_expr -> (
        match Syntax.variable pvb_pat with
        | Some name ->
          let value = Exp.ident (Syntax.lident name) in
          Syntax.define name (Exp.let_ Asttypes.Recursive bindings value)
        | None -> i)
      | _ -> i)

(* The function that an item defines by itself, and whether it uses a name. *)
let function_of i =
  match i.pstr_desc with
  | Pstr_value (_, [ { pvb_pat; pvb_expr; _ } ]) when Function_compat.is_function pvb_expr ->
    Syntax.variable pvb_pat
  | _ -> None

(* Neighbours that are functions, exchanged where neither uses the other. *)
let rec with_functions_exchanged = function
  | a :: b :: rest -> (
    match function_of a, function_of b with
    | Some one, Some two
      when one <> two && Syntax.count_mentions [ a ] two + Syntax.count_mentions [ b ] one = 0 ->
      b :: a :: with_functions_exchanged rest
    | _ -> a :: with_functions_exchanged (b :: rest))
  | items -> items

let all =
  [
    "printed anew", Fun.id;
    "variables renamed", with_variables_renamed;
    "conditions as matches", (fun items -> Visit.map items with_conditions_matched);
    "conditions for operators", (fun items -> Visit.map items with_conditions_for_operators);
    "functions as matches", (fun items -> Visit.map items with_functions_matched);
    "other functions of the library", with_other_functions;
    "loops inside", with_loops_inside;
    "functions exchanged", with_functions_exchanged;
  ]

(* The rewrites of a program: what was done, and the code, for each that changes it and that the
   compiler reads as it was written. *)
let answer code =
  match Without_warnings.run (fun () -> Syntax.parse_text Parse.implementation "" code) with
  | exception _ -> []
  | items ->
    let same = printed items in
    let one (what, change) =
      let text = printed (change items) in
      let again () = printed (Syntax.parse_text Parse.implementation "" text) in
      match Without_warnings.run again with
      | read when read = text && (what = fst (List.hd all) || text <> same) -> [ what; text ]
      | _ | exception _ -> []
    in
    List.concat_map one all
