(* The engine's helper, one program with a task per first argument.

   compile GIVEN OCAMLC ARG...
                           in the jail: scan solution.ml, report on descriptor 3, then
                           become the compiler; GIVEN says which bytes are the problem's
   merge OCAMLC ARG...     in the jail: put the code into the tests' unit, then become
                           the compiler
   answers OCAMLC ARG...   likewise what is left of the code where answers are worked out
   branched OCAMLC ARG...  likewise code that says which branches it enters
   through HOW WATCHED NAMES OCAMLC ARG...
                           likewise code that does not type or parse, with holes, and
                           tests that use the NAMES; HOW is lenient or strict with what
                           is forbidden; its branches are watched or not
   prepare FOLDER...       in the jail: tests on stdin, checks on stdout; their libraries'
                           interfaces lie in the folders
   count PATH type_error GIVEN NAME...
                           in the jail: every type error of solution.ml, and what the
                           tests find beyond them, with the colon-separated folders of
                           PATH to look in; NAMEs are the entry points
   count PATH interface_error GIVEN NAME...
                           likewise of the tests, whose errors count once per name
                           Before the count stands why ocamlc has refused them: an item
                           does not type, the whole does not, the compiler failed, or it
                           did so only as it wrote the unit
   pristine OUT.ml         while building: the pristine standard library
   bind IN OUT NAME UNIT...
                           while building: IN with [module NAME = UNIT] in front for each, and
                           the library's Effect linked to it

   Data travels as netstrings. *)

let read_all channel =
  let buffer = Buffer.create 65536 in
  (try
     while true do
       Buffer.add_channel buffer channel 1
     done
   with End_of_file -> ());
  Buffer.contents buffer

let read_file path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

let write_all text =
  let rec go from =
    if from < String.length text then
      go (from + Unix.write_substring Unix.stdout text from (String.length text - from))
  in
  go 0

let tests_file = "ocaml-reward-tests.ml"

let write_ast path structure =
  let channel = open_out_bin path in
  output_string channel (Stored_trees.as_binary structure);
  close_out channel

(* ---- compile -------------------------------------------------------------------- *)

external descriptor : int -> Unix.file_descr = "%identity"
external end_on_overflow : unit -> unit = "ocaml_reward_end_on_overflow"

(* To look where ocamlc is told to. *)
let look_there arguments =
  let rec folders = function
    | "-I" :: folder :: rest -> folder :: folders rest
    | _ :: rest -> folders rest
    | [] -> []
  in
  Clflags.include_dirs := folders (Array.to_list arguments)

(* Reads the nonce, and gives what reports an event with it. *)
let reporting () =
  let result = descriptor 3 in
  Unix.set_close_on_exec result;
  let buffer = Bytes.create 256 in
  let length = Unix.read result buffer 0 256 in
  let nonce = String.trim (Bytes.sub_string buffer 0 length) in
  fun line ->
    let line = nonce ^ " " ^ line ^ "\n" in
    ignore (Unix.write_substring result line 0 (String.length line))

let given_places text =
  Given_places.of_words (List.filter (( <> ) "") (String.split_on_char ' ' text))

