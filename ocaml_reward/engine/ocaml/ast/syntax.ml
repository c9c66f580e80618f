(* Helpers to read and build small pieces of syntax. *)

open Parsetree
open Ast_helper

(* Tests that cannot be turned into checks: the line and the construct. *)
exception Unsupported of int * string

(* Names that cannot be written in source, so code can neither define nor shadow them.  Our units go
   by their own names, as an alias would cost the type checker a copy of the unit; the code goes by
   a name that can also be a module inside the tests.  All start like a module name: the compiler
   stops at the record of an exception otherwise. *)
let harness = Units.harness
let pristine = Units.pristine
let solution = "Solution*"

(* The name under which the tests keep a library. *)
let aside library = library ^ "**"
let ounit = Units.ounit
let suites = Units.suites

(* The text without a location. *)
let nowhere txt = Location.mknoloc txt

(* A path of one name. *)
let lident name = nowhere (Longident.Lident name)

(* The path of a name in a module. *)
let within m name = nowhere (Path_compat.dot (Longident.Lident m) name)

(* A path within the code. *)
let in_solution path =
  List.fold_left Path_compat.dot (Longident.Lident solution) (Path_compat.components path)

(* An expression that is the value of a path. *)
let value ?loc path = Exp.ident ?loc path

(* A call with arguments without labels. *)
let call ?loc f arguments =
  Exp.apply ?loc f (List.map (fun a -> (Asttypes.Nolabel, a)) arguments)

(* An integer constant. *)
let int n = Exp.constant (Const.int n)

(* The expression [()]. *)
let unit = Exp.construct (lident "()") None

(* A function that ignores its argument and evaluates the body. *)
let thunk body = Function_compat.lambda (Pat.any ()) body

(* A call of [ignore]. *)
let ignored e = call (value (within pristine "ignore")) [ e ]

(* The pattern [()]. *)
let unit_pattern () = Pat.construct (lident "()") None

(* The line of a location. *)
let line_of (loc : Location.t) = loc.loc_start.pos_lnum

(* The last name of a path; empty for a functor application. *)
let last_name path =
  match List.rev (Path_compat.components path) with last :: _ -> last | [] -> ""

(* Test frameworks that are not supported. *)
let unknown_frameworks =
  [ "Alcotest_lwt"; "Alcotest_async"; "Crowbar"; "Expect_test_helpers"; "Testing" ]

(* Whether [holds] is true of an expression, or [names_module] of a module path, anywhere in
   what [visit] visits; with [now] not inside functions and lazy expressions. *)
let somewhere ?(now = false) ?(names_module = fun _ -> false) holds visit =
  let found = ref false in
  let is_later e =
    Function_compat.is_function e || match e.pexp_desc with Pexp_lazy _ -> true | _ -> false
  in
  let expr self e =
    if not !found then
      if holds e then found := true
      else if not (now && is_later e) then Visit.default.expr self e
  in
  let module_expr self m =
    match m.pmod_desc with
    | Pmod_ident { txt; _ } when names_module txt -> found := true
    | Pmod_functor _ when now -> ()
    | _ -> Visit.default.module_expr self m
  in
  let class_field self f =
    match f.pcf_desc with Pcf_method _ when now -> () | _ -> Visit.default.class_field self f
  in
  let iterator = { Visit.default with expr; module_expr; class_field } in
  visit iterator;
  !found

(* Whether [holds] is true of an expression or a part of it. *)
let exists holds e = somewhere holds (Visit.in_expression e)

(* Tells whether an expression is a value with one of those as its last name. *)
let is_named names e =
  match e.pexp_desc with
  | Pexp_ident { txt; _ } -> List.mem (last_name txt) names
  | _ -> false

(* The direct sub-patterns. *)
let sub_patterns p =
  let found = ref [] in
  Visit.default.pat { Visit.default with pat = (fun _ p -> found := p :: !found) } p;
  List.rev !found

(* The patterns of a tuple; none for other patterns. *)
let tuple_patterns p =
  match p.ppat_desc with Ppat_tuple _ -> sub_patterns p | _ -> []

