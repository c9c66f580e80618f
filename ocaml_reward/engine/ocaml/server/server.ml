(* The zygote of the checker, and the checker.

   server MEMORY_BYTES FOLDER...   with the interfaces of those folders

   The zygote loads interfaces, starts the runner and forks a checker; it never reads what Python
   sends.  The checker locks itself and serves requests.  If a request exhausts it, or Python asks
   for a fresh one to keep caches small, the zygote forks the next. *)

(* Locks the process, with a limit on its memory. *)
external seal : int -> unit = "ocaml_reward_seal"

(* Makes a stack overflow end the process. *)
external end_on_overflow : unit -> unit = "ocaml_reward_end_on_overflow"

(* Ends without [at_exit]. *)
external leave : int -> 'a = "ocaml_reward_leave"

(* Starts the time limit, in milliseconds, at whose end the process ends. *)
external arm : int -> unit = "ocaml_reward_arm"

let descriptor = Frames.descriptor

(* The descriptors to and from the runner. *)
let to_runner = descriptor 4
let from_runner = descriptor 5

(* The exit status of a checker that asks for a fresh one. *)
let recycled = 3

(* ---- the runner ------------------------------------------------------------------ *)

(* Sends [image], its settings ("NONCE PHASE_MS ...") and standard input to the runner, and
   copies the reply to Python after the frame [before]. *)
let run ~before ~image ~settings ~stdin =
  Frames.running @@ fun () ->
  let length = String.length in
  Frames.write to_runner
    (Printf.sprintf "%d %d %d %d\n%s%s%s" !Frames.number (length settings) (length image)
       (length stdin) settings image stdin);
  let buffer = Bytes.create 65536 in
  let rec first_line have =
    match Frames.read_some from_runner buffer have (65536 - have) with
    | 0 -> raise End_of_file
    | n -> (
      match Bytes.index_opt (Bytes.sub buffer 0 (have + n)) '\n' with
      | Some at -> (at, have + n)
      | None -> first_line (have + n))
  in
  let at, have = first_line 0 in
  let total =
    match String.split_on_char ' ' (Bytes.sub_string buffer 0 at) with
    | [ number; _; _; _; _; _; events; output; errors ]
      when int_of_string number = !Frames.number ->
      at + 1 + int_of_string events + int_of_string output + int_of_string errors
    | _ -> failwith "the runner answered nonsense"
  in
  let answer = before ^ Frames.head 'r' total ^ Bytes.sub_string buffer 0 have in
  Frames.exchanging @@ fun () ->
  Frames.write Frames.python answer;
  let rec rest left =
    if left > 0 then
      match Frames.read_some from_runner buffer 0 (min left 65536) with
      | 0 -> leave 1 (* half a reply was sent *)
      | n ->
        Frames.really_write Frames.python (Bytes.unsafe_to_string buffer) 0 n;
        rest (left - n)
  in
  rest (total - have)

(* ---- requests -------------------------------------------------------------------- *)

(* The decoded tests of recent requests, by digest. *)
let trees = Hashtbl.create 64

(* The tests in a request, decoded at most once. *)
let requested payload ~uses =
  let digest = Digest.string payload in
  let tests =
    match Hashtbl.find_opt trees digest with
    | Some tests -> tests
    | None ->
      if Hashtbl.length trees >= 64 then Hashtbl.reset trees;
      let tests = if payload = "" then [] else Stored_trees.of_binary payload in
      Hashtbl.add trees digest tests;
      tests
  in
  { Check_request.tests; digest; uses = Names.Set.of_list (Syntax.words uses) }

(* The time limit for everything but requested work. *)
let housekeeping_ms = 2000

(* Runs work with a time limit. *)
let within ms work =
  arm ms;
  let result = work () in
  arm housekeeping_ms;
  result

(* The stage as Python names it. *)
let stage_name = function
  | Check_request.Syntax_error _ -> "syntax_error"
  | Type_error _ -> "type_error"
  | Interface_error _ -> "interface_error"
  | Link_error -> "link_error"
  | Compiler_limit -> "compiler_limit"
  | Executable _ -> "executable"

