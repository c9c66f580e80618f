(* Binding-time analysis of the tests.  Dynamic: only the code's process knows the value.
   Static: the value is the same wherever the tests are evaluated.  Mutable: static, but code
   that received the value may have changed it. *)

open Parsetree
open Syntax
module Set = Names.Set

type time = Dynamic | Mutable | Static

(* A function of the tests, with the meaning of its free names at its definition. *)
type helper = {
  parameters : (Asttypes.arg_label * pattern) list;
  body : expression;
  whole : expression;
  scope : (time * int) Names.Map.t;
}

(* The definitions so far. *)
type t = {
  times : (time * int) Names.Map.t;  (* of the tests' values, with the number of the definition *)
  code_modules : Names.Set.t;
  code_values : Names.Set.t;
  code_functions : Names.Set.t;  (* functions of the code, or what they return *)
  escaped : Names.Set.t;  (* mutable values that the tests pass to the code *)
  helpers : helper Names.Map.t;
  mutable_labels : Names.Set.t option;  (* None: unknown *)
  physical : Names.t;  (* values and modules that distinguish a value from its copy *)
  all_physical : bool;  (* any name may be one of these: their module was opened *)
  defined : int;  (* the number of definitions *)
}

(* Modules with values that differ between processes. *)
let stateful_modules =
  [ "Random"; "Sys"; "Unix"; "Gc"; "Domain"; "Thread"; "Mutex"; "Condition"; "Event"; "Str";
    "Filename"; "Printexc"; "In_channel"; "Out_channel"; "Weak"; "Ephemeron"; "Effect"; "Obj";
    "Marshal"; "Callback"; "Scanf"; "Oo"; "Lexing"; "Parsing"; "Arg"; "Atomic"; "Memprof" ]

(* Values that differ between processes. *)
let stateful_values =
  [ "stdin"; "stdout"; "stderr"; "read_line"; "read_int"; "read_int_opt"; "read_float";
    "read_float_opt"; "exit"; "at_exit"; "open_in"; "open_out"; "open_in_bin"; "open_out_bin";
    "__LOC__"; "__LINE__"; "__POS__"; "__MODULE__"; "__FILE__"; "__FUNCTION__" ]

(* The names that an expression uses. *)
let needs e = Free_names.names ~types:false [ Ast_helper.Str.eval e ]

(* The time of a name. *)
let time_of g name =
  match Names.Map.find_opt name g.times with
  | Some (time, _) -> time
  | None ->
    if Set.mem name g.code_values || List.mem name stateful_values then Dynamic else Static

(* Whether a module is the code's, or has values that differ between processes. *)
let is_dynamic_module g name =
  Set.mem name g.code_modules || List.mem name stateful_modules

(* The time of what depends on both. *)
let worst a b =
  match (a, b) with
  | Dynamic, _ | _, Dynamic -> Dynamic
  | Mutable, _ | _, Mutable -> Mutable
  | Static, Static -> Static

(* The time of what uses these names. *)
let of_names g { Names.values; modules; _ } =
  if Set.exists (is_dynamic_module g) modules then Dynamic
  else Set.fold (fun name time -> worst time (time_of g name)) values Static

(* The time of an expression. *)
let of_expression g e = of_names g (needs e)

(* The names in an expression whose values are mutable. *)
let mutable_names g e =
  Set.filter (fun name -> time_of g name = Mutable) (needs e).Names.values

(* Whether an expression uses a name. *)
let mentions name e = Set.mem name (needs e).Names.values

(* Whether an expression uses one of these names. *)
let mentions_any names e = not (Set.disjoint names (needs e).Names.values)

(* Modules whose functions return immutable values if their arguments are immutable. *)
let immutable_modules =
  [ "List"; "String"; "Char"; "Int"; "Int32"; "Int64"; "Nativeint"; "Float"; "Bool"; "Option";
    "Result"; "Fun"; "Printf"; "Uchar"; "Either"; "Z"; "Q" ]

(* Whether a path is of a function that returns immutable values if its arguments are immutable. *)
let returns_immutable path =
  match Path_compat.components path with
  | [ name ] | [ "Stdlib"; name ] ->
    Set.mem name (Names.standard ()).values && name <> "ref"
  | "Stdlib" :: name :: _ | name :: _ -> List.mem name immutable_modules
  | [] -> false

(* Whether a label may be a mutable one. *)
let is_mutable g label =
  match g.mutable_labels with
  | Some labels -> Set.mem label labels
  | None -> true

(* Whether the value of an expression is immutable. *)
let rec is_immutable g e =
  match e.pexp_desc with
  | Pexp_constant _ -> true
  | Pexp_ident { txt = Longident.Lident name; _ } -> time_of g name <> Mutable
  | Pexp_ident _ -> true
  | Pexp_construct (_, argument) | Pexp_variant (_, argument) ->
    Option.fold ~none:true ~some:(is_immutable g) argument
  | Pexp_tuple _ -> List.for_all (is_immutable g) (Path_compat.tuple e)
  | Pexp_record (fields, base) ->
    List.for_all
      (fun ((label : Longident.t Location.loc), e) ->
        (not (is_mutable g (last_name label.txt))) && is_immutable g e)
      fields
    && Option.fold ~none:true ~some:(is_immutable g) base
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, arguments) when returns_immutable txt ->
    List.for_all (fun (_, argument) -> is_immutable g argument) arguments
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ }, arguments)
    when Names.Map.mem name g.helpers ->
    is_immutable g (Names.Map.find name g.helpers).body
    && List.for_all (fun (_, argument) -> is_immutable g argument) arguments
  | Pexp_let (_, bindings, body) ->
    List.for_all (fun b -> is_immutable g b.pvb_expr) bindings && is_immutable g body
  | Pexp_ifthenelse (_, a, Some b) -> is_immutable g a && is_immutable g b
  | Pexp_match (_, cases) -> List.for_all (fun c -> is_immutable g c.pc_rhs) cases
  | Pexp_sequence (_, e) | Pexp_constraint (e, _) | Pexp_field (e, _) -> is_immutable g e
  | _ -> Function_compat.is_function e && Set.is_empty (mutable_names g e)

