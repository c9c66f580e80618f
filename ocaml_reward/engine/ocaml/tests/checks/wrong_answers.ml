(* Code whose answers are all wrong: a check that it passes can never fail, and tests that end well
   with it tell nothing by their end. *)

open Parsetree
open Ast_helper
open Syntax

(* [Unasked]: answers that do not depend on the arguments, or an exception.  [Changed]: the
   reference's answers with a part changed. *)
type how = Unasked | Changed

(* A call of a function of the harness. *)
let ours name arguments = call (value (within harness name)) arguments

(* The number of wrong answers so far. *)
let count = ref 0

(* The number of the next wrong answer. *)
let another () = incr count; int !count

(* A wrong answer of any type. *)
let lie loc = { (ours "lie" [ another () ]) with pexp_loc = loc }

(* An expression that gives a wrong answer instead of [otherwise].
   (ocaml/ocaml.org data/exercises/003_nth_element.md) *)
let instead how otherwise =
  match how with
  | Changed -> ours "changed" [ thunk otherwise ]
  (* No thunk, so that type information reaches the body. *)
  | Unasked ->
    Exp.ifthenelse (ours "lies" [ unit ])
      (ours "lie" [ another () ])
      (Some otherwise)

let default = Ast_mapper.default_mapper

(* The function with wrong answers in its bodies. *)
let rec lying how f =
  let expr _ e = if Function_compat.is_function e then lying how e else instead how e in
  default.expr { default with expr } f

(* The expression with wrong answers, whether it is a function or not.
   (exercism/ocaml exercises/practice/acronym/.meta/example.ml) *)
let rec other how e =
  let with_desc pexp_desc = { e with pexp_desc } in
  match e.pexp_desc with
  | _ when Function_compat.is_function e -> lying how e
  | Pexp_newtype (name, body) -> with_desc (Pexp_newtype (name, other how body))
  | Pexp_constraint (body, t) -> with_desc (Pexp_constraint (other how body, t))
  | Pexp_let (recursive, bindings, body) -> with_desc (Pexp_let (recursive, bindings, other how body))
  | Pexp_sequence (first, body) -> with_desc (Pexp_sequence (first, other how body))
  (* Not applied, as these may be polymorphic. *)
  | Pexp_ident _ | Pexp_construct (_, None) -> e
  | _ -> ours "constant" [ e ]

(* A reference whose functions answer so after [begins].
   (ocaml/ocaml.org data/exercises/003_nth_element.md) *)
let of_reference how structure =
  count := 0;
  let binding recursive b =
    let stays =
      Assertions.is_unit_pattern b.pvb_pat
      || (recursive = Asttypes.Recursive && not (Function_compat.is_function b.pvb_expr))
    in
    if stays then b else { b with pvb_expr = other how b.pvb_expr }
  in
  let structure_item self i =
    match i.pstr_desc with
    | Pstr_value (recursive, bindings) ->
      { i with pstr_desc = Pstr_value (recursive, List.map (binding recursive) bindings) }
    | _ -> default.structure_item self i
  in
  (* No real reference has a class; without this its methods' checks would be lost. *)
  let rec method_body e =
    match e.pexp_desc with
    | Pexp_poly (body, t) -> { e with pexp_desc = Pexp_poly (method_body body, t) }
    | _ when Function_compat.is_function e -> lying how e
    | _ -> instead how e
  in
  let class_field _ f =
    match f.pcf_desc with
    | Pcf_method (name, visible, Cfk_concrete (override, e)) ->
      { f with pcf_desc = Pcf_method (name, visible, Cfk_concrete (override, method_body e)) }
    | _ -> f
  in
  let expr _ e = e in
  Visit.map structure { default with structure_item; class_field; expr }

(* ---- without a reference --------------------------------------------------------------- *)

(* The labels of the arguments of each call, by name. *)
type needed = { values : Asttypes.arg_label list list Names.Map.t; inside : needed Names.Map.t }

(* No names. *)
let nothing = { values = Names.Map.empty; inside = Names.Map.empty }

(* Adds the labels of a call of the function of a path. *)
let rec note needed labels = function
  | [] -> needed
  | [ name ] ->
    let add known = Some (labels :: Option.value ~default:[] known) in
    { needed with values = Names.Map.update name add needed.values }
  | m :: rest ->
    let add held = Some (note (Option.value ~default:nothing held) labels rest) in
    { needed with inside = Names.Map.update m add needed.inside }

(* Returns a function to the labels with which the tests' functions call their arguments: of a
   function's name and the number of the argument; None if it is not called.
   (cs3110/textbook src/assets/code/test_sorts.ml) *)
let called_arguments structure =
  let defined = Hashtbl.create 16 in
  let structure_item i =
    match i.pstr_desc with
    | Pstr_value (_, bindings) ->
      let note b =
        Option.iter
          (fun name -> Hashtbl.replace defined name (Function_compat.curried b.pvb_expr))
          (variable b.pvb_pat)
      in
      List.iter note bindings
    | _ -> ()
  in
  Visit.(in_structure structure (each ~structure_item ()));
  fun name number ->
    match Hashtbl.find_opt defined name with
    | None -> None
    | Some (parameters, body) -> (
      match Option.bind (List.nth_opt parameters number) (fun (_, p) -> variable p) with
      | None -> None
      | Some parameter ->
        let labels = ref None in
        let expr e =
          match e.pexp_desc with
          | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Lident name; _ }; _ }, arguments)
            when name = parameter ->
            labels := Some (List.map fst arguments)
          | _ -> ()
        in
        Visit.(in_expression body (each ~expr ()));
        !labels)

(* The calls in tests of the code's functions, which [uses] names.
   (cs3110/textbook src/assets/code/test_sorts.ml) *)
