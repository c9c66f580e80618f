open Parsetree

let modules =
  [
    "Obj"; "Marshal"; "Callback"; "Dynlink"; "Toploop"; "Topdirs"; "Symtable"; "Meta";
    "CamlinternalFormat"; "CamlinternalFormatBasics"; "CamlinternalLazy"; "CamlinternalMod";
    "CamlinternalOO"; "CamlinternalAtomic"; "CamlinternalComprehension";
  ]

(* Values that are forbidden whatever module they are reached through.  The tables of a
   lexer or parser drive C code that trusts them. *)
let values =
  [
    "set_uncaught_exception_handler"; "input_value"; "unsafe_get"; "unsafe_set";
    "unsafe_blit"; "unsafe_blit_string"; "unsafe_fill"; "unsafe_to_string";
    "unsafe_of_string"; "unsafe_chr"; "unsafe_really_input"; "unsafe_input"; "unsafe_output";
    "new_engine"; "yyparse";
  ]

let unsafe_name ~qualified name =
  List.mem name values
  || (qualified && String.length name > 7 && String.sub name 0 7 = "unsafe_")

let hidden name =
  List.mem name modules
  || (String.length name > 8
      && String.sub name 0 8 = "Stdlib__"
      && List.mem (String.sub name 8 (String.length name - 8)) modules)

(* Modules whose interface is not in the jail: their absence is what keeps them away, and
   the scan only words it.  (build.py, UNSAFE) *)
let absent = [ "Obj"; "Marshal"; "Callback" ]

