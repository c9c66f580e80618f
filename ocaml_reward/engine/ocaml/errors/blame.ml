open Parsetree

type effect = Types | Moves

type candidate = {
  loc : Location.t;
  shape : string;
  role : string;
  around : string;
  depth : int;
  effect : effect;
  parts : int;
}

(* A part of an item, with its own parts. *)
type part = {
  at : Location.t;
  looks : string;
  is : string;
  within : part list;
}

let is_operator name =
  name <> ""
  && match name.[0] with 'a' .. 'z' | 'A' .. 'Z' | '_' -> false | _ -> true

let name_shape name =
  match name with
  | "+" | "-" | "*" | "/" | "~-" | "mod" -> "int operator"
  | "+." | "-." | "*." | "/." | "~-." | "**" -> "float operator"
  | "=" | "<>" | "<" | ">" | "<=" | ">=" | "==" | "!=" -> "comparison"
  | "^" -> "concatenation"
  | "@" -> "append"
  | "&&" | "||" | "not" -> "boolean operator"
  | name -> if is_operator name then "operator" else "name"

let last path = match List.rev (Path_compat.components path) with [] -> "" | name :: _ -> name

let constant_shape e constant =
  if Constant_compat.integer constant <> "" then "int"
  else
    match (Format.asprintf "%a" Pprintast.expression e).[0] with
    | '"' | '{' -> "string"
    | '\'' -> "char"
    | _ | (exception Invalid_argument _) -> "float"

let shape e =
  match e.pexp_desc with
  | _ when Function_compat.is_function e -> "function"
  | Pexp_ident { txt; _ } -> name_shape (last txt)
  | Pexp_constant constant -> constant_shape e constant
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, [ _; _ ]) when is_operator (last txt) ->
    name_shape (last txt) ^ " applied"
  | Pexp_apply _ -> "application"
  | Pexp_construct ({ txt = Longident.Lident "::"; _ }, Some _) -> "cons"
  | Pexp_construct ({ txt = Longident.Lident "[]"; _ }, _) -> "nil"
  | Pexp_construct (_, None) -> "constant constructor"
  | Pexp_construct _ -> "constructor"
  | Pexp_match _ -> "match"
  | Pexp_let _ -> "let"
  | Pexp_ifthenelse _ -> "if"
  | Pexp_sequence _ -> "sequence"
  | _ when Path_compat.tuple e <> [] -> "tuple"
  | _ -> "other"

(* What the parts of an expression are to it. *)
let roles e =
  match e.pexp_desc with
  | Pexp_apply (f, arguments) ->
    let place n (_, argument) =
      (argument, match n with 0 -> "first argument" | 1 -> "second argument" | _ -> "argument")
    in
    (f, "function") :: List.mapi place arguments
  | Pexp_match (e, cases) -> (e, "matched") :: List.map (fun c -> (c.pc_rhs, "case")) cases
  | Pexp_let (_, bindings, body) ->
    (body, "body") :: List.map (fun b -> (b.pvb_expr, "bound")) bindings
  | Pexp_ifthenelse (condition, yes, no) ->
    (condition, "condition") :: (yes, "branch")
    :: List.map (fun e -> (e, "branch")) (Option.to_list no)
  | Pexp_sequence (first, second) -> [ (first, "first"); (second, "body") ]
  | Pexp_construct (_, Some argument) -> (
    match Path_compat.tuple argument with
    | [] -> [ (argument, "constructor argument") ]
    | parts -> List.map (fun e -> (e, "constructor argument")) parts)
  | _ -> List.map (fun e -> (e, "component")) (Path_compat.tuple e)

(* The parts of an item, from the outermost on, in their order. *)
let parts item =
  let level = ref [] and known = ref [] in
  let default = Ast_iterator.default_iterator in
  let within at looks is visit =
    let before = !level in
    level := [];
    visit ();
    level := { at; looks; is; within = List.rev !level } :: before
  in
  let expr self e =
    if e.pexp_loc.loc_ghost && Path_compat.tuple e <> [] then default.Ast_iterator.expr self e
    else begin
      let role = Option.value (List.assq_opt e !known) ~default:"whole" in
      let before = !known in
      known := roles e;
      within e.pexp_loc (shape e) role (fun () -> default.expr self e);
      known := before
    end
  in
  let iterator = { default with expr } in
  iterator.structure_item iterator item;
  List.rev !level

