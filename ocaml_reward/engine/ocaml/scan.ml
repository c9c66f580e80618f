(* Finds features that could break type safety or reach outside the program.

   Names are matched wherever they stand on the parse tree, so that an alias, an [open],
   a functor argument or a signature does not hide one: every way to [Obj.magic] writes
   the component [Obj] somewhere.  Comments and strings are not on the tree. *)

open Parsetree

let modules =
  [
    "Obj"; "Marshal"; "Callback"; "Dynlink"; "Toploop"; "Topdirs"; "Symtable"; "Meta";
    "CamlinternalFormat"; "CamlinternalFormatBasics"; "CamlinternalLazy"; "CamlinternalMod";
    "CamlinternalOO"; "CamlinternalAtomic"; "CamlinternalComprehension";
  ]

(* Values that are forbidden whatever module they are reached through.  The tables of a
   lexer or parser drive C code that trusts them, hence their labels. *)
let values =
  [
    "set_uncaught_exception_handler"; "input_value"; "unsafe_get"; "unsafe_set";
    "unsafe_blit"; "unsafe_blit_string"; "unsafe_fill"; "unsafe_to_string";
    "unsafe_of_string"; "unsafe_chr"; "unsafe_really_input"; "unsafe_input"; "unsafe_output";
    "new_engine"; "yyparse"; "lex_base"; "lex_base_code";
  ]

let unsafe_name ~qualified name =
  List.mem name values
  || (qualified && String.length name > 7 && String.sub name 0 7 = "unsafe_")

let hidden name =
  List.mem name modules
  || (String.length name > 8
      && String.sub name 0 8 = "Stdlib__"
      && List.mem (String.sub name 8 (String.length name - 8)) modules)

(* [(line, construct)] for each unsafe feature, in source order, without repeats. *)
let unsafe structure =
  let found = ref [] in
  let report (loc : Location.t) what =
    let entry = (loc.loc_start.pos_lnum, what) in
    if not (List.mem entry !found) then found := entry :: !found
  in
  let sys_in_scope = ref false in
  let path loc longident =
    let names = Longident.flatten longident in
    let rec walk = function
      | [] -> ()
      | [ last ] ->
        if hidden last then report loc last
        else if unsafe_name ~qualified:(List.length names > 1) last then
          report loc (String.concat "." names)
      | "Sys" :: ("command" :: _ as rest) -> report loc "Sys.command"; walk rest
      | name :: rest -> if hidden name then report loc name; walk rest
    in
    walk names;
    (match List.rev names with
     | "Sys" :: _ -> sys_in_scope := true
     | "command" :: _ when !sys_in_scope -> report loc "Sys.command"
     | _ -> ())
  in
  let path loc longident = try path loc longident with Misc.Fatal_error -> () in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    (match e.pexp_desc with
     | Pexp_ident { txt; loc } | Pexp_construct ({ txt; loc }, _) | Pexp_field (_, { txt; loc })
       ->
       path loc txt
     | Pexp_record (fields, _) ->
       List.iter (fun ((label : Longident.t Location.loc), _) -> path label.loc label.txt) fields
     | _ -> ());
    default.expr self e
  in
  let pat self p =
    (match p.ppat_desc with
     | Ppat_construct ({ txt; loc }, _) -> path loc txt
     | Ppat_open ({ txt; loc }, _) -> path loc txt
     | _ -> ());
    default.pat self p
  in
  let typ self t =
    (match t.ptyp_desc with Ptyp_constr ({ txt; loc }, _) -> path loc txt | _ -> ());
    default.typ self t
  in
  let module_expr self m =
    (match m.pmod_desc with Pmod_ident { txt; loc } -> path loc txt | _ -> ());
    default.module_expr self m
  in
  let module_type self m =
    (match m.pmty_desc with
     | Pmty_ident { txt; loc } | Pmty_alias { txt; loc } -> path loc txt
     | _ -> ());
    default.module_type self m
  in
  let value_description self v =
    if v.pval_prim <> [] then report v.pval_loc ("external " ^ v.pval_name.txt);
    (* A signature that asks for an unsafe value may be given the standard library's. *)
    path v.pval_loc (Longident.Lident v.pval_name.txt);
    default.value_description self v
  in
  let open_description self o =
    path o.popen_loc o.popen_expr.Location.txt;
    default.open_description self o
  in
  let iterator =
    { default with expr; pat; typ; module_expr; module_type; value_description;
      open_description }
  in
  iterator.structure iterator structure;
  List.sort compare !found
