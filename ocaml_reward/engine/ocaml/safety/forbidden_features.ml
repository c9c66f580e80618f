(* Finds uses of features that break type safety or reach outside the program.

   Names are matched anywhere in the parse tree, so an alias, an [open], a functor argument or a
   signature hides nothing: every way to [Obj.magic] writes [Obj] somewhere. *)

open Parsetree

(* Forbidden modules. *)
let modules =
  [
    "Obj"; "Marshal"; "Callback"; "Dynlink"; "Toploop"; "Topdirs"; "Symtable"; "Meta";
    "CamlinternalFormat"; "CamlinternalFormatBasics"; "CamlinternalLazy"; "CamlinternalMod";
    "CamlinternalOO"; "CamlinternalAtomic"; "CamlinternalComprehension";
  ]

(* Values that are forbidden in any module.  The tables of a lexer or parser drive C code that
   trusts them. *)
let values =
  [
    "set_uncaught_exception_handler"; "input_value"; "unsafe_get"; "unsafe_set";
    "unsafe_blit"; "unsafe_blit_string"; "unsafe_fill"; "unsafe_to_string";
    "unsafe_of_string"; "unsafe_chr"; "unsafe_really_input"; "unsafe_input"; "unsafe_output";
    "new_engine"; "yyparse";
    (* What the tests print through their formatter, which a printer of the code is given. *)
    "pp_set_formatter_out_functions"; "pp_set_formatter_output_functions";
    "pp_set_formatter_out_channel"; "pp_set_all_formatter_output_functions";
    "pp_set_max_boxes"; "pp_set_ellipsis_text";
  ]

(* Whether a value's name is forbidden. *)
let unsafe_name ~qualified name =
  List.mem name values
  || (qualified && String.length name > 7 && String.sub name 0 7 = "unsafe_")

(* Whether a module's name is forbidden. *)
let hidden name =
  List.mem name modules
  || (String.length name > 8
      && String.sub name 0 8 = "Stdlib__"
      && List.mem (String.sub name 8 (String.length name - 8)) modules)

(* Modules that only the tests may use. *)
let tests_only =
  lazy
    (match Sys.getenv_opt "OCAML_REWARD_TESTS_ONLY" with
     | Some names -> List.filter (( <> ) "") (String.split_on_char ' ' names)
     | None -> [])

(* The lines and names of modules that only the tests may use.  Found in the text, not the tree: any
   mention of the name would make the compiler load the unit. *)
let of_tests source =
  match Lazy.force tests_only with
  | [] -> []
  | names ->
    let lexbuf = Lexing.from_string (Lazy.force source) in
    let rec all found =
      match Lexer.token lexbuf with
      | Parser.EOF -> found
      | Parser.UIDENT name when List.mem name names ->
        all ((lexbuf.lex_start_p.pos_lnum, name) :: found)
      | _ -> all found
      | exception _ -> found
    in
    all []

(* [(line, construct)] of each forbidden feature, sorted, without repeats; including uses of what
   only the tests may use. *)
let unsafe ~source structure =
  let found = ref (List.sort_uniq compare (of_tests source)) in
  let report (loc : Location.t) what =
    let entry = (loc.loc_start.pos_lnum, what) in
    if not (List.mem entry !found) then found := entry :: !found
  in
  let sys_in_scope = ref false in
  let modules loc = List.iter (fun name -> if hidden name then report loc name) in
  let value loc path =
    match List.rev (Path_compat.components path) with
    | "command" :: prefix when !sys_in_scope || List.mem "Sys" prefix ->
      report loc "Sys.command"
    | last :: prefix ->
      modules loc (List.rev prefix);
      if unsafe_name ~qualified:(prefix <> []) last then
        report loc (String.concat "." (List.rev (last :: prefix)))
    | [] -> ()
  in
  let module_path loc path =
    let names = Path_compat.components path in
    if List.mem "Sys" names then sys_in_scope := true;
    modules loc names
  in
  (* For a constructor, field or type only its module path matters. *)
  let member loc path =
    match List.rev (Path_compat.components path) with
    | _ :: prefix -> modules loc (List.rev prefix)
    | [] -> ()
  in
  let expr e =
    match e.pexp_desc with
    | Pexp_ident { txt; loc } -> value loc txt
    | Pexp_construct ({ txt; loc }, _) | Pexp_field (_, { txt; loc }) -> member loc txt
    | Pexp_record (fields, _) ->
      List.iter
        (fun ((label : Longident.t Location.loc), _) ->
          member label.loc label.txt;
          match List.rev (Path_compat.components label.txt) with
          | ("lex_base" | "lex_base_code") :: _ -> report label.loc "Lexing.lex_tables"
          | _ -> ())
        fields
    | _ -> ()
  in
  let pat p =
    match p.ppat_desc with
    | Ppat_construct ({ txt; loc }, _) -> member loc txt
    | Ppat_open ({ txt; loc }, _) -> module_path loc txt
    | _ -> ()
  in
  let typ t = match t.ptyp_desc with Ptyp_constr ({ txt; loc }, _) -> member loc txt | _ -> () in
  let module_expr m =
    match m.pmod_desc with Pmod_ident { txt; loc } -> module_path loc txt | _ -> ()
  in
  let module_type m =
    match m.pmty_desc with
    | Pmty_ident { txt; loc } -> member loc txt
    | Pmty_alias { txt; loc } -> module_path loc txt
    | _ -> ()
  in
  let value_description self v =
    if v.pval_prim <> [] then report v.pval_loc ("external " ^ v.pval_name.txt);
    (* Such a signature can be matched by the standard library's module. *)
    if unsafe_name ~qualified:false v.pval_name.txt then report v.pval_loc v.pval_name.txt;
    Visit.default.value_description self v
  in
  let open_description self o =
    module_path o.popen_loc o.popen_expr.Location.txt;
    Visit.default.open_description self o
  in
  let each = Visit.each ~expr ~pat ~typ ~module_expr ~module_type () in
  Visit.in_structure structure { each with value_description; open_description };
  List.sort compare !found
