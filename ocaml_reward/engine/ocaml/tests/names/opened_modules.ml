(* Restores names after the tests open a module of the code, which may define its own equality,
   [not] or [List]: first the tests' own names, then the standard library's, except those that the
   module is required to have. *)

open Parsetree
open Ast_helper
open Syntax
module Set = Names.Set

(* An iterator, and the names that it finds in modules and signatures. *)
let inside_modules () =
  let found = ref Names.empty in
  let add names = found := Names.union names !found in
  let module_expr m =
    match m.pmod_desc with Pmod_structure s -> add (Names.defined s) | _ -> ()
  in
  let module_type m =
    match m.pmty_desc with Pmty_signature s -> add (Names.declared s) | _ -> ()
  in
  (found, Visit.each ~module_expr ~module_type ())

(* The names in the modules of a structure.
   (sauravbhattacharya001/Ocaml-sample-code test_rope.ml) *)
let of_reference structure =
  let found, iterator = inside_modules () in
  iterator.structure iterator structure;
  !found

(* The names in the modules of a signature. *)
let of_signature signature =
  let found, iterator = inside_modules () in
  iterator.signature iterator signature;
  !found

(* The values and modules, and the constructors, that the tests use without a module.
   (mirage/irmin examples/server/client.ml) *)
let mentioned items =
  let values = ref Set.empty and modules = ref Set.empty and constructors = ref Set.empty in
  let constructor { Location.txt; _ } =
    match txt with
    | Longident.Lident name -> constructors := Set.add name !constructors
    | _ -> ()
  in
  let root path =
    match Path_compat.components path with
    | name :: _ :: _ -> modules := Set.add name !modules
    | _ -> ()
  in
  let expr e =
    match e.pexp_desc with
    | Pexp_ident { txt = Longident.Lident name; _ } -> values := Set.add name !values
    | Pexp_letop { let_; ands; _ } ->
      List.iter (fun o -> values := Set.add o.pbop_op.txt !values) (let_ :: ands)
    | Pexp_construct (path, _) -> constructor path; root path.txt
    | Pexp_ident { txt; _ } -> root txt
    | _ -> ()
  in
  let pat p = match p.ppat_desc with Ppat_construct (path, _) -> constructor path | _ -> () in
  let module_expr m =
    match m.pmod_desc with
    | Pmod_ident { txt = Longident.Lident name; _ } -> modules := Set.add name !modules
    | Pmod_ident { txt; _ } -> root txt
    | _ -> ()
  in
  Visit.(in_structure items (each ~expr ~pat ~module_expr ()));
  ({ Names.empty with values = !values; modules = !modules }, !constructors)

(* Operators that do not evaluate both sides, with their primitives.
   (Reptron/f28pl-2021-22-ocaml-coursework-main 1-complex-numbers/test/ComplexNumbersTests.ml) *)
let lazy_operators = [ ("&&", "%sequand"); ("||", "%sequor") ]

(* The type [bool]. *)
let boolean = Typ.constr (lident "bool") []

