(* The engine's helper: one program with a task per first argument.  Data travels as netstrings.

   In the jail, before becoming the compiler (OCAMLC ARG...):
   compile GIVEN           scans solution.ml and reports on descriptor 3; GIVEN are the byte
                           ranges of the problem's own code
   merge                   puts the code into the tests' unit
   answers                 the same with the code's types only, for the oracle program
   branched                the same with branch coverage
   through HOW WATCHED NAMES
                           the same with holes, for code that does not type or parse; tests use
                           NAMES, HOW is lenient or strict about forbidden features, WATCHED
                           adds branch coverage

   tick UNIT               compiles UNIT, which ocamlc has accepted, again so that it ticks, before
                           ocamlc links it

   In the jail:
   rules PATH GIVEN FORBIDDEN REQUIRED
                           what code that types uses of FORBIDDEN and lacks of REQUIRED, as pairs
                           of a line and a text, or of nothing and a name
   prepare FOLDER...       rewrites the tests on stdin into checks on stdout; FOLDERs have the
                           interfaces of their libraries
   given                   puts given code into the code on stdin: the edits on stdout
   types WHAT              the texts on stdin as JSON; WHAT is interface, type, test (the types in
                           a test of learn-ocaml) or expression (which only tells what parses)
   rewrites                the code on stdin in other words, on stdout: what was done, the code
   count PATH STAGE GIVEN NAME...
                           counts the errors of solution.ml and those that the tests find besides
                           (STAGE type_error), or those of the tests by entry point
                           (interface_error).  First comes why ocamlc refused: an item, the whole,
                           a compiler failure, or that it could not write the unit.  PATH are folders, NAMEs the entry points

   While building:
   pristine OUT.ml         writes the pristine standard library
   bind IN OUT NAME UNIT...
                           writes IN after [module NAME = UNIT] for each, linked with Effect *)

(* The text of a channel. *)
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

(* Writes a text to stdout. *)
let write_all text =
  let rec go from =
    if from < String.length text then
      go (from + Unix.write_substring Unix.stdout text from (String.length text - from))
  in
  go 0

(* The file with the prepared tests. *)
let tests_file = "ocaml-reward-tests.ml"

(* Writes a structure in the format that ocamlc reads. *)
let write_ast path structure =
  let channel = open_out_bin path in
  output_string channel (Stored_trees.as_binary structure);
  close_out channel

(* ---- compile -------------------------------------------------------------------- *)

(* The descriptor with this number. *)
external descriptor : int -> Unix.file_descr = "%identity"

(* Makes a stack overflow end the process. *)
external end_on_overflow : unit -> unit = "ocaml_reward_end_on_overflow"

