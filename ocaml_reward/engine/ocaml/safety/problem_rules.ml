(* Finds uses of what a problem forbids, and names that it requires and code does not define.

   The compiler has resolved the names: a definition of a library is known by its place in the
   library's interface, which it keeps through every alias, [open], [include] and functor.  Only a
   signature of the code gives it another, so that a module behind one counts as a use of what the
   signature shows of it.  The words of the language are found in the text. *)

open Typedtree

type t = { forbidden : string list; required : string list }

(* The lines and names of what is forbidden, sorted; and what is required and [missing]. *)
type found = { uses : (int * string) list; missing : string list }

let nothing = { uses = []; missing = [] }

let is_module name = name <> "" && 'A' <= name.[0] && name.[0] <= 'Z'

(* The names in a path, which may end in an operator with dots. *)
let rec names path =
  match String.index_opt path '.' with
  | Some at when is_module path ->
    String.sub path 0 at :: names (String.sub path (at + 1) (String.length path - at - 1))
  | _ -> [ path ]

(* The names before the last of a path, and the last. *)
let split path =
  match List.rev path with
  | last :: before -> (List.rev before, last)
  | [] -> ([], "")

(* ---- words of the language ----------------------------------------------------------- *)

(* Words that are the names of values. *)
let operators = [ "mod"; "land"; "lor"; "lxor"; "lsl"; "lsr"; "asr"; "or" ]

let is_word = function
  | "<-" | "::" -> true
  | name when name = "" || not ('a' <= name.[0] && name.[0] <= 'z') -> false
  | name -> (
    (not (List.mem name operators))
    &&
    match Lexer.token (Lexing.from_string name) with
    | LIDENT _ -> false
    | _ -> true
    | exception _ -> false)

(* Calls [use] with each of the words in a text, and where it begins. *)
let find_words words source ~use =
  let lexbuf = Lexing.from_string source in
  Lexer.init ();
  let rec all () =
    match Lexer.token lexbuf with
    | Parser.EOF | (exception _) -> ()
    | LIDENT _ | STRING _ -> all ()
    | _ ->
      let word = Lexing.lexeme lexbuf in
      if List.mem word words then use lexbuf.lex_start_p word;
      all ()
  in
  all ()

(* ---- what a name stands for ----------------------------------------------------------- *)

(* A value or constructor is named; a record is built, read or changed by a field. *)
type how = Named | Built | Read | Changed

(* Where a definition stands in its interface. *)
let place (at : Location.t) = (at.loc_start.pos_fname, at.loc_start.pos_cnum)

(* The paths at which the library has the same: with labels too, and from before 4.07. *)
let twins path =
  let inner = match path with "Stdlib" :: (_ :: _ as inner) -> inner | _ -> path in
  match inner with
  | [ name ] when not (is_module name) -> [ [ "Stdlib"; name ]; [ "Pervasives"; name ] ]
  | (("List" | "Array" | "Bytes" | "String") as name) :: rest ->
    [ inner; (name ^ "Labels") :: rest ]
  | ("Hashtbl" | "Map" | "Set") :: _ -> [ inner; "MoreLabels" :: inner ]
  | _ -> [ inner ]

(* The path as the compiler has it; None for no names. *)
let prefix = function
  | [] -> None
  | first :: rest -> Some (List.fold_left Path_compat.dot (Longident.Lident first) rest)

(* What a fold over the definitions of a module finds; nothing if there is no such module. *)
let found fold add path env = try fold add (prefix path) env [] with Not_found | Env.Error _ -> []

(* The signature or functor that a module type stands for. *)
let content env m = Mtype.scrape env (Env.scrape_alias env m)

(* The values, types and modules of a signature that others see: no later one hides them. *)
let visible items =
  let add (seen, kept) item =
    match item with
    | Types.Sig_value (id, _, Exported)
    | Sig_type (id, _, _, Exported)
    | Sig_module (id, _, _, _, Exported) ->
      let name = (match item with Sig_type _ -> "type " | _ -> "") ^ Ident.name id in
      if Names.Set.mem name seen then (seen, kept) else (Names.Set.add name seen, item :: kept)
    | _ -> (seen, kept)
  in
  snd (List.fold_left add (Names.Set.empty, []) (List.rev items))