(* A definition of a name as the library's. (sauravbhattacharya001/Ocaml-sample-code lambda.ml) *)
let restored name =
  match List.assoc_opt name lazy_operators with
  | Some primitive ->
    (* Not a function, which would evaluate both sides. *)
    let arrow = Typ.arrow Asttypes.Nolabel boolean in
    Str.primitive (Val.mk ~prim:[ primitive ] (nowhere name) (arrow (arrow boolean)))
  | None ->
    let home = if name = "exit" then harness else pristine in
    define name (value (within home name))

(* A definition of an exception as itself, which saves it.
   (ocaml-sf/learn-ocaml-corpus exercises/fpottier/counting_trees/test.ml) *)
let rebound name = Str.exception_ (Te.mk_exception (Te.rebind (nowhere name) (lident name)))

(* The description of an [open!] of a module, for [Str.open_]. *)
let opening m = Opn.mk ~override:Asttypes.Override m

(* The tests' scope: names that they bind, names opened from modules that are not the code's,
   and modules with their contents if known. *)
type scope = {
  bound : Set.t;
  exceptions : Set.t;
  opened : Set.t;
  modules : Names.t option Names.Map.t;
}

(* The tests with restored names.  [known]: modules in scope with their contents; [trusted]:
   other modules that code cannot define; [own]: names of the library that may be the code's
   after an open; [types]: items that restore the library's types; [libraries]: modules of the
   problem's libraries. (ocaml/dune test/expect-tests/scheme/scheme_tests.ml) *)
let guarded ~known ~trusted ~own ~types ~libraries tests =
  let standard = Names.standard () in
  let used, constructors = mentioned tests in
  let nothing = Set.empty in
  let opened_so_far = ref 0 in
  (* Names are unique within a structure. *)
  let fresh () = incr opened_so_far; Printf.sprintf "Before%d*" !opened_so_far in
  let scope = ref { bound = nothing; exceptions = nothing; opened = nothing; modules = known } in
  let scoped f =
    let saved = !scope in
    let result = f () in
    scope := saved;
    result
  in
  let bind pattern =
    let names = Names.pattern_names pattern in
    scope :=
      { !scope with bound = Set.union names !scope.bound; opened = Set.diff !scope.opened names }
  in
  let rec doubtful m =
    match m.pmod_desc with
    | Pmod_structure items -> List.exists includes items
    | Pmod_constraint (m, _) -> doubtful m
    | Pmod_ident { txt; _ } -> (
      match Names.root txt with
      | Some name -> (
        match Names.Map.find_opt name !scope.modules with
        | Some held -> held = None
        | None -> not (Set.mem name trusted))
      | None -> true)
    | _ -> true
  and includes i =
    match i.pstr_desc with Pstr_include { pincl_mod = m; _ } -> doubtful m | _ -> false
  in
  let held m =
    match m.pmod_desc with
    | Pmod_structure items when not (doubtful m) -> Some (Names.defined items)
    | Pmod_ident { txt; _ } when not (doubtful m) -> (
      match Names.Map.find_opt (last_name txt) !scope.modules with
      | Some held -> held
      | None -> Some (Names.contents txt))
    | _ -> None
  in
  let bind_held name m =
    scope := { !scope with modules = Names.Map.add name (held m) !scope.modules }
  in
  let bring m =
    match held m with
    | Some { Names.values; modules; _ } ->
      let add name = Names.Map.add name (Some Names.empty) in
      scope :=
        { !scope with
          opened = Set.union values !scope.opened;
          modules = Set.fold add modules !scope.modules }
    | None -> ()
  in
  (* The items that save the tests' names before a module is opened, and those that restore the
     library's names after it. (sauravbhattacharya001/Ocaml-sample-code test_rope.ml) *)
  let around () =
    let { bound; exceptions; opened; modules } = !scope in
    let mine = Set.union bound (Set.diff opened own.Names.values) in
    let kept = Set.elements (Set.inter used.Names.values mine) in
    let kept_modules =
      List.filter (fun name -> Names.Map.mem name modules) (Set.elements used.Names.modules)
    in
    let values =
      Set.diff (Set.inter used.values standard.values) (Set.union mine own.Names.values)
    in
    let offered = Set.union (Set.of_list libraries) standard.modules in
    let library = Set.diff (Set.inter used.modules offered) own.modules in
    let library = Set.filter (fun name -> not (Names.Map.mem name modules)) library in
    let mine =
      List.map (fun name -> define name (value (lident name))) kept
      @ List.map (fun name -> alias name (lident name)) kept_modules
      @ List.map rebound (Set.elements (Set.inter constructors exceptions))
    in
    let home name =
      if List.mem name libraries then lident (aside name) else within pristine name
    in
    ( mine,
      types
      @ List.map restored (Set.elements values)
      @ List.map (fun name -> alias name (home name)) (Set.elements library) )
  in
  let opened_in e o body =
    if doubtful o.popen_expr then begin
      let mine, library = around () and before = fresh () in
      let body =
        if mine = [] then body else Scope_compat.opening (opening (Mod.ident (lident before))) body
      in
      let body =
        if library = [] then body else Scope_compat.opening (opening (Mod.structure library)) body
      in
      let e = Scope_compat.with_body e body in
      if mine = [] then e else Scope_compat.in_module before (Mod.structure mine) e
    end
    else Scope_compat.with_body e body
  in
  let expr self e =
    scoped @@ fun () ->
    match (e.pexp_desc, Scope_compat.local e) with
    | Pexp_let (recursive, bindings, body), _ ->
      if recursive = Asttypes.Recursive then List.iter (fun b -> bind b.pvb_pat) bindings;
      let bindings = List.map (self.Ast_mapper.value_binding self) bindings in
      List.iter (fun b -> bind b.pvb_pat) bindings;
      { e with pexp_desc = Pexp_let (recursive, bindings, self.expr self body) }
    | _, Some (Scope_compat.Open o, body) ->
      let was = scoped (fun () -> bring o.popen_expr; self.expr self body) in
      opened_in e o was
    | _, Some (Scope_compat.Module ({ txt = Some name; _ }, m), body) ->
      let mapped = Visit.mapper.expr { self with expr = (fun _ e -> e) } e in
      bind_held name m;
      Scope_compat.with_body mapped (self.expr self body)
    | _ ->
      List.iter bind (Function_compat.parameters e);
      Visit.mapper.expr self e
  in
  let case self c =
    scoped @@ fun () ->
    bind c.pc_lhs;
    Visit.mapper.case self c
  in
  let structure_item self i =
    match i.pstr_desc with
    | Pstr_value (recursive, bindings) ->
      if recursive = Asttypes.Recursive then List.iter (fun b -> bind b.pvb_pat) bindings;
      let i = Visit.mapper.structure_item self i in
      List.iter (fun b -> bind b.pvb_pat) bindings;
      [ i ]
    | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } ->
      let i = Visit.mapper.structure_item self i in
      bind_held name pmb_expr;
      [ i ]
    | Pstr_exception { ptyexn_constructor = { pext_name = { txt = name; _ }; _ }; _ } ->
      scope := { !scope with exceptions = Set.add name !scope.exceptions };
      [ Visit.mapper.structure_item self i ]
    | Pstr_open { popen_expr = m; _ } | Pstr_include { pincl_mod = m; _ } ->
      let mapped = Visit.mapper.structure_item self i in
      if not (doubtful m) then begin
        bring m;
        [ mapped ]
      end
      else
        let mine, library = around () and before = fresh () in
        (if mine = [] then [] else [ bind_module before (Mod.structure mine) ])
        @ [ mapped ]
        @ (if library = [] then [] else [ Str.open_ (opening (Mod.structure library)) ])
        @ if mine = [] then [] else [ Str.open_ (opening (Mod.ident (lident before))) ]
    | _ -> [ Visit.mapper.structure_item self i ]
  in
  let structure self items = scoped (fun () -> List.concat_map (structure_item self) items) in
  Visit.map tests { Visit.mapper with expr; case; structure }
