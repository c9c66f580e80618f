(* Builds the graph of a program's definitions and statements: what each part needs.  In doubt a
   part counts as needed. *)

open Parsetree
open Scope
open Program_parts
module Set = Names.Set

let default = Ast_iterator.default_iterator

(* Visits an expression in a scope of its own; notes its effects in the current part. *)
let rec walk s self e =
  note s (evaluated s (fun () -> deeper s (fun () -> scoped s (fun () -> expression s self e))))

(* Visits an expression by its kind; notes its effects in the current part. *)
and expression s self e =
  let all () = default.expr self e in
  let walked e = evaluated s (fun () -> walk s self e) in
  match e.pexp_desc with
  | Pexp_ident { txt; _ } -> note s (use s Value (Path_compat.components txt))
  (* A long list is not deeper than a short one. *)
  | Pexp_construct ({ txt = Longident.Lident "::"; _ }, Some pair) -> rows s self pair
  | Pexp_construct (path, _) -> used s Member path; all ()
  | Pexp_field (_, path) -> used s Member path; all (); note s parameter
  | Pexp_setfield (_, path, _) -> used s Member path; all (); note s Purity.impure
  | Pexp_record (fields, _) ->
    List.iter (fun (path, _) -> used s Member path) fields;
    all ();
    note s Purity.mutable_value
  | Pexp_array _ -> all (); note s Purity.mutable_value
  | Pexp_new path -> used s Class path; note s Purity.impure
  | Pexp_apply (f, arguments) ->
    let f = walked f in
    let each () = List.iter (fun (_, argument) -> walk s self argument) arguments in
    note s (Purity.call f (evaluated s each))
  | Pexp_lazy _ -> note s { (Purity.suspended (evaluated s all)) with is_mutable = true }
  | Pexp_assert { pexp_desc = Pexp_construct ({ txt = Longident.Lident "false"; _ }, None); _ } ->
    note s { Purity.pure with now = May_raise }
  | Pexp_assert _ ->
    (* An assertion that mentions no definition of the program always holds. *)
    let before = s.own_uses in
    all ();
    if s.own_uses > before then note s { Purity.pure with now = May_raise }
  | Pexp_while _ | Pexp_send _ | Pexp_setinstvar _ | Pexp_override _ | Pexp_extension _
  | Pexp_object _ ->
    all ();
    note s Purity.impure
  | Pexp_letop { let_; ands; body } ->
    let operations = let_ :: ands in
    let head () =
      List.iter
        (fun b -> note s (use s Value [ b.pbop_op.txt ]); walk s self b.pbop_exp)
        operations
    in
    let head = evaluated s head in
    List.iter
      (fun b -> self.Ast_iterator.pat self b.pbop_pat; bind_pattern s [] b.pbop_pat parameter)
      operations;
    note s (Purity.call head (Purity.suspended (walked body)))
  | Pexp_for (pattern, first, last, _, body) ->
    walk s self first;
    walk s self last;
    bind_pattern s [] pattern parameter;
    walk s self body
  | Pexp_sequence (first, second) ->
    let p = part s (start_of first.pexp_loc) (start_of second.pexp_loc) in
    let found = in_part s p (fun () -> walk s self first) in
    (* A call of the program's own function is not just discarded. *)
    local s p ~least:(if found.top then Purity.Pure else May_raise) found;
    walk s self second
  | Pexp_let (recursive, bindings, body) ->
    let stop = start_of body.pexp_loc in
    List.iter
      (fun (p, b, found) ->
        let named = Set.exists (fun name -> name.[0] <> '_') (Names.pattern_names b.pvb_pat) in
        local s p ~least:(if named then Impure else May_raise) found)
      (bound s self ~top:false ~recursive ~stop bindings);
    walk s self body
  | _ when Function_compat.is_function e ->
    List.iter (fun p -> bind_pattern s [] p parameter) (Function_compat.parameters e);
    note s (Purity.suspended (evaluated s all))
  | _ -> (
    let start = start_of e.pexp_loc in
    match Scope_compat.local e with
    | Some (Open o, body) ->
      let p = part s start (start_of body.pexp_loc) in
      spread s ~own:false p (in_module s self p o.popen_expr);
      walk s self body
    | Some (Module ({ txt = Some name; _ }, m), body) ->
      bind_module s self (part s start (start_of body.pexp_loc)) name m;
      walk s self body
    | _ -> all ())

(* Visits the elements of a long list, which is not deeper than a short one. *)
and rows s self pair =
  match Path_compat.tuple pair with
  | [ row; { pexp_desc = Pexp_construct ({ txt = Longident.Lident "::"; _ }, Some pair); _ } ] ->
    walk s self row;
    rows s self pair
  | _ -> default.expr self pair

(* A statement in a body is needed if it has at least the effect [least]. *)
and local s p ~least (found : Purity.t) =
  if found.now >= least then need s [ p.id ];
  note s { Purity.pure with now = found.now }

(* Each binding of a [let] is a part. *)
and bound s self ~top ~recursive ~stop bindings =
  let made =
    List.mapi
      (fun place b ->
        let stop = if place = 0 then stop else stop_of b.pvb_loc in
        (part s (start_of b.pvb_loc) stop, b))
      bindings
  in
  let outer = s.scope in
  if recursive = Asttypes.Recursive then
    List.iter (fun (p, b) -> bind_pattern s [ p.id ] b.pvb_pat Purity.pure) made;
  let found =
    List.map
      (fun (p, b) -> (p, b, in_part s p (fun () -> default.value_binding self b)))
      made
  in
  s.scope <- outer;
  List.iter (fun (p, b, value) -> bind_pattern ~top s [ p.id ] b.pvb_pat value) found;
  found

(* Visits a module in a part; returns its contents if known. *)
and in_module s self p m =
  let found = ref None in
  note s (in_part s p (fun () -> found := contents s self m));
  !found

(* The contents of a module, if known. *)
and contents s self m =
  match m.pmod_desc with
  | Pmod_ident { txt; _ } -> (
    let path = Path_compat.components txt in
    match find Module path s.scope with
    | Own found -> Some found
    | Within ids -> Some (at ids Purity.unknown)
    | Missing -> ignore (use s Module path); None)
  | Pmod_constraint (m, t) ->
    self.Ast_iterator.module_type self t;
    contents s self m
  | Pmod_structure items ->
    let frame = s.current and outer = s.scope and siblings = s.children in
    s.scope <- { outer with own = Names.Map.empty };
    s.children <- [];
    deeper s (fun () -> List.iter (item s self ~names:false) items);
    let inside = s.scope.own in
    let all = part s frame.stop frame.stop in
    all.needs <- Ints.of_list (frame.id :: s.children);
    s.scope <- outer;
    s.children <- siblings;
    Some { parts = []; whole = [ all.id ]; doing = Purity.unknown; inside = Some inside }
  | Pmod_functor (Named ({ txt; _ }, t), body) ->
    self.Ast_iterator.module_type self t;
    let found = ref None in
    scoped s (fun () ->
        Option.iter (fun name -> bind s Module name (at [] Purity.unknown)) txt;
        found := contents s self body);
    !found
  | Pmod_apply (f, argument) ->
    (* All of a functor's body is evaluated. *)
    let found = contents s self f in
    self.Ast_iterator.module_expr self argument;
    Option.iter (fun found -> need s found.whole) found;
    found
  | _ -> default.module_expr self m; None

(* Binds a module's name; its contents are in a part. *)
and bind_module s self p name m =
  bind s Module name
    (match in_module s self p m with
     | Some found ->
       s.children <- found.whole @ s.children;
       through [ p.id ] found
     | None -> at [ p.id ] Purity.unknown)

(* Visits an item and makes its parts.  [names]: it is one at the top level. *)
and item s self ~names i =
  let own () =
    let p = part s (start_of i.pstr_loc) (stop_of i.pstr_loc) in
    s.children <- p.id :: s.children;
    p
  in
  let name_it p name = if names then p.names <- Set.add name p.names in
  let define p kind name = name_it p name; bind s kind name (at [ p.id ] Purity.unknown) in
  let visit p =
    let effects = in_part s p (fun () -> default.structure_item self i) in
    p.has_effect <- effects.now >= May_raise
  in
  let members p =
    Set.iter (define p Member)
      (Names.constructors_in (fun it -> it.Ast_iterator.structure_item it i))
  in
  let classes of_class declarations =
    let p = own () in
    List.iter
      (fun { pci_name = { txt; _ }; _ } -> define p Type txt; of_class p txt)
      declarations;
    visit p
  in
  match i.pstr_desc with
  | Pstr_value (recursive, bindings) ->
    List.iter
      (fun (p, b, (found : Purity.t)) ->
        let defined = Names.pattern_names b.pvb_pat in
        Set.iter (name_it p) defined;
        s.children <- p.id :: s.children;
        p.has_effect <- found.now >= May_raise;
        p.has_state <- (found.now = Impure || found.is_mutable) && not (Set.is_empty defined))
      (bound s self ~top:true ~recursive ~stop:(stop_of i.pstr_loc) bindings)
  | Pstr_primitive { pval_name = { txt; _ }; _ } ->
    let p = own () in
    visit p;
    define p Value txt
  | Pstr_type (recursive, declarations) ->
    let p = own () in
    if recursive = Asttypes.Nonrecursive then visit p;
    List.iter (fun d -> define p Type d.ptype_name.txt) declarations;
    members p;
    if recursive = Asttypes.Recursive then visit p
  | Pstr_typext _ | Pstr_exception _ ->
    let p = own () in
    visit p;
    members p
  | Pstr_modtype { pmtd_name = { txt; _ }; _ } ->
    let p = own () in
    visit p;
    define p Module_type txt
  | Pstr_class declarations -> classes (fun p name -> define p Class name) declarations
  | Pstr_class_type declarations -> classes (fun p name -> define p Class name) declarations
  | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } ->
    let p = own () in
    bind_module s self p name pmb_expr;
    if names then
      Option.iter (member s p (key Module name)) (Names.Map.find_opt (key Module name) s.scope.all)
  | Pstr_recmodule bindings ->
    let p = own () in
    List.iter (fun b -> Option.iter (define p Module) b.pmb_name.txt) bindings;
    visit p
  | Pstr_open { popen_expr = { pmod_desc = Pmod_structure items; _ }; _ }
  | Pstr_include { pincl_mod = { pmod_desc = Pmod_structure items; _ }; _ } ->
    (* The items are read in place; the surrounding keywords belong to no part. *)
    ignore (own ());
    List.iter (item s self ~names) items
  | Pstr_open o ->
    let p = own () in
    let found = in_module s self p o.popen_expr in
    spread s ~own:false p found;
    (* Tests see it, too (opened_by_code.ml). *)
    if names then included s p found
  | Pstr_include { pincl_mod; _ } ->
    let p = own () in
    let found = in_module s self p pincl_mod in
    spread s ~own:true p found;
    Option.iter (fun found -> s.children <- found.whole @ s.children) found;
    if names then included s p found
  | _ -> visit (own ())

(* Adds a part for each included name, as each is needed by itself. *)
and included s p = function
  | Some { inside = Some inside; _ } when !Scope.merged <= Scope.most_merged ->
    Names.Map.iter (member s p) (Names.Map.remove elsewhere inside)
  | _ -> ()

(* Adds the part for a use of the whole module. *)
and member s p key m =
  let all = part s p.stop p.stop in
  all.names <- Set.singleton (String.sub key 1 (String.length key - 1));
  all.needs <- Ints.of_list (p.id :: m.whole)

(* The iterator that notes in the state what each node needs. *)
let iterator s =
  let expr self e = walk s self e in
  let case self c =
    scoped s (fun () ->
        bind_pattern s [] c.pc_lhs parameter;
        default.case self c)
  in
  let module_expr self m =
    match m.pmod_desc with
    | Pmod_ident path -> used ~whole:true s Module path
    | Pmod_structure _ -> Option.iter (fun m -> need s m.whole) (contents s self m)
    | _ -> default.module_expr self m
  in
  let structure self items = List.iter (item s self ~names:false) items in
  { (Mentioned_names.iterator s) with expr; case; module_expr; structure }

(* All parts of a program, ordered by number. *)
let of_structure program =
  let s = create () in
  let self = iterator s in
  List.iter (item s self ~names:true) program;
  Option.iter
    (fun m ->
      let p = part s 0 0 in
      p.names <- Set.singleton elsewhere;
      p.needs <- Ints.of_list m.parts)
    (Names.Map.find_opt elsewhere s.scope.all);
  Names.Map.iter
    (fun key m ->
      if key.[0] = 'm' then
        values_inside s (Ints.of_list m.parts) m (String.sub key 1 (String.length key - 1)))
    s.scope.own;
  List.rev s.found