type outcome = Typed | Fails of Location.t | Lost

(* As [Type_items.undo], without the words of an error. *)
let typed env items =
  let before = Type_compat.snapshot () in
  let levels = Level_compat.saved () in
  Cmt_format.clear ();
  Typecore.reset_delayed_checks ();
  match Typemod.type_structure env items with
  | _ -> Type_compat.backtrack before; Typed
  | exception e ->
    Level_compat.recover levels;
    Type_compat.backtrack before;
    (match Location.error_of_exn e with
     | Some (`Ok report) -> Fails report.main.loc
     | _ | (exception _) -> Lost)

(* So much text is typed again for a program at most, a try costing some besides: one hundred
   tries of an item of usual size. *)
let all_work = 120_000
let try_work = 700

let search work env item (failure : Type_items.failure) =
  let moves (at : Location.t) =
    at.loc_start.pos_cnum > failure.at.loc_start.pos_cnum && not (Nodes.inside at failure.at)
  in
  let effect part =
    work := !work - try_work - Nodes.size item.pstr_loc;
    if !work < 0 then None
    else
      match typed env (Nodes.replace (Expression, part.at) [ item ]) with
      | Typed -> Some Types
      | Fails at when moves at -> Some Moves
      | Fails _ | Lost -> None
  in
  let rec among depth around part =
    match effect part with
    | None -> []
    | Some effect ->
      let inner = List.map (among (depth + 1) part.looks) part.within in
      let types = function { effect = Types; _ } :: _ -> true | _ -> false in
      let parts = List.length (List.filter types inner) in
      { loc = part.at; shape = part.looks; role = part.is; around; depth;
        effect; parts }
      :: List.concat inner
  in
  List.concat_map (among 0 "item") (parts item)

(* More errors of one item than are worth a place among ten. *)
let most_errors = 4

let candidates env program =
  let work = ref all_work in
  let rec from env program =
    match Type_items.undo env program with
    | Typed _ | Failed None -> []
    | Failed (Some failure) -> (
      match Type_items.stuck env program with
      | _, env, item :: items ->
        let found = within env item failure most_errors in
        let left =
          match Type_items.undo env (Nodes.remains item) with
          | Typed left -> left
          | Failed _ -> env
        in
        found @ (if !work < 0 then [] else from left items)
      | _, _, [] -> [])
  (* An item's errors, each found with holes in the places of those before. *)
  and within env item failure most =
    let found = (failure, search work env item failure) in
    if !work < 0 || most = 1 then [ found ]
    else
      match Nodes.replace (Expression, failure.at) [ item ] with
      | [ next ] -> (
        match Type_items.undo env [ next ] with
        | Failed (Some other) when not (Nodes.inside other.at failure.at) ->
          found :: within env next other (most - 1)
        | _ -> [ found ])
      | _ -> [ found ]
  in
  Level_compat.kept (fun () -> from env program)

(* A type can be written out at any length. *)
let most_words = 200

let text found =
  let place (at : Location.t) =
    Printf.sprintf "%d\t%d" at.loc_start.pos_cnum at.loc_end.pos_cnum
  in
  let candidate c =
    String.concat "\t"
      [ place c.loc; c.shape; c.role; c.around;
        string_of_int c.depth; (match c.effect with Types -> "types" | Moves -> "moves");
        string_of_int c.parts ]
  in
  let error ((failure : Type_items.failure), candidates) =
    let words = List.filteri (fun n _ -> n < most_words) failure.words in
    String.concat "\n"
      ((place failure.at ^ "\t" ^ String.concat " " words) :: List.map candidate candidates)
  in
  String.concat "\n\n" (List.map error found)
