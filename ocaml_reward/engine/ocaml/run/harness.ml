(* Runs numbered checks and reports each one.  This unit is linked before the code.  Its name
   cannot be written in OCaml source, so the code cannot call it. *)

(* Reports the start of a phase. *)
external enter : string -> unit = "ocaml_reward_enter"

(* Reports the end of a phase. *)
external leave : string -> string -> unit = "ocaml_reward_leave"

(* Reports an event with a detail. *)
external note : string -> string -> unit = "ocaml_reward_note"

(* Reports the end of a check: its number, outcome and detail. *)
external ended : int -> int -> string -> unit = "ocaml_reward_ended"

(* Counts a step of the code, which calls it (ticks.ml). *)
external tick : unit -> unit = "ocaml_reward_tick" [@@noalloc]

(* Ends the process without [at_exit]. *)
external finish : unit -> unit = "ocaml_reward_finish"

(* Reports a text of any length. *)
external say : string -> string -> unit = "ocaml_reward_say_all"

(* What the tests have printed so far, which is then forgotten. *)
external test_output : unit -> string = "ocaml_reward_spoken"

(* An output channel on a descriptor. *)
external open_descriptor : int -> out_channel = "caml_ml_open_descriptor_out"

(* Reports that a hole was reached. *)
external note_hole : unit -> unit = "ocaml_reward_hole"

(* Sends a value after a prefix. *)
external write_value : string -> 'a -> unit = "ocaml_reward_hand_out"

(* Sends a value of any length after a prefix. *)
external write_whole_value : string -> 'a -> unit = "ocaml_reward_hand_out_whole"

(* A failed assertion with a reason; the code cannot name it. *)
exception Rejected of string

(* What to skip. *)
let skipped = ref []

(* Sets what to skip, separated by commas ([c3]: a check, [g0]: a statement), and which checks
   run with a small stack ([s3]).  Called before the code runs. *)
let skip names = skipped := String.split_on_char ',' names

(* The first 200 bytes of a text. *)
let shortened text = if String.length text > 200 then String.sub text 0 200 else text