let compile given arguments =
  look_there arguments;
  let emit = reporting () in
  emit "hello|";
  let source = read_file "solution.ml" in
  (Silently.during @@ fun () ->
   match Syntax.parse_text Parse.implementation "solution.ml" source with
   | structure ->
     emit ("parts|" ^ Line_ranges.text ~code:source structure);
     emit ("types|" ^ Types_of_code.key ~code:source (Types_of_code.types structure));
     if Sys.file_exists tests_file then begin
       let tests = Stored_trees.of_binary (read_file tests_file) in
       let left = Opened_by_code.of_code structure in
       if Opened_by_code.key left tests <> "" then begin
         (* The file is the host's, the folder is ours. *)
         Sys.remove tests_file;
         write_ast tests_file (Opened_by_code.before left tests)
       end
     end;
     List.iter
       (fun (line, what) -> emit (Printf.sprintf "forbidden %d|%s" line what))
       (Forbidden_features.unsafe ~source:(lazy source) structure)
   | exception _ ->
     let items = Item_split.of_source ~given:(given_places given) source in
     let broken = Item_split.broken_text items in
     emit (Printf.sprintf "items %d %d|%s" items.parsed items.total broken));
  emit "scanned|";
  Unix.execv arguments.(0) arguments

(* ---- prepare -------------------------------------------------------------------- *)

let prepare folders =
  Clflags.include_dirs := folders;
  write_all (Netstring.encode_all (Rewrite.answer (Netstring.decode_all (read_all stdin))))

(* ---- the rest ------------------------------------------------------------------- *)

let merge ?(only = fun code -> code) ?(filled = fun program -> program) arguments =
  let code =
    only (Syntax.parse_text Parse.implementation "solution.ml" (read_file "solution.ml"))
  in
  let tests = Stored_trees.of_binary (read_file tests_file) in
  let tests = Opened_by_code.(before (of_code code) tests) in
  write_ast "ocaml-reward-merged.ml" (filled (Stored_trees.merged code tests));
  Unix.execv arguments.(0) arguments

let branched arguments =
  look_there arguments;
  let emit = reporting () in
  emit "hello|";
  let only code =
    match Branch_coverage.watched code with
    | _, [] -> exit 2
    | code, places -> emit ("branches|" ^ Branch_coverage.places_text places); code
  in
  merge ~only arguments

let through how watched names arguments =
  look_there arguments;
  let emit = reporting () in
  emit "hello|";
  let tests =
    if Sys.file_exists tests_file then Stored_trees.of_binary (read_file tests_file) else []
  in
  let code = read_file "solution.ml" in
  let uses = Names.Set.of_list (List.filter (( <> ) "") (String.split_on_char ' ' names)) in
  let made () =
    Typing_compat.set_unit "Ocaml-reward-merged";
    let env = Lazy.force Names.env in
    Holed_program.of_code ~lenient:(how = "lenient") ~watched ~env ~code tests
  in
  let or_none make = match Silently.during make with found -> found | exception _ -> None in
  match or_none made with
  | None -> exit 2
  | Some found -> (
    emit ("types|" ^ found.types);
    emit ("parts|" ^ found.parts);
    emit ("errors|" ^ Holed_program.errors_text found);
    emit ("branches|" ^ Branch_coverage.places_text found.branches);
    if found.shared then emit "shared|";
    match or_none (fun () -> Some (Holed_program.with_tests found ~uses tests)) with
    | None -> exit 2
    | Some program ->
      write_ast "ocaml-reward-merged.ml" program;
      Unix.execv arguments.(0) arguments)

let filled program =
  Typing_compat.set_unit "Ocaml-reward-merged";
  Silently.during (fun () -> Value_shape.filled (Lazy.force Names.env) program)

(* Python knows by it that the fault is ours. *)
let units_missing = 3

let find_units env =
  List.iter
    (fun name ->
      match Env.find_module (Path.Pident (Ident.create_persistent name)) env with
      | _ -> ()
      | exception _ -> exit units_missing)
    [ Units.harness; Units.pristine; Units.suites; Units.ounit; Units.rebuild ]

(* Why ocamlc has refused [program]; [first] is how its items type. *)
let refusal (first : Type_items.outcome) ~source ~unit_name ~env program =
  match first with
  | Failed (Some failure) when failure != Type_items.crash -> "items"
  | Failed _ -> "crash"
  | Typed _ -> (
    (* Its warnings count here. *)
    Location.formatter_for_warnings := Format.formatter_of_buffer (Buffer.create 80);
    match Unit_fault.fault ~source ~unit_name env program with
    | Some (Ok ()) -> "written"
    | Some (Error e) when Type_items.failure e = None -> "crash"
    | _ -> "whole")

let count path stage given names =
  Clflags.color := Some Misc.Color.Never;
  (* An excerpt of a file would be the program's own text. *)
  Clflags.error_style := Some Misc.Error_style.Short;
  Clflags.include_dirs :=
    (* Our own units lie beside this program, wherever the jail puts them. *)
    Filename.dirname Sys.executable_name
    :: List.filter (( <> ) "") (String.split_on_char ':' path);
  Clflags.dont_write_files := true;
  ignore (Warnings.parse_options false "-24");
  Typing_compat.set_unit "Solution";
  let env = Lazy.force Names.env in
  find_units env;
  let tests =
    if Sys.file_exists tests_file then
      Stored_trees.whole (Stored_trees.of_binary (read_file tests_file))
    else []
  in
  let uses = Names.Set.union (Code_file.taken tests) (Names.Set.of_list names) in
  let answer ~source ~unit_name program count =
    Location.input_name := source;
    let first = Silently.during (fun () -> Type_items.attempt env program) in
    let why = refusal first ~source ~unit_name ~env program in
    (* At once: a count may exhaust this process, and why it was refused is known by then. *)
    write_all (Netstring.encode why);
    let counted = count (match first with Typed _ -> None | Failed failure -> failure) in
    write_all (Netstring.encode_all counted)
  in
  if stage = "interface_error" then
    answer ~source:"tests.ml" ~unit_name:"Ocaml-reward-tests" tests (fun failed ->
        Count.of_tests ?failed ~uses ~env tests)
  else
    let program =
      Silently.during (fun () ->
          Syntax.parse_text Parse.implementation "solution.ml" (read_file "solution.ml"))
    in
    answer ~source:"solution.ml" ~unit_name:"Solution" program (fun failed ->
        Count.of_code ?failed ~tests ~blame:true ~given:(given_places given) ~uses ~env program)

let bind source out names =
  let rec aliases = function
    | name :: target :: rest -> Rewrite.alias name (Syntax.lident target) :: aliases rest
    | _ -> []
  in
  let structure =
    Syntax.parse_text Parse.implementation source (read_file source)
  in
  write_ast out
    (aliases names @ Pristine.effects () @ structure)

let () =
  end_on_overflow ();
  match Array.to_list Sys.argv with
  | _ :: "compile" :: given :: _ :: _ ->
    compile given (Array.sub Sys.argv 3 (Array.length Sys.argv - 3))
  | _ :: "merge" :: _ :: _ -> merge (Array.sub Sys.argv 2 (Array.length Sys.argv - 2))
  | _ :: "answers" :: _ :: _ ->
    let arguments = Array.sub Sys.argv 2 (Array.length Sys.argv - 2) in
    look_there arguments;
    let only code = Types_of_code.unambiguous (Types_of_code.types code) in
    merge ~only ~filled arguments
  | _ :: "branched" :: _ :: _ -> branched (Array.sub Sys.argv 2 (Array.length Sys.argv - 2))
  | _ :: "through" :: how :: watched :: names :: _ :: _ ->
    let arguments = Array.sub Sys.argv 5 (Array.length Sys.argv - 5) in
    through how (watched = "watched") names arguments
  | _ :: "prepare" :: folders -> prepare folders
  | _ :: "count" :: path :: stage :: given :: names -> count path stage given names
  | [ _; "pristine"; out ] -> write_ast out (Pristine.structure ())
  | _ :: "bind" :: source :: out :: names -> bind source out names
  | _ ->
    prerr_endline "usage: tool compile|merge|answers|branched|through|prepare|count|...";
    exit 2