(* The time of a value that an expression defines: mutable if code may change it. *)
let of_definition g e =
  match of_expression g e with
  | Static when not (is_immutable g e) -> Mutable
  | time -> time

(* Whether an expression is a function of the code, or what one returned. *)
let rec is_from_code g e =
  match e.pexp_desc with
  | Pexp_ident { txt = Longident.Lident name; _ } -> (
    match Names.Map.find_opt name g.times with
    | Some _ -> Set.mem name g.code_functions
    | None -> Set.mem name g.code_values)
  | Pexp_ident { txt; _ } -> (
    match Names.root txt with
    | Some name -> Set.mem name g.code_modules
    | None -> false)
  | Pexp_apply (f, [ _; (_, called) ]) when is_named [ "|>" ] f -> is_from_code g called
  | Pexp_apply (f, (_, called) :: _) when is_named [ "@@" ] f -> is_from_code g called
  | Pexp_apply (f, _) -> is_from_code g f
  | Pexp_constraint (e, _) -> is_from_code g e
  | Pexp_let (_, _, e) -> is_from_code g e
  | _ -> false

(* Whether the free names of a helper mean the same here as at its definition. *)
let unshadowed g helper =
  Set.for_all
    (fun name -> Names.Map.find_opt name g.times = Names.Map.find_opt name helper.scope)
    (needs helper.whole).Names.values

(* Adds a name.  [codes]: the value is a function of the code, or what one returned. *)
let define g name ~time ~codes =
  {
    g with
    times = Names.Map.add name (time, g.defined) g.times;
    code_functions = (if codes then Set.add else Set.remove) name g.code_functions;
    helpers = Names.Map.remove name g.helpers;
    physical = { g.physical with values = Set.remove name g.physical.values };
    defined = g.defined + 1;
  }

(* Adds the names of a pattern. *)
let define_pattern g pattern ~time ~codes =
  Set.fold (fun name g -> define g name ~time ~codes) (Names.pattern_names pattern) g

