(* The engine's helper, one program with a task per first argument.

   compile OCAMLC ARG...   in the jail: scan solution.ml, report on descriptor 3, then
                           become the compiler
   merge OCAMLC ARG...     in the jail: put the code into the tests' unit, then become
                           the compiler
   prepare                 in the jail: tests on stdin, checks on stdout
   count PATH type_error   in the jail: every type error of solution.ml, with the
                           colon-separated folders of PATH to look in
   count PATH interface_error NAME...
                           likewise of the tests, whose errors count once per name
   pristine OUT.ml         while building: the pristine standard library
   bind NAME UNIT IN OUT   while building: IN with [module NAME = UNIT] in front

   Data travels as netstrings ("5:hello,"): any bytes, no escaping. *)

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

let netstring text = Printf.sprintf "%d:%s," (String.length text) text

let netstrings text =
  let rec go i found =
    if i >= String.length text then List.rev found
    else
      let colon = String.index_from text i ':' in
      let length = int_of_string (String.sub text i (colon - i)) in
      go (colon + length + 2) (String.sub text (colon + 1) length :: found)
  in
  go 0 []

let write_all text =
  let rec go from =
    if from < String.length text then
      go (from + Unix.write_substring Unix.stdout text from (String.length text - from))
  in
  go 0

let as_binary structure =
  Config.ast_impl_magic_number
  ^ Marshal.to_string "tests.ml" []
  ^ Marshal.to_string (structure : Parsetree.structure) []

(* ---- compile -------------------------------------------------------------------- *)

external descriptor : int -> Unix.file_descr = "%identity"

let compile arguments =
  let result = descriptor 3 in
  Unix.set_close_on_exec result;
  let buffer = Bytes.create 256 in
  let length = Unix.read result buffer 0 256 in
  let nonce = String.trim (Bytes.sub_string buffer 0 length) in
  let emit line =
    let line = nonce ^ " " ^ line ^ "\n" in
    ignore (Unix.write_substring result line 0 (String.length line))
  in
  emit "hello|";
  let source = read_file "solution.ml" in
  (match Prepare.parse_text Parse.implementation "solution.ml" source with
   | structure ->
     List.iter
       (fun (line, what) -> emit (Printf.sprintf "forbidden %d|%s" line what))
       (Scan.unsafe structure)
   | exception (Stack_overflow | Out_of_memory) -> emit "too_deep|"
   | exception _ ->
     let parsed, total = Items.share source in
     emit (Printf.sprintf "items %d %d|" parsed total));
  emit "scanned|";
  Unix.execv arguments.(0) arguments

(* ---- prepare -------------------------------------------------------------------- *)

let describe_error e =
  match Location.error_of_exn e with
  | Some (`Ok report) ->
    let loc = report.Location.main.loc in
    let text = Driver.message report in
    (loc.loc_start.pos_lnum, String.concat " " (String.split_on_char '\n' text))
  | _ -> (1, Printexc.to_string e)

let words text = List.filter (( <> ) "") (String.split_on_char ' ' text)

let prepare () =
  let answer =
    match netstrings (read_all stdin) with
    | [ text; signature; prompt_names; prompt_words; reference; libraries ] -> (
      match
        Prepare.tests ~text ~signature ~prompt_names:(words prompt_names)
          ~prompt_words:(words prompt_words) ~reference ~libraries:(words libraries)
      with
      | prepared ->
        [ "ok"; as_binary prepared.structure; String.concat " " prepared.uses;
          string_of_bool prepared.dynamic ]
        @ List.concat_map
            (fun (c : Statements.check) -> [ string_of_int c.line; c.source ])
            prepared.checks
      | exception Syntax.Unsupported (line, what) -> [ "unsupported"; string_of_int line; what ]
      | exception e ->
        let line, text = describe_error e in
        [ "error"; string_of_int line; text ])
    | _ -> [ "error"; "1"; "malformed request" ]
  in
  write_all (String.concat "" (List.map netstring answer))

(* ---- the rest ------------------------------------------------------------------- *)

let write_ast path structure =
  let channel = open_out_bin path in
  output_string channel (as_binary structure);
  close_out channel

let read_ast path =
  let text = read_file path in
  let magic = String.length Config.ast_impl_magic_number in
  let name = Marshal.total_size (Bytes.unsafe_of_string text) magic in
  (Marshal.from_string text (magic + name) : Parsetree.structure)

(* A unit of its own may not leave a type open: [let length = List.fold_left (fun n _ ->
   n + 1) 0] waits for its first use to say of what.  Inside the tests' unit it may. *)
let merge arguments =
  let code =
    Prepare.parse_text Parse.implementation "solution.ml" (read_file "solution.ml")
  in
  let place item =
    match item.Parsetree.pstr_desc with
    | Pstr_module ({ pmb_name = { txt = Some name; _ }; _ } as binding)
      when name = Syntax.solution ->
      { item with
        pstr_desc = Pstr_module { binding with pmb_expr = Ast_helper.Mod.structure code } }
    | _ -> item
  in
  write_ast "ocaml-reward-merged.ml" (List.map place (read_ast "ocaml-reward-tests.ml"));
  Unix.execv arguments.(0) arguments

(* A type can be written out at any length. *)
let shortened report =
  if String.length report <= 4000 then report else String.sub report 0 4000 ^ "\n"

let count path stage names =
  ignore (Warnings.parse_options false "-a");
  Clflags.color := Some Misc.Color.Never;
  Clflags.include_dirs :=
    (* Our own units lie beside this program, wherever the jail puts them. *)
    Filename.dirname Sys.executable_name
    :: List.filter (( <> ) "") (String.split_on_char ':' path);
  let of_tests = stage = "interface_error" in
  let structure =
    if of_tests then read_ast "ocaml-reward-tests.ml"
    else Prepare.parse_text Parse.implementation "solution.ml" (read_file "solution.ml")
  in
  let holes =
    Repair.holes
      ~bound:(if of_tests then 60 else 20)
      ~uses:(Names.Set.of_list names) structure
  in
  let counted =
    if not of_tests then List.length holes
    else
      Names.Set.cardinal
        (List.fold_left (fun set h -> Names.Set.union set h.Repair.names) Names.Set.empty holes)
  in
  (* The number of errors, then each one as the compiler prints it. *)
  write_all
    (String.concat ""
       (List.map netstring
          (string_of_int counted :: List.map (fun h -> shortened h.Repair.report) holes)))

let bind name target source out =
  let structure =
    Prepare.parse_text Parse.implementation source (read_file source)
  in
  write_ast out (Prepare.alias name (Syntax.lident target) :: structure)

let () =
  match Array.to_list Sys.argv with
  | _ :: "compile" :: _ :: _ -> compile (Array.sub Sys.argv 2 (Array.length Sys.argv - 2))
  | _ :: "merge" :: _ :: _ -> merge (Array.sub Sys.argv 2 (Array.length Sys.argv - 2))
  | [ _; "prepare" ] -> prepare ()
  | _ :: "count" :: path :: stage :: names -> count path stage names
  | [ _; "pristine"; out ] -> write_ast out (Pristine.structure ())
  | [ _; "bind"; name; target; source; out ] -> bind name target source out
  | _ ->
    prerr_endline "usage: tool compile|merge|prepare|count|pristine|bind ...";
    exit 2