(* The reply to a check: stage, microseconds, and whether Python should request a fresh checker. *)
let checked_frame (checked : Check_request.t) ~us =
  let items =
    match checked.stage with
    | Syntax_error items -> items
    | _ -> { parsed = 0; total = 0; broken = [] }
  in
  Frames.frame 'k'
    (Netstring.encode_all
       (Printf.sprintf "%s %d %d %d %B" (stage_name checked.stage) items.parsed items.total us
          !Type_items.stale
       :: Item_split.broken_text items :: checked.types :: checked.parts :: checked.text
       :: Problem_rules.pairs { uses = checked.forbidden; missing = checked.missing }))

(* The reply before a run of code with holes. *)
let partial_frame (through : Partial_program.t) ~runs =
  Frames.frame 'h'
    (Netstring.encode_all
       [ string_of_bool runs; through.types; through.parts; string_of_bool through.shared;
         Partial_program.errors_text through; Nodes.ranges_text through.branches;
         string_of_bool !Type_items.stale ])

(* Sends the errors that [count] counts. *)
let send_counted ~ms count = Frames.send 'c' (Netstring.encode_all (within ms count))

(* The last image and its request, to run it again without a check or with other input. *)
let image = ref None

(* How the previous checker died, with its image. *)
let death = ref None

(* Keeps an image for later requests. *)
let keep linked = image := Some (!Frames.number, linked)

(* Checks code and sends the replies; runs it if it compiles. *)
let check runner = function
  | [ ms; code; tests; uses; options; given; forbidden; required; settings; stdin ] -> (
    let rules = Problem_rules.of_words forbidden required in
    let rules = if Problem_rules.is_none rules then None else Some rules in
    let given = Given_ranges.of_words (Syntax.words given) in
    let keyed = String.contains options 'k' and lenient = String.contains options 'l' in
    let ms = int_of_string ms in
    let requested = Check_request.behind ~code (requested tests ~uses) in
    let started = Unix.gettimeofday () in
    image := None;
    let checked =
      within ms (fun () -> Check_request.check ~keyed ~lenient ~given ?rules runner ~code requested)
    in
    let us = int_of_float ((Unix.gettimeofday () -. started) *. 1e6) in
    let frame = checked_frame checked ~us in
    let answer () = Frames.send_framed frame in
    let send_partial ~fits =
      if String.contains options 'h' && checked.forbidden = [] then
        let watched = String.contains options 'b' in
        let partial () = Check_request.partial runner ~lenient ~watched ~code requested ~fits in
        match within ms partial with
        | None -> Frames.send 'h' ""
        | Some (through, Some linked) when settings <> "" ->
          keep linked;
          run ~before:(partial_frame through ~runs:true) ~image:linked ~settings ~stdin
        | Some (through, _) -> Frames.send_framed (partial_frame through ~runs:false)
    in
    match checked.stage with
    | Type_error { first; program; env } ->
      answer ();
      let { Check_request.tests; uses; _ } = requested in
      let tests = Stored_trees.original tests in
      let blame = String.contains options 'h' in
      send_counted ~ms (fun () ->
          Count.of_code ?failed:first ~tests ~blame ~given ~uses ~env program);
      send_partial ~fits:true
    | Interface_error { first; program; env } ->
      answer ();
      let { Check_request.uses; _ } = requested in
      (* A query program fails in the item with the original tests. *)
      let whole = Stored_trees.original program in
      let failed = if whole == program then first else None in
      send_counted ~ms (fun () -> Count.of_tests ?failed ~uses ~env whole);
      send_partial ~fits:false
    | Executable linked ->
      keep linked;
      (* One reply for both, to wake Python once. *)
      if settings <> "" && checked.forbidden = [] && checked.missing = [] then
        run ~before:frame ~image:linked ~settings ~stdin
      else answer ()
    | Compiler_limit -> Type_items.stale := true; answer ()
    (* An unsound literal may have corrupted the heap. *)
    | Link_error -> Type_items.stale := true; answer ()
    | Syntax_error _ ->
      answer ();
      (* A program judged by its output needs all its items. *)
      if requested.tests <> [] then send_partial ~fits:true)
  | _ -> failwith "malformed request"