let unsafe ~tests structure =
  let found = ref [] in
  let report (loc : Location.t) what =
    let entry = (loc.loc_start.pos_lnum, what) in
    if not (List.mem entry !found) then found := entry :: !found
  in
  let general = Gadts.general_labels structure in
  let scope = Scoping.create ~labels:general ~named:(Gadts.named general structure) in
  let is_own path = Scoping.is_own scope path in
  let sys_in_scope = ref false in
  (* What the code itself binds is its own. *)
  let modules loc names =
    if List.exists hidden names then
      Scoping.foreign scope ~absent:(fun name -> List.mem name absent) names
      |> List.iter (fun name -> if hidden name then report loc name)
  in
  let value loc path =
    let names = Compat.components path in
    match List.rev names with
    | "command" :: prefix
      when (!sys_in_scope || List.mem "Sys" prefix) && not (is_own path) ->
      report loc "Sys.command"
    | last :: prefix ->
      modules loc (List.rev prefix);
      if unsafe_name ~qualified:(prefix <> []) last && not (is_own path) then
        report loc (String.concat "." names)
    | [] -> ()
  in
  let module_path loc path =
    let names = Compat.components path in
    if List.mem "Sys" names then sys_in_scope := true;
    modules loc names
  in
  (* A constructor, field or type: only the modules on the way to it matter. *)
  let member loc path =
    match List.rev (Compat.components path) with
    | _ :: prefix -> modules loc (List.rev prefix)
    | [] -> ()
  in
  let default = Scope_walk.iterator scope in
  let hiding = Gadts.hiding structure in
  let opens =
    Matches.exists_pattern (fun p ->
        match p.ppat_desc with
        | Ppat_construct ({ txt; _ }, _) ->
          List.exists (fun name -> Names.Set.mem name hiding) (Compat.components txt)
        | _ -> false)
  in
  let matched (loc : Location.t) e patterns =
    if List.exists opens patterns && Scoping.general scope e then
      report loc Gadts.taken_out
  in
  let expr self e =
    (match e.pexp_desc with
     | Pexp_ident { txt; loc } -> value loc txt
     | Pexp_match (value, cases) ->
       matched e.pexp_loc value (List.map (fun c -> c.pc_lhs) cases)
     | Pexp_construct ({ txt; loc }, _) | Pexp_field (_, { txt; loc }) -> member loc txt
     | Pexp_record (fields, _) ->
       List.iter
         (fun ((label : Longident.t Location.loc), _) ->
           member label.loc label.txt;
           match List.rev (Compat.components label.txt) with
           | ("lex_base" | "lex_base_code") :: _ -> report label.loc "Lexing.lex_tables"
           | _ -> ())
         fields
     | _ -> ());
    default.expr self e
  in
  let places = Matches.places structure in
  let collected = Matches.collects structure in
  let pat self p =
    if Matches.changed_within places ~collected p then report p.ppat_loc Matches.changing;
    if List.exists opens (Gadts.of_labels general p) then report p.ppat_loc Gadts.taken_out;
    (match p.ppat_desc with
     | Ppat_construct ({ txt; loc }, _) -> member loc txt
     | Ppat_open ({ txt; loc }, _) -> module_path loc txt
     | _ -> ());
    default.pat self p
  in
  let typ self t =
    (match t.ptyp_desc with Ptyp_constr ({ txt; loc }, _) -> member loc txt | _ -> ());
    default.typ self t
  in
  let in_functor = ref false in
  let module_expr self m =
    (match m.pmod_desc with Pmod_ident { txt; loc } -> module_path loc txt | _ -> ());
    let outside = !in_functor in
    (match m.pmod_desc with Pmod_functor _ -> in_functor := true | _ -> ());
    default.module_expr self m;
    in_functor := outside
  in
  let module_type self m =
    (match m.pmty_desc with
     | Pmty_ident { txt; loc } -> member loc txt
     | Pmty_alias { txt; loc } -> module_path loc txt
     | _ -> ());
    default.module_type self m
  in
  let value_description self v =
    if v.pval_prim <> [] then report v.pval_loc ("external " ^ v.pval_name.txt);
    (* A signature that asks for an unsafe value may be given the standard library's. *)
    if unsafe_name ~qualified:false v.pval_name.txt
       && not (Scoping.is_promised scope v.pval_name.txt)
    then report v.pval_loc v.pval_name.txt;
    default.value_description self v
  in
  let open_description self o =
    module_path o.popen_loc o.popen_expr.Location.txt;
    default.open_description self o
  in
  (* [type t += B = A] makes two constructors one: tests could not tell them apart.  An
     exception may be another name for one of a library's, each only once: in a functor it
     would be another at each application. *)
  let twins = Twins.of_structure ~tests structure in
  let type_exception self e =
    match e.ptyexn_constructor.pext_kind with
    | Pext_rebind { txt; loc } when (not !in_functor) && Twins.alone twins loc txt -> ()
    | _ -> default.type_exception self e
  in
  let plain = Injective.plain structure in
  let constructor loc name result =
    List.iter
      (fun index -> report loc (name ^ ", a GADT's constructor indexed by " ^ index))
      (Gadts.weak_indices plain result)
  in
  let constructor_declaration self c =
    Option.iter (constructor c.pcd_loc c.pcd_name.txt) c.pcd_res;
    default.constructor_declaration self c
  in
  let extension_constructor self c =
    Option.iter (constructor c.pext_loc c.pext_name.txt) (Views.result c);
    (match c.pext_kind with
     | Pext_rebind { loc; _ } when Twins.is_harmless twins loc -> ()
     | Pext_rebind _ -> report c.pext_loc (c.pext_name.txt ^ ", bound to another constructor")
     | Pext_decl _ -> ());
    default.extension_constructor self c
  in
  let gadts = Gadts.present structure && Forgetting.unnamed structure in
  let forgets (loc : Location.t) name =
    report loc (name ^ ", which forgets a parameter, beside a GADT")
  in
  let type_declaration self d =
    if gadts && Forgetting.forgetful d then forgets d.ptype_loc d.ptype_name.txt;
    default.type_declaration self d
  in
  let class_declaration self c =
    if gadts && Forgetting.forgetful_class c then forgets c.pci_loc c.pci_name.txt;
    default.class_declaration self c
  in
  let of_class_type c =
    if gadts && Forgetting.forgetful_class_type c then forgets c.pci_loc c.pci_name.txt
  in
  let class_description self c = of_class_type c; default.class_description self c in
  let class_type_declaration self c =
    of_class_type c;
    default.class_type_declaration self c
  in
  let value_binding self b =
    matched b.pvb_loc b.pvb_expr [ b.pvb_pat ];
    default.value_binding self b
  in
  let steady = Matches.plain structure in
  let cases self cases =
    (match Matches.unsteady places steady ~collected cases with
     | Some c -> report c.pc_lhs.ppat_loc Matches.changing
     | None -> ());
    default.cases self cases
  in
  let iterator =
    { default with expr; pat; typ; module_expr; module_type; value_description;
      open_description; type_exception; constructor_declaration; extension_constructor;
      type_declaration; class_declaration; class_description; class_type_declaration;
      value_binding; cases }
  in
  iterator.structure iterator structure;
  Twins.handed_on twins report structure;
  List.sort compare !found
