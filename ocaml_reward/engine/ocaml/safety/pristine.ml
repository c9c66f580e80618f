(* Generates the pristine library: every value and module of [Stdlib] under names that code cannot
   shadow, and each type and exception in a module of its own, as a problem may define its own
   [result] or [option]. *)

open Ast_helper

let nowhere = Location.mknoloc

(* The path of a name in [Stdlib]. *)
let stdlib name = nowhere (Path_compat.dot (Longident.Lident "Stdlib") name)
let boolean () = Typ.constr (nowhere (Longident.Lident "bool")) []

(* The items of a text. *)
let parsed text = Parse.implementation (Lexing.from_string text)

(* The declaration of [&&] or [||], which must stay a primitive: a function would evaluate both
   sides. *)
let lazy_operator name primitive =
  Str.primitive
    (Val.mk ~prim:[ primitive ] (nowhere name)
       (Typ.arrow Asttypes.Nolabel (boolean ())
          (Typ.arrow Asttypes.Nolabel (boolean ()) (boolean ()))))

(* The definition of a value as the library's; None for locations such as [__LOC__]. *)
let value name (description : Types.value_description) =
  match description.val_kind with
  | Types.Val_prim { prim_name = ("%sequand" | "%sequor") as primitive; _ } ->
    Some (lazy_operator name primitive)
  | Types.Val_prim { prim_name; _ }
    when String.length prim_name > 4 && String.sub prim_name 0 5 = "%loc_" ->
    None
  | _ ->
    Some
      (Str.value Asttypes.Nonrecursive
         [ Vb.mk (Pat.var (nowhere name)) (Exp.ident (stdlib name)) ])

(* The declaration of a type with its constructors or labels, the same type as the library's; None
   if it has none. *)
let type_again name (declaration : Types.type_declaration) =
  let parsed text =
    match Parse.implementation (Lexing.from_string text) with
    | [ { pstr_desc = Pstr_type (_, [ d ]); _ } ] -> Some d
    | _ -> None
    | exception _ -> None
  in
  let named d =
    let parameters = List.map fst d.Parsetree.ptype_params in
    let same = Typ.constr (nowhere (Longident.Lident name)) parameters in
    { d with ptype_manifest = Some same }
  in
  let parameters = List.mapi (fun i _ -> Printf.sprintf "'p%d" i) declaration.type_params in
  let plain = Printf.sprintf "type %s %s" (match parameters with
      | [] -> "" | _ -> "(" ^ String.concat ", " parameters ^ ")") name
  in
  let whole =
    match declaration.type_kind with
    | Type_variant _ | Type_record _ ->
      parsed
        (Format.asprintf "%a" (Printtyp.type_declaration (Ident.create_local name)) declaration)
    | _ -> None
  in
  Option.map named (match whole with Some _ -> whole | None -> parsed plain)

(* The modules with one type each. *)
let types env =
  let add name _ d found = if name = "exn" then found else (name, d) :: found in
  Env.fold_types add None env []
  |> List.sort_uniq (fun (a, _) (b, _) -> String.compare a b)
  |> List.filter_map (fun (name, d) ->
         Option.map
           (fun again ->
             Str.module_
               (Mb.mk (nowhere (Some (Names.type_home name)))
                  (Mod.structure [ Str.type_ Asttypes.Nonrecursive [ again ] ])))
           (type_again name d))

(* The modules with one exception each. *)
let exceptions () =
  List.map
    (fun name ->
      let again =
        Str.exception_
          (Te.mk_exception (Te.rebind (nowhere name) (nowhere (Longident.Lident name))))
      in
      Str.module_ (Mb.mk (nowhere (Some (Names.exception_home name))) (Mod.structure [ again ])))
    (Names.Set.elements (Lazy.force Names.standard_exceptions))

(* The tests' [Random]: a separate generator, as code could otherwise set what the tests draw.
   [init] sets both, for tests that seed the code. *)
let random () =
  let inside m = Names.known (Some (Path_compat.dot (stdlib "Random").txt m)) in
  let state = (inside "State").values in
  let drawn =
    [ ("()", ""), [ "bits"; "bool"; "bits32"; "bits64"; "nativebits" ];
      ("n", " n"), [ "int"; "full_int"; "int32"; "nativeint"; "int64"; "float" ];
      ( ("~min ~max", " ~min ~max"),
        [ "int_in_range"; "int32_in_range"; "nativeint_in_range"; "int64_in_range" ] ) ]
  in
  let draw ((takes, gives), names) =
    List.filter (fun name -> Names.Set.mem name state) names
    |> List.map (fun name -> Printf.sprintf "let %s %s = State.%s !own%s\n" name takes name gives)
    |> String.concat ""
  in
  let text =
    "include Stdlib.Random\nlet own = ref (get_state ())\n"
    ^ "let init n = init n; own := State.make [| n |]\n"
    ^ "let full_init a = full_init a; own := State.make a\n"
    ^ "let self_init () = self_init (); own := State.make_self_init ()\n"
    ^ "let get_state () = State.copy !own\n"
    ^ "let set_state s = set_state s; own := State.copy s\n"
    ^ (if Names.Set.mem "split" state then "let split () = State.split !own\n" else "")
    ^ String.concat "" (List.map draw drawn)
  in
  Mod.structure (parsed text)

(* An item that includes a module of [Stdlib]. *)
let including name = Str.include_ (Incl.mk (Mod.ident (stdlib name)))

(* The definition of a name as that of a module of the harness. *)
let ours m ?inside name =
  let path = Path_compat.dot (Path_compat.dot (Longident.Lident Units.harness) m) in
  Str.value Asttypes.Nonrecursive
    [ Vb.mk (Pat.var (nowhere name))
        (Exp.ident (nowhere (path (Option.value ~default:name inside)))) ]

(* The tests' [Printexc], with separate printers: see [Harness.Printers]. *)
let printexc () =
  Mod.structure
    [ including "Printexc"; ours "Printers" ~inside:"register" "register_printer";
      ours "Printers" "to_string" ]

(* The values that print: see [Harness.Test_output]. *)
let printing =
  [ "print_char"; "print_string"; "print_bytes"; "print_int"; "print_float"; "print_newline";
    "print_endline"; "prerr_char"; "prerr_string"; "prerr_bytes"; "prerr_int"; "prerr_float";
    "prerr_newline"; "prerr_endline" ]

(* The values for the tests' output, with their names in [Harness.Test_output].  Both outputs are
   one channel, in order. *)
let test_output =
  let inside name =
    if String.sub name 0 5 = "prerr" then "print" ^ String.sub name 5 (String.length name - 5)
    else name
  in
  List.map (fun name -> (name, inside name)) printing
  @ [ ("stdout", "stdout"); ("stderr", "stdout") ]

(* The definitions of these values. *)
let to_test_output = List.map (fun (name, inside) -> ours "Test_output" ~inside name)

(* The tests' [Printf]. *)
let printf () =
  Mod.structure (including "Printf" :: to_test_output [ ("printf", "printf"); ("eprintf", "printf") ])

(* The tests' [Format]: a separate buffer, as code could redirect [Format]'s. *)
let format () =
  let values = (Names.known (Some (stdlib "Format").txt)).Names.values in
  let of_formatter =
    Names.Set.filter (fun name -> Names.Set.mem ("pp_" ^ name) values) values
    |> Names.Set.elements
    |> List.map (fun name -> Printf.sprintf "let %s = pp_%s std_formatter\n" name name)
  in
  let text =
    "let stdbuf = Buffer.create 64\n"
    ^ "let str_formatter = formatter_of_buffer stdbuf\n"
    ^ "let flush_str_formatter () =\n  pp_print_flush str_formatter ();\n"
    ^ "  let text = Buffer.contents stdbuf in\n  Buffer.clear stdbuf;\n"
    ^ "  Stdlib.(^) (Stdlib.Format.flush_str_formatter ()) text\n"
    ^ "let printf text = fprintf std_formatter text\nlet eprintf = printf\n"
    ^ String.concat "" of_formatter
  in
  Mod.structure
    (including "Format"
     :: to_test_output [ ("std_formatter", "formatter"); ("err_formatter", "formatter") ]
     @ parsed text)

(* Modules that are the tests' own. *)
let own_modules = [ ("Format", format); ("Random", random); ("Printexc", printexc);
    ("Printf", printf) ]

let module_ name m = Str.module_ (Mb.mk (nowhere (Some name)) m)
let alias name = Mod.ident (nowhere (Longident.Lident name))

(* The tests' [Stdlib], as [Stdlib.Random] and the like are also the tests' own. *)
let whole () =
  let aside name = name ^ "*" in
  Mod.structure
    (List.map (fun (name, _) -> module_ (aside name) (alias name)) own_modules
     @ [ Str.include_ (Incl.mk (alias "Stdlib")) ]
     @ to_test_output test_output
     @ [ Str.value Asttypes.Nonrecursive
           [ Vb.mk (Pat.var (nowhere "exit"))
               (Exp.ident (nowhere (Path_compat.dot (Longident.Lident Units.harness) "exit"))) ] ]
     @ List.map (fun (name, _) -> module_ name (alias (aside name))) own_modules)

(* The pristine library. *)
let structure () =
  let env = Lazy.force Names.env in
  let prefix = Some (Longident.Lident "Stdlib") in
  let values = Env.fold_values (fun name _ d found -> (name, d) :: found) prefix env [] in
  let modules = (Names.known prefix).Names.modules in
  types env
  @ exceptions ()
  @ List.filter_map (fun (name, d) -> value name d) (List.sort compare values)
  @ to_test_output test_output
  @ List.map
      (fun name ->
        module_ name
          (match List.assoc_opt name own_modules with
           | Some make -> make ()
           | None -> Mod.ident (stdlib name)))
      (Names.Set.elements modules)
  @ [ module_ "Stdlib" (whole ()) ]

(* The item that links the library's [Effect]: an unhandled effect raises only in a program that
   links it, which its primitives alone do not. *)
let effects () =
  let found = (Names.known (Some (Longident.Lident "Stdlib"))).Names.modules in
  if not (Names.Set.mem "Effect" found) then []
  else
    let name = nowhere (Path_compat.dot (stdlib "Effect").txt "Continuation_already_resumed") in
    [ Str.value Asttypes.Nonrecursive [ Vb.mk (Pat.any ()) (Exp.construct name None) ] ]