(* Adds the names of a binding.  Functions of the tests are kept for inlining. *)
let bind g ~recursive binding =
  let e = binding.pvb_expr in
  let inner = if recursive then define_pattern g binding.pvb_pat ~time:Static ~codes:false else g in
  let time = of_definition inner e in
  let g' =
    define_pattern g binding.pvb_pat ~time ~codes:(time = Dynamic && is_from_code g e)
  in
  match (variable binding.pvb_pat, Function_compat.curried e) with
  | Some name, ((_ :: _ as parameters), body) when not recursive ->
    let helper = { parameters; body; whole = e; scope = g.times } in
    { g' with helpers = Names.Map.add name helper g'.helpers }
  | _ -> g'

(* Whether items may distinguish a value from its copy. *)
let structure_uses_identity g structure =
  let { Names.values; modules; _ } = Free_names.names ~types:false structure in
  g.all_physical
  || (not (Set.disjoint values g.physical.values && Set.disjoint modules g.physical.modules))
  || Physical_equality.uses_identity structure

(* Whether an expression may distinguish a value from its copy. *)
let uses_identity g e = structure_uses_identity g [ Ast_helper.Str.eval e ]

(* Adds a module of the tests. *)
let with_module g name ~dynamic ~physical =
  let change holds = if holds then Set.add name else Set.remove name in
  let physical = { g.physical with modules = change physical g.physical.modules } in
  { g with code_modules = change dynamic g.code_modules; physical }

(* Adds what these items open or include. *)
let with_opened g structure = { g with all_physical = structure_uses_identity g structure }

(* The state after a call of the code, which may have mutated whatever it received. *)
let after_mutation g =
  let add name (time, _) all = if time = Mutable then Set.add name all else all in
  { g with escaped = Names.Map.fold add g.times g.escaped }

(* Whether a binding may be a call of the code that mutates what it received. *)
let may_mutate g b =
  let e = b.pvb_expr in
  of_expression g e <> Static
  &&
  match b.pvb_pat.ppat_desc with
  | Ppat_any -> true
  | Ppat_construct _ when sub_patterns b.pvb_pat = [] -> true
  | _ -> (not (Function_compat.is_function e)) && uses_identity g e

(* Adds the names of a definition. *)
let bound g recursive bindings =
  let recursive = recursive = Asttypes.Recursive in
  if not recursive then
    (* Parallel bindings do not see each other. *)
    List.fold_left
      (fun g' b ->
        let seen = bind g ~recursive b in
        Set.fold
          (fun name g' ->
            {
              (define g' name ~time:(time_of seen name)
                 ~codes:(Set.mem name seen.code_functions)) with
              helpers =
                (match Names.Map.find_opt name seen.helpers with
                 | Some helper -> Names.Map.add name helper g'.helpers
                 | None -> Names.Map.remove name g'.helpers);
            })
          (Names.pattern_names b.pvb_pat) g')
      g bindings
  else
    let names = Names.bound_names bindings in
    let inner = Set.fold (fun name g -> define g name ~time:Static ~codes:false) names g in
    let time =
      List.fold_left (fun time b -> worst time (of_definition inner b.pvb_expr)) Static bindings
    in
    Set.fold (fun name g -> define g name ~time ~codes:false) names g

(* Adds the names of a definition, with those that distinguish a value from its copy. *)
let bind_all g recursive bindings =
  let found = bound g recursive bindings in
  let is_physical b = uses_identity g b.pvb_expr in
  let using =
    if recursive = Asttypes.Recursive && List.exists is_physical bindings then bindings
    else List.filter is_physical bindings
  in
  let values = Set.union found.physical.values (Names.bound_names using) in
  { found with physical = { found.physical with values } }

(* No names of the tests yet.  [uses]: the names of the code; [required]: names of the library that
   may be the code's. *)
let start ~uses ~required ~labels =
  {
    times = Names.Map.empty;
    code_modules = uses.Names.modules;
    code_values = Set.union uses.values required.Names.values;
    code_functions = Set.empty;
    escaped = Set.empty;
    helpers = Names.Map.empty;
    mutable_labels = labels;
    physical = Names.empty;
    all_physical = false;
    defined = 0;
  }