(* The values of a module type, or of a functor's results, by their paths. *)
let rec members env m =
  match content env m with
  | Types.Mty_signature items ->
    List.concat_map
      (function
        | Types.Sig_value (id, d, _) -> [ ([ Ident.name id ], d.val_loc) ]
        | Sig_module (id, _, d, _, _) ->
          List.map (fun (path, at) -> (Ident.name id :: path, at)) (members env d.md_type)
        | _ -> [])
      (visible items)
  | Mty_functor (_, result) -> members env result
  | _ -> []

(* The values of a module type, as they are used. *)
let named env m = List.map (fun (_, at) -> (Named, at)) (members env m)

(* The values of the results of a functor; none for another module. *)
let results env (d : Types.module_declaration) =
  match content env d.md_type with Mty_functor _ as m -> named env m | _ -> []

(* The definitions of a module with the submodules and module types in it. *)
let rec inside env path =
  let all fold each = found fold (fun d found -> each d @ found) path env in
  let by_name fold each = found fold (fun name _ d found -> each name d @ found) path env in
  List.concat
    [
      by_name Env.fold_values (fun _ (d : Types.value_description) -> [ (Named, d.val_loc) ]);
      all Env.fold_constructors (fun c -> [ (Named, c.cstr_loc) ]);
      all Env.fold_labels (fun l ->
          List.map (fun how -> (how, l.lbl_loc)) [ Built; Read; Changed ]);
      by_name Env.fold_modtypes (fun _ (d : Types.modtype_declaration) ->
          Option.fold ~none:[] ~some:(named env) d.mtd_type);
      by_name Env.fold_modules (fun name d -> results env d @ inside env (path @ [ name ]));
    ]

(* What a path that ends in a module, functor or value stands for. *)
let stands_for env path =
  let before, last = split path in
  let called each name _ d found = if name = last then each d @ found else found in
  let field how =
    found Env.fold_labels
      (fun l found -> if l.lbl_name = "contents" then (how, l.lbl_loc) :: found else found)
      before env
  in
  if is_module last then
    inside env path
    @ found Env.fold_modules (called (results env)) before env
  else
    found Env.fold_values (called (fun (d : Types.value_description) -> [ (Named, d.val_loc) ]))
      before env
    @
    (* What these do is also written with the field of a reference. *)
    match path with
    | [ "Stdlib"; "ref" ] -> field Built
    | [ "Stdlib"; "!" ] -> field Read
    | [ "Stdlib"; ":=" ] -> field Changed
    | _ -> []

(* The forbidden names by what they stand for. *)
let table env forbidden =
  let table = Hashtbl.create 64 in
  let add name (how, at) =
    if at <> Location.none then Hashtbl.replace table (how, place at) name
  in
  let all name = List.concat_map (stands_for env) (twins (names name)) in
  List.iter (fun name -> List.iter (add name) (all name)) forbidden;
  table

(* ---- in code ------------------------------------------------------------------------- *)

(* Calls [use] with the location and name of each use of what is in the table. *)
let find_uses table structure ~use =
  let at loc how found =
    Option.iter (use loc) (Hashtbl.find_opt table (how, place found))
  in
  let default = Tast_iterator.default_iterator in
  let operator (o : binding_op) = at o.bop_op_name.loc Named o.bop_op_val.val_loc in
  let expr self (e : expression) =
    (match e.exp_desc with
     | Texp_ident (_, _, d) -> at e.exp_loc Named d.val_loc
     | Texp_construct (name, c, _) -> at name.loc Named c.cstr_loc
     | Texp_field (_, name, l) -> at name.loc Read l.lbl_loc
     | Texp_setfield (_, name, l, _) -> at name.loc Changed l.lbl_loc
     | Texp_record { fields; _ } ->
       for i = 0 to Array.length fields - 1 do
         match fields.(i) with
         | l, Overridden (name, _) -> at name.loc Built l.lbl_loc
         | _, Kept _ -> ()
       done
     | Texp_letop { let_; ands; _ } -> List.iter operator (let_ :: ands)
     | _ -> ());
    default.Tast_iterator.expr self e
  in
  (* A module that gets a signature in which its values have other places. *)
  let behind (m : module_expr) signature =
    let shown = members m.mod_env signature in
    List.iter
      (fun (path, hidden) ->
        match List.assoc_opt path shown with
        | Some place_there when place place_there <> place hidden -> at m.mod_loc Named hidden
        | _ -> ())
      (List.filter
         (fun (_, at) -> Hashtbl.mem table (Named, place at))
         (members m.mod_env m.mod_type))
  in
  let module_expr self (m : module_expr) =
    (match m.mod_desc with
     | Tmod_constraint (inner, signature, _, _) -> behind inner signature
     | Tmod_apply (f, argument, _) -> (
       match content f.mod_env f.mod_type with
       | Mty_functor (Named (_, signature), _) -> behind argument signature
       | _ -> ())
     | _ -> ());
    default.module_expr self m
  in
  let iterator = { default with expr; module_expr } in
  iterator.structure iterator structure

(* Whether a signature defines what is at a path: a module, or a value or type. *)
let rec defines env (items : Types.signature) = function
  | [] -> false
  | [ name ] when not (is_module name) ->
    List.exists
      (function
        | Types.Sig_value (id, _, _) | Sig_type (id, _, _, _) -> Ident.name id = name
        | _ -> false)
      (visible items)
  | name :: rest ->
    let rec has m =
      match content env m with
      | Types.Mty_signature inner -> defines env inner rest
      | Mty_functor (_, result) -> has result
      | _ -> false
    in
    List.exists
      (function
        | Types.Sig_module (id, _, d, _, _) when Ident.name id = name ->
          rest = [] || has d.md_type
        | _ -> false)
      (visible items)

(* What typed code uses and lacks.  Code that the problem gives may use everything. *)
let found { forbidden; required } ~given ~source structure =
  let uses = ref [] in
  let use (at : Lexing.position) what =
    let is_given = List.exists (fun (a, b) -> a <= at.pos_cnum && at.pos_cnum < b) given in
    if not is_given then uses := (at.pos_lnum, what ^ ", which the problem forbids") :: !uses
  in
  let words, others = List.partition is_word forbidden in
  if words <> [] then Without_warnings.run (fun () -> find_words words (Lazy.force source) ~use);
  if others <> [] then
    find_uses (table (Lazy.force Names.env) others) structure
      ~use:(fun (at : Location.t) -> use at.loc_start);
  let is_missing path = not (defines structure.str_final_env structure.str_type (names path)) in
  { uses = List.sort_uniq compare !uses; missing = List.filter is_missing required }

(* Pairs of line and construct, and of nothing and what is missing. *)
let pairs { uses; missing } =
  List.concat_map (fun (line, what) -> [ string_of_int line; what ]) uses
  @ List.concat_map (fun name -> [ ""; name ]) missing

(* The rules in a request: what is forbidden, and what required, with blanks between. *)
let of_words forbidden required =
  { forbidden = Syntax.words forbidden; required = Syntax.words required }

let is_none rules = rules.forbidden = [] && rules.required = []

(* The last program that was typed without an error, as the compiler has saved it. *)
let saved () =
  match Cmt_format.get_saved_types () with
  | Partial_structure typed :: _ -> Some typed
  | _ -> None