(* Runs the code again with branch coverage. *)
let branched runner = function
  | [ ms; code; tests; uses; settings ] -> (
    let requested = Check_request.behind ~code (requested tests ~uses) in
    match within (int_of_string ms) (fun () -> Check_request.branched runner ~code requested) with
    | None -> Frames.send 'b' ""
    | Some (places, linked) ->
      keep linked;
      let before = Frames.frame 'b' (Nodes.ranges_text places) in
      run ~before ~image:linked ~settings ~stdin:"")
  | _ -> failwith "malformed request"

(* Runs the code with other tests: those that it was given, as they were written. *)
let again runner = function
  | [ ms; code; tests; uses; settings ] -> (
    let requested = Check_request.behind ~code (requested tests ~uses) in
    match within (int_of_string ms) (fun () -> Check_request.again runner ~code requested) with
    | Some linked ->
      keep linked;
      run ~before:(Frames.frame 'w' "") ~image:linked ~settings ~stdin:""
    | None -> Frames.send 'w' "refused")
  | _ -> failwith "malformed request"

(* Runs the oracle program with the code's types. *)
let answers runner = function
  | [ ms; code; oracle; settings; stdin ] -> (
    let oracle = requested oracle ~uses:"" in
    match within (int_of_string ms) (fun () -> Check_request.answers runner ~code oracle) with
    | Ok image ->
      run ~before:(Frames.frame 'e' (Netstring.encode_all [ "" ])) ~image ~settings ~stdin
    | Error text -> Frames.send 'e' (Netstring.encode_all [ text ]))
  | _ -> failwith "malformed request"

(* Runs a problem's own judge; its image is cached. *)
let judge runner = function
  | [ ms; code; settings; stdin ] -> (
    let link () =
      let checked () = Check_request.check runner ~code (requested "" ~uses:"") in
      match within (int_of_string ms) checked with
      | { stage = Executable linked; forbidden = []; _ } -> Ok linked
      | { text; _ } -> Error text
    in
    match Test_cache.linked ~digest:(Digest.string code) ~types:"judge" link with
    | Ok image -> run ~before:(Frames.frame 'j' "") ~image ~settings ~stdin
    | Error text -> Frames.send 'j' (Netstring.encode text))
  | _ -> failwith "malformed request"

(* Answers a request by its kind. *)
let answer runner (kind, body) =
  let kept reply = Level_compat.kept (fun () -> reply runner (Netstring.decode_all body)) in
  match (kind, body) with
  | 'k', _ -> kept check
  | 'b', _ -> kept branched
  | 'w', _ -> kept again
  | 'e', _ -> kept answers
  | 'j', _ -> kept judge
  | 'a', body -> (
    match Netstring.decode_all body with
    | [ of_request; settings; stdin ] -> (
      match !image with
      | Some (number, image) when number = int_of_string of_request ->
        run ~before:"" ~image ~settings ~stdin
      | _ -> (
        match !death with
        | Some (status, signal) -> Frames.send_death ~status ~signal ~ends:false
        | None -> failwith "nothing to run of that request"))
    | _ -> failwith "malformed request")
  | ('p' | 'g'), body -> (
    match Netstring.decode_all body with
    | ms :: request ->
      let work = if kind = 'p' then Rewrite.answer else Given_code.answer in
      let answer = within (int_of_string ms) (fun () -> work request) in
      Frames.send kind (Netstring.encode_all answer)
    | [] -> failwith "malformed request")
  | 'x', _ -> leave recycled
  | kind, _ -> failwith (Printf.sprintf "unknown request %C" kind)

(* Serves requests until Python ends or the checker is used up. *)
let checker runner ~memory =
  arm housekeeping_ms;
  end_on_overflow ();
  seal memory;
  Type_items.stale := false;
  try
    while true do
      let request = Frames.receive () in
      let before = Type_compat.snapshot () in
      answer runner request;
      Frames.note Answered;
      (* A stale compiler is not used again, unless its linked program may have to run again. *)
      if !Type_items.stale && !image = None then leave recycled;
      (* Undo the compiler's log of type changes: it is linked from the old heap and would keep
         this request's garbage. *)
      Type_compat.backtrack before;
      (* Collect now: nearly all is garbage, and each check finds the same part of the heap in
         the cache. *)
      Gc.minor ();
      arm housekeeping_ms
    done
  with
  | End_of_file -> leave 0
  | e ->
    (* Report it once and end. *)
    Frames.send 'f' (Printexc.to_string e);
    Frames.note Answered;
    leave 1

(* ---- the zygote ------------------------------------------------------------------ *)

(* The path of another of the engine's programs, which are in one folder. *)
let sibling name = Filename.concat (Filename.dirname Sys.argv.(0)) name

(* Starts the runner and connects its descriptors; returns its process. *)
let start_runner () =
  let request_out, request_in = Unix.pipe ~cloexec:true () in
  let reply_out, reply_in = Unix.pipe ~cloexec:true () in
  match Unix.fork () with
  | 0 ->
    Unix.dup2 request_out (descriptor 10);
    Unix.dup2 reply_in (descriptor 11);
    Unix.dup2 (descriptor 10) (descriptor 3);
    Unix.dup2 (descriptor 11) (descriptor 4);
    Unix.set_close_on_exec (descriptor 10);
    Unix.set_close_on_exec (descriptor 11);
    Unix.execv (sibling "run") [| sibling "run"; sibling "runner" |]
  | pid ->
    Unix.dup2 request_in (descriptor 10);
    Unix.dup2 reply_out (descriptor 11);
    List.iter Unix.close [ request_out; request_in; reply_out; reply_in ];
    Unix.dup2 ~cloexec:true (descriptor 10) to_runner;
    Unix.dup2 ~cloexec:true (descriptor 11) from_runner;
    Unix.close (descriptor 10);
    Unix.close (descriptor 11);
    pid

(* Waits for a process; returns its status. *)
let rec wait pid =
  match Unix.waitpid [] pid with
  | _, status -> status
  | exception Unix.Unix_error (EINTR, _, _) -> wait pid

(* Forks checkers, one after the other, and replies for one that died.  If it had already replied,
   no error reply is due.  If half a message was sent, the server ends: after reporting the death if
   it was to the runner. *)
let rec serve runner ~memory =
  Frames.note Answered;
  match Unix.fork () with
  | 0 -> checker runner ~memory
  | pid ->
    let report_death status signal ~request ~ends =
      Frames.number := request;
      Frames.send_death ~status ~signal ~ends
    in
    let died status signal =
      death := Some (status, signal);
      match Frames.state () with
      | Answered -> ()
      | Exchanging -> exit 1
      | Running request -> report_death status signal ~request ~ends:true; exit 1
      | Working request -> report_death status signal ~request ~ends:false
    in
    (match wait pid with
     | WEXITED 0 -> exit 0
     | WEXITED status when status = recycled -> ()
     | WEXITED status -> died status 0
     | WSIGNALED number | WSTOPPED number -> died (-1) number);
    serve runner ~memory

let () =
  match Array.to_list Sys.argv with
  | _ :: memory :: folders ->
    Frames.share_progress ();
    let _ = start_runner () in
    let runner = Link_units.runner (sibling "runner") in
    Warm_up.run runner (Initial_env.prepare_compiler folders);
    Initial_env.collect_rarely ();
    serve runner ~memory:(int_of_string memory)
  | _ ->
    prerr_endline "usage: server MEMORY_BYTES FOLDER...";
    exit 2