(* Makes this process use the include folders of ocamlc's arguments. *)
let look_there arguments =
  let rec folders = function
    | "-I" :: folder :: rest -> folder :: folders rest
    | _ :: rest -> folders rest
    | [] -> []
  in
  Clflags.include_dirs := folders (Array.to_list arguments)

(* Reads the nonce; returns a function that reports an event with it. *)
let reporting () =
  let result = descriptor 3 in
  Unix.set_close_on_exec result;
  let buffer = Bytes.create 256 in
  let length = Unix.read result buffer 0 256 in
  let nonce = String.trim (Bytes.sub_string buffer 0 length) in
  fun line ->
    let line = nonce ^ " " ^ line ^ "\n" in
    ignore (Unix.write_substring result line 0 (String.length line))

(* The ranges in a text. *)
let given_ranges text =
  Given_ranges.of_words (Syntax.words text)

(* The task [compile]. *)
let compile given arguments =
  look_there arguments;
  let emit = reporting () in
  emit "hello|";
  let source = read_file "solution.ml" in
  (Without_warnings.run @@ fun () ->
   match Syntax.parse_text Parse.implementation "solution.ml" source with
   | structure ->
     emit ("parts|" ^ Line_ranges.text ~code:source structure);
     emit ("types|" ^ Types_of_code.key ~code:source (Types_of_code.types structure));
     if Sys.file_exists tests_file then begin
       let tests = Stored_trees.of_binary (read_file tests_file) in
       let left = Opened_by_code.of_code structure in
       if Opened_by_code.key left tests <> "" then begin
         (* The file belongs to the host, but the folder to us. *)
         Sys.remove tests_file;
         write_ast tests_file (Opened_by_code.before left tests)
       end
     end;
     List.iter
       (fun (line, what) -> emit (Printf.sprintf "forbidden %d|%s" line what))
       (Forbidden_features.unsafe ~source:(lazy source) structure)
   | exception _ ->
     let items = Item_split.counts ~given:(given_ranges given) source in
     let broken = Item_split.broken_text items in
     emit (Printf.sprintf "items %d %d|%s" items.parsed items.total broken));
  emit "scanned|";
  Unix.execv arguments.(0) arguments

(* ---- prepare -------------------------------------------------------------------- *)

(* The task [prepare]. *)
let prepare folders =
  Clflags.include_dirs := folders;
  write_all (Netstring.encode_all (Rewrite.answer (Netstring.decode_all (read_all stdin))))

(* The task [given]. *)
let given () =
  write_all (Netstring.encode_all (Given_code.answer (Netstring.decode_all (read_all stdin))))

(* The task [types]. *)
let types what =
  write_all (Netstring.encode_all (Parsed_texts.answer what (Netstring.decode_all (read_all stdin))))

(* The task [rewrites]. *)
let rewrites () =
  write_all (Netstring.encode_all (Rewrites.answer (List.hd (Netstring.decode_all (read_all stdin)))))

(* The task [rules]. *)
let rules path given forbidden required =
  Clflags.include_dirs := List.filter (( <> ) "") (String.split_on_char ':' path);
  let source = read_file "solution.ml" in
  Typing_compat.set_unit "Solution";
  Without_warnings.run @@ fun () ->
  let program = Syntax.parse_text Parse.implementation "solution.ml" source in
  match Type_items.attempt (Lazy.force Names.env) program with
  | Failed _ -> exit 2
  | Typed _ ->
    Problem_rules.found
      (Problem_rules.of_words forbidden required)
      ~given:(given_ranges given) ~source:(lazy source)
      (Option.get (Problem_rules.saved ()))
    |> Problem_rules.pairs |> Netstring.encode_all |> write_all

(* ---- the rest ------------------------------------------------------------------- *)

(* The task [merge], with the code and the whole changed by these functions. *)
let merge ?(only = fun code -> code) ?(filled = fun program -> program) arguments =
  let code =
    only (Syntax.parse_text Parse.implementation "solution.ml" (read_file "solution.ml"))
  in
  let tests = Stored_trees.of_binary (read_file tests_file) in
  let tests = Opened_by_code.(before (of_code code) tests) in
  write_ast "ocaml-reward-merged.ml" (filled (Stored_trees.merged code tests));
  Unix.execv arguments.(0) arguments

(* The task [branched]. *)
let branched arguments =
  look_there arguments;
  let emit = reporting () in
  emit "hello|";
  let only code =
    match Branch_coverage.watched code with
    | _, [] -> exit 2
    | code, places -> emit ("branches|" ^ Nodes.ranges_text places); code
  in
  merge ~only arguments

(* Reports the types, parts and errors of ill-typed code, then compiles it with holes in place of
   what is wrong. *)
let through how watched names arguments =
  look_there arguments;
  let emit = reporting () in
  emit "hello|";
  let tests =
    if Sys.file_exists tests_file then Stored_trees.of_binary (read_file tests_file) else []
  in
  let code = read_file "solution.ml" in
  let uses = Names.Set.of_list (Syntax.words names) in
  let made () =
    Typing_compat.set_unit "Ocaml-reward-merged";
    let env = Lazy.force Names.env in
    Partial_program.of_code ~lenient:(how = "lenient") ~watched ~env ~code tests
  in
  let or_none make = match Without_warnings.run make with found -> found | exception _ -> None in
  match or_none made with
  | None -> exit 2
  | Some found -> (
    emit ("types|" ^ found.types);
    emit ("parts|" ^ found.parts);
    emit ("errors|" ^ Partial_program.errors_text found);
    emit ("branches|" ^ Nodes.ranges_text found.branches);
    if found.shared then emit "shared|";
    match or_none (fun () -> Some (Partial_program.with_tests found ~uses tests)) with
    | None -> exit 2
    | Some program ->
      write_ast "ocaml-reward-merged.ml" program;
      Unix.execv arguments.(0) arguments)

(* The task [tick]. *)
let tick unit arguments =
  look_there arguments;
  Clflags.dont_write_files := true;
  let source = unit ^ ".ml" and merged = unit <> "solution" in
  let program =
    if merged then Stored_trees.of_binary (read_file source)
    else Syntax.parse_text Parse.implementation source (read_file source)
  in
  Without_warnings.run (fun () ->
      Ticking_unit.write ~source ~unit_name:(String.capitalize_ascii unit) ~merged
        ~alone:(Sys.file_exists (unit ^ ".mli"))
        (Lazy.force Names.env) program);
  Unix.execv arguments.(0) arguments

(* The program with the shapes of its values. *)
let filled program =
  Typing_compat.set_unit "Ocaml-reward-merged";
  Without_warnings.run (fun () -> Value_shape.filled (Lazy.force Names.env) program)

(* The exit status for an error of the engine. *)
let units_missing = 3

(* Ends the process if one of our units is missing. *)
let find_units env =
  List.iter
    (fun name ->
      match Env.find_module (Path.Pident (Ident.create_persistent name)) env with
      | _ -> ()
      | exception _ -> exit units_missing)
    [ Units.harness; Units.pristine; Units.suites; Units.ounit; Units.rebuild ]

(* Why ocamlc rejects [program]: "items", "whole" or "crash".  [first] is the result of typing its
   items. *)
let refusal (first : Type_items.outcome) ~source ~unit_name ~env program =
  match first with
  | Failed (Some failure) when failure != Type_items.crash -> "items"
  | Failed _ -> "crash"
  | Typed _ -> (
    (* Warnings count here. *)
    Location.formatter_for_warnings := Format.formatter_of_buffer (Buffer.create 80);
    match Unit_fault.fault ~source ~unit_name env program with
    | Some (Ok ()) -> "written"
    | Some (Error e) when Type_items.failure e = None -> "crash"
    | _ -> "whole")

(* The task [count]. *)
let count path stage given names =
  Clflags.color := Some Misc.Color.Never;
  (* Excerpts would show the program's text. *)
  Clflags.error_style := Some Misc.Error_style.Short;
  Clflags.include_dirs :=
    (* Our units are in this program's folder. *)
    Filename.dirname Sys.executable_name
    :: List.filter (( <> ) "") (String.split_on_char ':' path);
  Clflags.dont_write_files := true;
  ignore (Warnings.parse_options false "-24");
  Typing_compat.set_unit "Solution";
  let env = Lazy.force Names.env in
  find_units env;
  let tests =
    if Sys.file_exists tests_file then
      Stored_trees.original (Stored_trees.of_binary (read_file tests_file))
    else []
  in
  let uses = Names.Set.union (Code_file.taken tests) (Names.Set.of_list names) in
  let answer ~source ~unit_name program count =
    Location.input_name := source;
    let first = Without_warnings.run (fun () -> Type_items.attempt env program) in
    let why = refusal first ~source ~unit_name ~env program in
    (* Written at once, as counting may exhaust this process. *)
    write_all (Netstring.encode why);
    let counted = count (match first with Typed _ -> None | Failed failure -> failure) in
    write_all (Netstring.encode_all counted)
  in
  if stage = "interface_error" then
    answer ~source:"tests.ml" ~unit_name:"Ocaml-reward-tests" tests (fun failed ->
        Count.of_tests ?failed ~uses ~env tests)
  else
    let program =
      Without_warnings.run (fun () ->
          Syntax.parse_text Parse.implementation "solution.ml" (read_file "solution.ml"))
    in
    answer ~source:"solution.ml" ~unit_name:"Solution" program (fun failed ->
        Count.of_code ?failed ~tests ~blame:true ~given:(given_ranges given) ~uses ~env program)

(* The task [bind]. *)
let bind source out names =
  let rec aliases = function
    | name :: target :: rest -> Syntax.alias name (Syntax.lident target) :: aliases rest
    | _ -> []
  in
  let structure =
    Syntax.parse_text Parse.implementation source (read_file source)
  in
  write_ast out
    (aliases names @ Pristine.effects () @ structure)

let () =
  end_on_overflow ();
  let from n = Array.sub Sys.argv n (Array.length Sys.argv - n) in
  match Array.to_list Sys.argv with
  | _ :: "compile" :: given :: _ :: _ -> compile given (from 3)
  | _ :: "merge" :: _ :: _ -> merge (from 2)
  | _ :: "answers" :: _ :: _ ->
    look_there (from 2);
    merge ~only:(fun code -> Types_of_code.(unambiguous (types code))) ~filled (from 2)
  | _ :: "branched" :: _ :: _ -> branched (from 2)
  | _ :: "tick" :: unit :: _ :: _ -> tick unit (from 3)
  | _ :: "through" :: how :: watched :: names :: _ :: _ ->
    through how (watched = "watched") names (from 5)
  | [ _; "rules"; path; given; forbidden; required ] -> rules path given forbidden required
  | _ :: "prepare" :: folders -> prepare folders
  | [ _; "given" ] -> given ()
  | [ _; "types"; what ] -> types what
  | [ _; "rewrites" ] -> rewrites ()
  | _ :: "count" :: path :: stage :: given :: names -> count path stage given names
  | [ _; "pristine"; out ] -> write_ast out (Pristine.structure ())
  | _ :: "bind" :: source :: out :: names -> bind source out names
  | _ ->
    prerr_endline "usage: tool compile|merge|answers|branched|through|tick|prepare|count|...";
    exit 2