(* The text of an exception. *)
let describe e =
  (* The code's printers may raise or return anything. *)
  match Printexc.to_string e with
  | text -> shortened text
  | exception _ -> "an exception whose printer raises"

(* The tests' [Printexc].  The code's printers apply after the tests', unless they make two
   exceptions look alike. *)
module Printers = struct
  let own = ref []

  (* The texts printed so far: the library's text and the code's. *)
  let printed = ref []

  let register print =
    own := print :: !own;
    Printexc.register_printer print

  let by_own e =
    List.find_map (fun print -> match print e with text -> text | exception _ -> None) !own

  (* Whether the library prints one of its own exceptions so. *)
  let is_of_library text =
    match String.index_opt text '(' with
    | Some at ->
      List.mem (String.sub text 0 at)
        [ "Failure"; "Invalid_argument"; "Sys_error"; "Match_failure"; "Assert_failure" ]
    | None ->
      List.mem text
        [ "Not_found"; "End_of_file"; "Division_by_zero"; "Stack overflow"; "Out of memory" ]
      || (String.length text > 7 && String.sub text 0 7 = "Stdlib.")

  let is_anothers text said = List.exists (fun (t, s) -> s = said && t <> text) !printed

  (* Whether the code may print as [said] an exception that the library prints as [text]. *)
  let may_be text said =
    said = text
    || not
         (is_of_library said || is_anothers text said || (is_of_library text && !own <> []))

  let to_string e =
    match by_own e with
    | Some text -> text
    | None ->
      let text = Printexc.to_string_default e in
      let said = Printexc.to_string e in
      let said = if may_be text said then said else text in
      if not (List.mem (text, said) !printed) then printed := (text, said) :: !printed;
      said

  (* Texts printed inside are not compared with those printed outside. *)
  let separately expression =
    let before = !printed in
    match expression () with
    | found -> printed := before; found
    | exception e -> printed := before; raise e
end

(* The tests' output channel, which the code cannot access. *)
module Test_output = struct
  (* TEST_OUTPUT_FD in process_lock.c. *)
  let stdout = open_descriptor 1000
  let formatter = Format.formatter_of_out_channel stdout
  let print_char c = output_char stdout c
  let print_string text = output_string stdout text
  let print_bytes text = output_bytes stdout text
  let print_int n = print_string (string_of_int n)
  let print_float x = print_string (string_of_float x)
  let print_newline () = print_char '\n'
  let print_endline text = print_string text; print_newline ()
  let printf format = Printf.fprintf stdout format

  let take () =
    Format.pp_print_flush formatter ();
    flush stdout;
    test_output ()
end

(* Branches entered in the current check. *)
let entered = Bytes.make 256 '\000'

(* Reports that a branch (below 256) was entered, once per check. *)
let went branch =
  if Bytes.get entered branch = '\000' then begin
    Bytes.set entered branch '\001';
    note ("went " ^ string_of_int branch) ""
  end

(* Raised by the tests' own [exit].  After [exit 0] nothing more runs, even if it is caught. *)
exception Left of int

(* Whether the tests have ended by [exit 0]. *)
let left = ref false

(* Whether the tests run as they were written: nothing is a check, and their end decides. *)
let as_written = ref false

(* Whether a check runs, or the tests as they were written: in a trial functions raise only then, so
   that the statements before a check run. *)
let checking = ref false

(* Runs the tests as they were written from here on. *)
let run_as_written () =
  as_written := true;
  checking := true

(* Ends the process, after what [at_exit] has registered. *)
external exit_process : int -> 'a = "caml_sys_exit"

(* The tests' [exit]. *)
let exit status =
  if !as_written then begin
    if status = 0 then finish ();
    exit_process status
  end;
  if status = 0 then left := true;
  raise (Left status)

(* Runs all cases of a suite; the process ends if one fails. *)
let require_all cases =
  let fails case = match case () with () -> false | exception _ -> true in
  if List.length (List.filter fails cases) > 0 then exit_process 1

(* Outcomes, numbered as in process_lock.c. *)
let passed = 0
let failed = 1
let raised = 2
let exited = 3
let stack_overflow = 4
let out_of_memory = 5

(* Whether an exception is that of a framework for a failed test, recognised by name. *)
let is_failure e =
  match Obj.Extension_constructor.(name (of_val e)) with
  | "QCheck2.Test_exceptions.Test_fail" -> true
  | name ->
    let from = "Alcotest_engine__" and upto = ".Check_error" in
    let length = String.length name in
    length > String.length from + String.length upto
    && String.sub name 0 (String.length from) = from
    && String.sub name (length - String.length upto) (String.length upto) = upto

(* The text without line breaks. *)
let in_one_line text =
  String.split_on_char '\n' text |> List.map String.trim
  |> List.filter (( <> ) "") |> String.concat " "

(* The outcome and the detail of a check that ends with an exception. *)
let reason = function
  (* Not the code's own [assert false]. *)
  | Assert_failure (file, _, _) when file = "tests.ml" -> (failed, "")
  | Rejected why -> (failed, shortened why)
  | Left status -> (exited, "exit " ^ string_of_int status)
  | Stack_overflow -> (stack_overflow, "")
  | Out_of_memory -> (out_of_memory, "")
  | e when is_failure e -> (failed, shortened (in_one_line (describe e)))
  | e -> (raised, describe e)

(* What is known of the current check: a check earns only if what it asserts was evaluated and
   held, whatever the tests' handlers make of an exception. *)

(* Exceptions of failed assertions, caught or not. *)
let denials = ref []

(* Exceptions by which the tests say that something failed, and those that the code raised while an
   assertion was evaluated; they count if a handler of the tests notes them. *)
let failures = ref []
let escaped = ref []

(* The first exception that a handler of the tests took for a failure, and how many it took. *)
let noted = ref None
let times_noted = ref 0

(* Whether anything was asserted; caught by a handler of the tests; a failure caught and forgiven,
   and by a handler that returns nothing. *)
let asserted = ref false
let caught = ref false
let forgiven = ref false
let swallowed = ref false

(* Whether the current check's statement returned a function, alone or in a value. *)
let built = ref false

(* The numbers of checks in which handlers of the tests catch nothing with right answers. *)
let strict = ref [||]

(* Sets these. *)
let catch_nothing places = strict := places

(* Whether a value has a function among its first parts. *)
let has_function value =
  let room = ref 100 in
  let rec holds v =
    decr room;
    !room > 0 && Obj.is_block v
    && (Obj.tag v = Obj.closure_tag || Obj.tag v = Obj.infix_tag
        || Obj.tag v < Obj.lazy_tag
           && List.exists (fun place -> holds (Obj.field v place)) (List.init (Obj.size v) Fun.id))
  in
  holds (Obj.repr value)

(* The number of the current check. *)
let current = ref (-1)

(* Starts a check. *)
let forget () =
  denials := [];
  failures := [];
  escaped := [];
  noted := None;
  times_noted := 0;
  asserted := false;
  caught := false;
  forgiven := false;
  swallowed := false;
  built := false

(* Raises an exception that fails the current check, even if it is caught. *)
let deny e =
  asserted := true;
  denials := e :: !denials;
  raise e

(* The tests' own exceptions, by which they say that something failed. *)
let raise_own e =
  asserted := true;
  failures := e :: !failures;
  raise e

(* The value of what decides whether something failed, also of what was forgiven in it. *)
let condition evaluate =
  let before = !forgiven in
  asserted := true;
  match evaluate () with
  | found -> forgiven := before; found
  | exception (Left _ as e) -> raise e
  | exception e -> escaped := e :: !escaped; raise e

(* An assertion inside a check, with its line.  Fails the check if it does not hold. *)
let demand line holds = if not (condition holds) then deny (Assert_failure ("tests.ml", line, 0))

(* Whether an exception is one of a failure. *)
let is_failure_of_tests e = List.memq e !denials || List.memq e !failures
let tells_failure e = is_failure_of_tests e || List.memq e !escaped

(* Takes an exception for a failure. *)
let take e =
  if !noted = None then noted := Some e;
  incr times_noted

(* Raises the tests' [exit] again, as the library's is not caught. *)
let pass_exit e = match e with Left _ -> raise e | _ -> ()

(* A handler of the tests has caught an exception, which is no failed assertion any more. *)
let handles e =
  pass_exit e;
  caught := true;
  if Array.mem !current !strict then take e

(* Moves a failed assertion that is caught to the failures. *)
let undeny e =
  if List.memq e !denials then failures := e :: !failures;
  denials := List.filter (fun denial -> denial != e) !denials

(* The same, and takes it for a failure if it is one. *)
let notes e =
  if tells_failure e then take e;
  undeny e;
  handles e

(* The same, and takes it for one in any case. *)
let takes e =
  pass_exit e;
  take e;
  undeny e;
  handles e

(* The same, and leaves it to what follows to decide. *)
let gives e =
  if tells_failure e then forgiven := true;
  undeny e;
  handles e

(* The same, with nothing that could decide. *)
let swallows e =
  if tells_failure e then swallowed := true;
  gives e

(* The blocks seen by [copied], with their contents. *)
let found = ref []

(* A deep copy of a value; the original if it is huge or cyclic. *)
let copied value =
  let room = ref 100_000 in
  let rec copy v =
    let tag = if Obj.is_int v then Obj.int_tag else Obj.tag v in
    let flat = tag = Obj.string_tag || tag = Obj.double_array_tag in
    if (tag > Obj.last_non_constant_constructor_tag && not flat) || Obj.size v = 0 then v
    else begin
      decr room;
      if !room < 0 then raise_notrace Exit;
      found := (v, Obj.dup v) :: !found;
      let made = Obj.dup v in
      if not flat then
        for place = 0 to Obj.size v - 1 do
          Obj.set_field made place (copy (Obj.field v place))
        done;
      made
    end
  in
  match copy (Obj.repr value) with
  | made -> Obj.obj made
  | exception (Exit | Stack_overflow | Out_of_memory) -> value

(* Restores the values that [copied] has seen, if the code has mutated them. *)
let restore () =
  let put_back (v, content) =
    if Obj.tag v = Obj.string_tag then begin
      if (Obj.obj v : string) <> Obj.obj content then
        Bytes.blit (Obj.obj content) 0 (Obj.obj v) 0 (Bytes.length (Obj.obj content))
    end
    else
      for place = 0 to Obj.size content - 1 do
        if Obj.tag v = Obj.double_array_tag then
          Obj.set_double_field v place (Obj.double_field content place)
        else if Obj.field v place != Obj.field content place then
          Obj.set_field v place (Obj.field content place)
      done
  in
  List.iter put_back !found;
  found := []

(* ---- answers that are wrong, for which tests are tried --------------------------------- *)

(* Two functions never return the same value, as tests might compare them. *)
exception Lie of int

type lie = Raises | Changes | Always of int

(* In which way answers are wrong, if they are. *)
let how = ref None

(* From now on functions return wrong answers, by the names given to {!skip}: they raise in checks
   ([wr]), change the answer ([wc]), or return a constant ([w0], [w1]). *)
let begin_lying () =
  let lie = function
    | "wr" -> Some Raises
    | "wc" -> Some Changes
    | "w0" -> Some (Always 0)
    | "w1" -> Some (Always 1)
    | _ -> None
  in
  how := List.find_map lie !skipped

(* Whether answers are wrong here. *)
let lies () = match !how with None -> false | Some lie -> lie <> Raises || !checking

(* Whether the current check has called the code. *)
let called = ref false

(* A wrong answer of any type, which does not raise. *)
let anything which =
  called := true;
  match !how with Some (Always n) -> Obj.magic ((n + which) land 1) | _ -> Obj.magic 0

(* A wrong answer of any type, or an exception. *)
let lie which =
  called := true;
  if !how = Some Raises then raise (Lie which) else anything which

(* A copy of a value with a part changed, up to a depth.  Without its type 0 is the only safe
   immediate value. *)
let rec other_than depth v =
  if Obj.is_int v then if v == Obj.repr 0 then v else Obj.repr 0
  else
    let tag = Obj.tag v in
    if tag = Obj.string_tag then Obj.repr ((Obj.obj v : string) ^ "~")
    else if tag = Obj.double_tag then Obj.repr ((Obj.obj v : float) +. 1.)
    else if tag = Obj.closure_tag || tag = Obj.infix_tag then Obj.repr (fun _ -> lie 0)
    else if tag > Obj.last_non_constant_constructor_tag || depth = 0 then v
    else begin
      let made = Obj.dup v in
      for place = 0 to Obj.size v - 1 do
        Obj.set_field made place (other_than (depth - 1) (Obj.field v place))
      done;
      made
    end

(* Drops the value of a check's statement. *)
let drop value = if List.mem "t" !skipped then built := has_function value

(* What is known of a check in a trial, as words in place of its [detail]; [skip] has "t" for a
   trial. *)
let or_how_tried detail =
  if not (List.mem "t" !skipped) then detail
  else
    [ (!called, "called"); (!asserted, "asserted"); (!caught, "caught"); (!forgiven, "forgiven");
      (!swallowed, "swallowed"); (!built, "built"); (!times_noted > 0, "noted"); (!times_noted > 1, "several") ]
    |> List.filter_map (fun (holds, word) -> if holds then Some word else None)
    |> String.concat " "

(* The outcome and the detail of a check that has returned; [holds] is its value.  Reports if all that
   speaks against it is what a handler of the tests took for a failure. *)
let ending index holds =
  match !noted with
  | _ when not (holds && !denials = []) -> (failed, "")
  | None -> (passed, "")
  | Some e ->
    note ("noted " ^ string_of_int index) "";
    if is_failure_of_tests e then (failed, shortened (describe e)) else reason e

(* A different value, in the place of a constant of the code. *)
let constant value =
  let v = Obj.repr value in
  Obj.obj (if v == Obj.repr 0 then Obj.repr 1 else other_than 3 v)

(* Whether a function of the code runs, whose answer will be changed. *)
let answering = ref false

(* The answer with a part changed; some value if it raises. *)
let changed body =
  if !how = None || !answering then body ()
  else begin
    answering := true;
    called := true;
    match body () with
    | answer -> answering := false; constant answer
    | exception _ -> answering := false; Obj.magic 0
  end

(* Sends the value or exception of an expression. *)
let sending ~whole number expression =
  (* Printf would touch pages that each process then copies. *)
  let place = string_of_int !current ^ " " ^ string_of_int number in
  match Printers.separately expression with
  | found ->
    if whole then write_whole_value ("value " ^ place) found
    else write_value ("value " ^ place) found
  | exception (Left _ as e) -> raise e
  | exception e ->
    let outcome, detail = reason e in
    note ("thrown " ^ place ^ " " ^ string_of_int outcome) detail;
    write_value ("exception " ^ place) e

(* How many bytes of shapes may still be reported.  Shapes are only for messages; long ones are
   omitted.  A line has 1,024 bytes. *)
let room_for_shapes = ref 1_000_000

(* Reports the shapes (value_shape.ml) of a sent value; [lnot slot]: of a value returned by the
   code. *)
let shaped number shapes =
  let length = String.length shapes in
  if length <= 900 && length <= !room_for_shapes then begin
    room_for_shapes := !room_for_shapes - length;
    note ("shape " ^ string_of_int !current ^ " " ^ string_of_int number) shapes
  end

(* Sends the value or exception of an expression, by its slot. *)
let send_value number expression = sending ~whole:false number expression

(* Sends the value or exception of an expression, at any length, by its slot. *)
let send_whole_value number expression = sending ~whole:true number expression

(* The size of a small stack, for checks run again after a stack overflow, which takes long. *)
let words_of_a_small_stack = 1 lsl 16

(* Runs a check's assertion, with a small stack if asked for. *)
let deeply index assertion =
  if not (List.mem ("s" ^ string_of_int index) !skipped) then assertion ()
  else begin
    let before = Gc.get () in
    Gc.set { before with Gc.stack_limit = words_of_a_small_stack };
    match assertion () with
    | holds -> Gc.set before; holds
    | exception e -> Gc.set before; raise e
  end

(* Reports what the tests have printed and the end of a check. *)
let conclude index outcome detail =
  (match Test_output.take () with
   | "" -> ()
   | text -> say ("printed " ^ string_of_int index) (String.escaped text)
   | exception _ -> ());
  ended index outcome (or_how_tried detail)

(* Runs a check and reports it.  [may_leave]: it passes if it exits with 0. *)
let judged ~may_leave index assertion =
  if not (!left || List.mem ("c" ^ string_of_int index) !skipped) then begin
    (match Test_output.take () with _ -> () | exception _ -> ());
    enter ("begin " ^ string_of_int index);
    current := index;
    forget ();
    checking := true;
    called := false;
    found := [];
    Bytes.fill entered 0 (Bytes.length entered) '\000';
    let outcome, detail =
      match deeply index (fun () -> Printers.separately assertion) with
      | holds -> ending index holds
      | exception e -> reason e
    in
    checking := false;
    restore ();
    if not !left then conclude index outcome detail
    else if fst (ending index true) <> passed then conclude index failed ""
    else if may_leave then conclude index passed ""
    else conclude index exited "exit 0"
  end

(* A check that passes if its assertion is true. *)
let check index assertion =
  judged ~may_leave:false index (fun () -> asserted := true; assertion ())

(* A check that passes if it returns, or exits with 0. *)
let run index statement =
  judged ~may_leave:true index (fun () -> match statement () with _ -> true)

(* Starts the check of this number, which is what runs from [begins] to [ends]. *)
let begins index =
  if not !left then
    if List.mem ("c" ^ string_of_int index) !skipped then begin
      leave "cut" "";
      finish ()
    end
    else begin
      enter ("begin " ^ string_of_int index);
      current := index;
      forget ();
      called := false;
      checking := true
    end

(* Ends the check of this number. *)
let ends index =
  checking := false;
  if not !left then begin
    let outcome, detail = ending index true in
    ended index outcome (or_how_tried detail)
  end

(* A check whose [exit] only ends itself, as OUnit2 runs each case in a process. *)
let check_case index statement =
  if not !left then begin
    judged ~may_leave:false index (fun () -> statement (); true);
    left := false
  end

(* ---- holes in code that does not type ------------------------------------------------ *)

exception Hole

(* Whether a hole was reached in the current statement. *)
let met = ref false

(* Reports that a hole was reached, and raises; reported even if the exception is caught. *)
let hole () =
  note_hole ();
  met := true;
  raise Hole

(* Reports a hole, and continues. *)
let taint = note_hole

(* Runs a statement of code with holes up to the first hole. *)
let statement e =
  met := false;
  match e () with _ -> () | exception _ when !met -> ()

(* Runs a top-level statement with its number, its first and last check.  Reports if it raises. *)
let guard item first last statement =
  let range = Printf.sprintf "%d %d %d" item first last in
  if not (!left || List.mem ("g" ^ string_of_int item) !skipped) then begin
    enter ("item " ^ range);
    match statement () with
    | () -> leave ("item_end " ^ range) ""
    | exception _ when !left -> leave ("item_end " ^ range) ""
    | exception e ->
      let outcome, detail = reason e in
      leave (Printf.sprintf "item_raised %s %d" range outcome) detail
  end

(* Evaluates a definition; if it raises, reports that, and the tests end. *)
let setup definition =
  match definition () with
  | defined -> defined
  | exception e ->
    let outcome, detail = reason e in
    leave ("setup_raised " ^ string_of_int outcome) detail;
    finish ();
    raise e

(* ---- what the tests have in place of the library's --------------------------------------- *)

let raise = raise_own
let raise_notrace = raise_own
let failwith text = raise (Failure text)
let invalid_arg text = raise (Invalid_argument text)