(* Whether a pattern may not match. *)
let rec is_refutable p =
  match p.ppat_desc with
  | Ppat_any | Ppat_var _ -> false
  | Ppat_alias (p, _) | Ppat_constraint (p, _) -> is_refutable p
  | Ppat_tuple _ -> List.exists is_refutable (tuple_patterns p)
  | Ppat_construct ({ txt = Longident.Lident "()"; _ }, None) -> false
  | _ -> true

(* Tells whether a pattern asserts, as in [let 4 = f 2]. *)
let rec asserts_by_pattern p =
  let rec holds_constant p =
    match p.ppat_desc with
    | Ppat_constant _ -> true
    | _ -> List.exists holds_constant (sub_patterns p)
  in
  match p.ppat_desc with
  | Ppat_constraint (p, _) -> asserts_by_pattern p
  | _ ->
    is_refutable p
    && (holds_constant p || Names.Set.is_empty (Names.pattern_names p))

(* The function and arguments of an application: [f x @@ y] and [y |> f x] are [f x y]. *)
let rec applied e =
  let is_operator name f =
    match f.pexp_desc with
    | Pexp_ident { txt = Longident.Lident found; _ } -> found = name
    | _ -> false
  in
  let with_last f last =
    let f, arguments = applied f in
    (f, arguments @ [ last ])
  in
  match e.pexp_desc with
  | Pexp_apply (op, [ (_, f); last ]) when is_operator "@@" op -> with_last f last
  | Pexp_apply (op, [ last; (_, f) ]) when is_operator "|>" op -> with_last f last
  | Pexp_apply (f, arguments) ->
    let f, first = applied f in
    (f, first @ arguments)
  | _ -> (e, [])

(* Whether an expression exits with a status that is not 0. *)
let exits_badly e =
  match applied e with
  | f, [ (_, status) ] -> is_named [ "exit" ] f && not (Constant_compat.is_zero status)
  | _ -> false

(* Functions that only raise. *)
let raising = [ "failwith"; "raise"; "raise_notrace"; "invalid_arg" ]

(* The first name of a path of several, as a list of one or none. *)
let root path = match Path_compat.components path with name :: _ :: _ -> [ name ] | _ -> []

(* Whether all that [visit] meets asserts or calls a function that does, see [judges]; without
   [raises] raising alone does not count. *)
let judged ?now ?(raises = true) asserting visit =
  let is_asserting name = List.mem name asserting in
  let holds e =
    match e.pexp_desc with
    | Pexp_assert _ -> true
    | Pexp_apply _ when exits_badly e -> true
    | Pexp_letop { let_; ands; _ } ->
      List.exists (fun b -> is_asserting b.pbop_op.txt) (let_ :: ands)
    | Pexp_let (_, bindings, _) -> List.exists (fun b -> asserts_by_pattern b.pvb_pat) bindings
    | Pexp_new { txt; _ } -> List.exists is_asserting (last_name txt :: root txt)
    | Pexp_ident { txt; _ } ->
      (raises && is_named raising e) || List.exists is_asserting (last_name txt :: root txt)
    | _ -> false
  in
  let names_module path = List.exists is_asserting (Path_compat.components path) in
  somewhere ?now ~names_module holds visit

(* Tells whether an expression asserts or calls a function that does.  [exit 0] only ends the
   tests. *)
let judges asserting e = judged asserting (Visit.in_expression e)

(* Operators that return a boolean. *)
let comparisons =
  [ "="; "<>"; "=="; "!="; "<"; ">"; "<="; ">="; "not"; "&&"; "||" ]

let is_comparison e =
  match e.pexp_desc with Pexp_apply (f, _) -> is_named comparisons f | _ -> false

(* The elements of a list that is written out; None for other expressions. *)
let rec literal_list e =
  match e.pexp_desc with
  | Pexp_construct ({ txt = Longident.Lident "[]"; _ }, None) -> Some []
  | Pexp_construct ({ txt = Longident.Lident "::"; _ }, Some pair) -> (
    match Path_compat.tuple pair with
    | [ head; tail ] -> Option.map (fun rest -> head :: rest) (literal_list tail)
    | _ -> None)
  | Pexp_constraint (e, _) -> literal_list e
  | _ -> None