let mentioned (uses : Names.t) structure =
  let found = ref nothing in
  let called_arguments = called_arguments structure in
  (* Names that are passed on, and those that are compared: the former are taken for functions. *)
  let passed = ref Names.Set.empty and compared = ref Names.Set.empty in
  let own e =
    match e.pexp_desc with
    | Pexp_ident { txt = Longident.Lident name; _ } when Names.Set.mem name uses.values -> Some name
    | _ -> None
  in
  let pass set e = Option.iter (fun name -> set := Names.Set.add name !set) (own e) in
  (* Modules of the code opened around the expression. *)
  let around = ref [] in
  let of_library name = Names.Set.mem name (Names.standard ()).values in
  (* Aliases of modules of the code. *)
  let named = ref Names.Map.empty in
  let path_of path =
    match Path_compat.components path with
    | root :: rest -> Option.value ~default:[ root ] (Names.Map.find_opt root !named) @ rest
    | [] -> []
  in
  let note_name name m =
    match (name, m.pmod_desc) with
    | Some name, Pmod_ident { txt; _ } -> (
      match path_of txt with
      | root :: _ as path when Names.Set.mem root uses.modules ->
        named := Names.Map.add name path !named
      | _ -> ())
    | _ -> ()
  in
  let mention labels path =
    match path_of path with
    | [ name ] when not (of_library name) && !around <> [] ->
      List.iter (fun m -> found := note !found labels (m @ [ name ])) !around
    | [ name ] when Names.Set.mem name uses.values -> found := note !found labels [ name ]
    | root :: _ as path when Names.Set.mem root uses.modules -> found := note !found labels path
    | _ -> ()
  in
  let opens_code { popen_expr = m; _ } =
    match m.pmod_desc with
    | Pmod_ident { txt; _ } -> (
      match path_of txt with
      | root :: _ as path when Names.Set.mem root uses.modules -> Some path
      | _ -> None)
    | _ -> None
  in
  let module_binding self b =
    note_name b.pmb_name.txt b.pmb_expr;
    Visit.default.module_binding self b
  in
  let expr self e =
    let opened =
      match Scope_compat.local e with
      | Some (Open o, body) -> Option.map (fun path -> (path, body)) (opens_code o)
      | Some (Module (name, m), _) -> note_name name.txt m; None
      | _ -> None
    in
    match e.pexp_desc with
    | _ when opened <> None ->
      let path, body = Option.get opened in
      let before = !around in
      around := path :: before;
      self.Ast_iterator.expr self body;
      around := before
    | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, arguments) ->
      mention (List.map fst arguments) txt;
      let f = last_name txt in
      let note number (_, a) =
        match (own a, called_arguments f number) with
        | Some name, Some labels -> mention labels (Longident.Lident name)
        | _ -> pass (if List.mem f comparisons then compared else passed) a
      in
      List.iteri note arguments;
      List.iter (fun (_, a) -> self.Ast_iterator.expr self a) arguments
    | Pexp_tuple _ ->
      List.iter (pass passed) (Path_compat.tuple e);
      Visit.default.expr self e
    | Pexp_ident { txt; _ } -> mention [] txt
    | _ -> Visit.default.expr self e
  in
  Visit.in_structure structure { Visit.default with expr; module_binding };
  let is_called name =
    match Names.Map.find_opt name !found.values with
    | Some ways -> List.exists (fun labels -> labels <> []) ways
    | None -> false
  in
  let finish name =
    let is_function = Names.Set.(mem name (diff !passed !compared)) && not (is_called name) in
    mention (if is_function then [ Asttypes.Nolabel ] else []) (Longident.Lident name)
  in
  Names.Set.iter finish uses.values;
  !found

(* Parameters for all of these calls; a label that some omit is optional.
   (exercism/ocaml exercises/practice/atbash-cipher/test.ml) *)
let parameters ways =
  let ways = List.filter (fun way -> way <> []) ways in
  let name = function
    | Asttypes.Nolabel -> None
    | Labelled name | Optional name -> Some name
  in
  let given name' way = List.exists (fun label -> name label = Some name') way in
  let named = List.sort_uniq compare (List.filter_map name (List.concat ways)) in
  let of_name name =
    if List.for_all (given name) ways then Asttypes.Labelled name else Optional name
  in
  let bare way = List.length (List.filter (fun label -> label = Asttypes.Nolabel) way) in
  let most = List.fold_left (fun most way -> max most (bare way)) 0 ways in
  List.map of_name named @ List.init most (fun _ -> Asttypes.Nolabel)

(* Definitions of these names whose answers are wrong. *)
let rec defining { values; inside } =
  let value name ways found =
    let labels = parameters ways in
    let lie = ours (if labels = [] then "anything" else "lie") [ another () ] in
    let taking label body = Function_compat.lambda ~label (Pat.any ()) body in
    define name (List.fold_right taking labels lie) :: found
  in
  let module_ name needed found =
    bind_module name (Mod.structure (defining needed)) :: found
  in
  Names.Map.fold module_ inside [] @ Names.Map.fold value values []

(* Without a reference: functions with these names that accept the tests' arguments.
   (exercism/ocaml exercises/practice/beer-song/test.ml) *)
let of_tests ~uses structure =
  count := 0;
  defining (mentioned uses structure)

(* Whether tests catch any exception. (sauravbhattacharya001/Ocaml-sample-code code_transform.ml) *)
let catches items =
  let found = ref false in
  let expr e = match e.pexp_desc with Pexp_try _ -> found := true | _ -> () in
  let pat p = match p.ppat_desc with Ppat_exception _ -> found := true | _ -> () in
  Visit.(in_structure items (each ~expr ~pat ()));
  !found

(* The statement from which on answers are wrong. *)
let begins () = Str.eval (ours "begin_lying" [ unit ])