(* Whether an expression is this constructor without an argument. *)
let is_constructor name e =
  match e.pexp_desc with
  | Pexp_construct ({ txt = Longident.Lident found; _ }, None) -> found = name
  | _ -> false

(* How often items use a value of this name. *)
let count_mentions items name =
  let n = ref 0 in
  let expr e =
    match e.pexp_desc with
    | Pexp_ident { txt = Longident.Lident found; _ } when found = name -> incr n
    | _ -> ()
  in
  Visit.(in_structure items (each ~expr ()));
  !n

(* The variable that a pattern is, with or without a type; None for other patterns. *)
let variable p =
  match p.ppat_desc with
  | Ppat_var { txt; _ } | Ppat_constraint ({ ppat_desc = Ppat_var { txt; _ }; _ }, _) -> Some txt
  | _ -> None

(* The arguments without a label. *)
let unlabelled arguments =
  List.filter_map (function Asttypes.Nolabel, e -> Some e | _ -> None) arguments

(* The pattern of the exception that a case of a match handles; None if it handles none. *)
let exception_pattern c =
  match c.pc_lhs.ppat_desc with Ppat_exception p -> Some p | _ -> None

(* The item [module name = m]. *)
let bind_module name m = Str.module_ (Mb.mk (nowhere (Some name)) m)

(* The item [module name = target]. *)
let alias name target = bind_module name (Mod.ident target)

(* The item [let name = e]. *)
let define name e = Str.value Asttypes.Nonrecursive [ Vb.mk (Pat.var (nowhere name)) e ]

(* The item [let () = e]. *)
let do_ ?loc e = Str.value ?loc Asttypes.Nonrecursive [ Vb.mk (unit_pattern ()) e ]

(* The module that an item defines, includes or opens, and a function that puts another one into the
   item; None for other items. *)
let module_of_item i =
  let found m with_module = Some (m, fun m -> { i with pstr_desc = with_module m }) in
  match i.pstr_desc with
  | Pstr_module b -> found b.pmb_expr (fun m -> Pstr_module { b with pmb_expr = m })
  | Pstr_include d -> found d.pincl_mod (fun m -> Pstr_include { d with pincl_mod = m })
  | Pstr_open d -> found d.popen_expr (fun m -> Pstr_open { d with popen_expr = m })
  | _ -> None

(* Whether an expression is a constant without a block in memory, so that [==] is [=]. *)
let rec is_immediate e =
  match e.pexp_desc with
  | Pexp_construct (_, None) | Pexp_variant (_, None) -> true
  | Pexp_constraint (e, _) -> is_immediate e
  | _ -> Constant_compat.is_immediate e

(* The words of a text. *)
let words text = List.filter (( <> ) "") (String.split_on_char ' ' text)

(* A mapper that replaces the first name of paths to values, modules and types by what [other]
   returns. *)
let with_roots other =
  let path (p : Longident.t Location.loc) =
    match Path_compat.components p.txt with
    | root :: rest -> (
      match other root with
      | Some root -> { p with txt = List.fold_left Path_compat.dot (Longident.Lident root) rest }
      | None -> p)
    | [] -> p
  in
  let expr self e =
    match e.pexp_desc with
    | Pexp_ident p -> { e with pexp_desc = Pexp_ident (path p) }
    | _ -> Visit.mapper.expr self e
  in
  let module_expr self m =
    match m.pmod_desc with
    | Pmod_ident p -> { m with pmod_desc = Pmod_ident (path p) }
    | _ -> Visit.mapper.module_expr self m
  in
  let typ self t =
    match t.ptyp_desc with
    | Ptyp_constr (p, types) ->
      { t with ptyp_desc = Ptyp_constr (path p, List.map (self.Ast_mapper.typ self) types) }
    | _ -> Visit.mapper.typ self t
  in
  { Visit.mapper with expr; module_expr; typ }

(* Parses a text; [name] is the file in its locations. *)
let parse_text parse name text =
  let lexbuf = Lexing.from_string text in
  Location.init lexbuf name;
  parse lexbuf

(* The text of an item without layout and attributes. *)
let text_of i =
  let mapper = { Visit.mapper with attributes = (fun _ _ -> []) } in
  Format.asprintf "%a" Pprintast.structure [ mapper.structure_item mapper i ]
