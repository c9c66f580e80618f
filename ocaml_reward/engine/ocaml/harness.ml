(* Runs numbered checks and reports each one on its own.

   This unit is linked before the code and compiled against nothing of it, so every name
   here is the standard library's.  Its own unit name cannot be written in OCaml source
   (see build.py), which keeps the code under test from calling it. *)

external enter : string -> unit = "ocaml_reward_enter"
external leave : string -> string -> unit = "ocaml_reward_leave"
external note : string -> string -> unit = "ocaml_reward_note"
external ended : int -> int -> string -> unit = "ocaml_reward_ended"
external finish : unit -> unit = "ocaml_reward_finish"
external write_down : string -> 'a -> unit = "ocaml_reward_hand_out"
external write_down_whole : string -> 'a -> unit = "ocaml_reward_hand_out_whole"

(* An assertion that says why it does not hold; the code cannot name this exception. *)
exception Rejected of string

(* What not to run; whoever starts the program says so before the code's own first line. *)
let skipped = ref []
let skip names = skipped := String.split_on_char ',' names

let describe e =
  (* Printers registered by the code run here: they may raise or return anything. *)
  match Printexc.to_string e with
  | text -> if String.length text > 200 then String.sub text 0 200 else text
  | exception _ -> "an exception whose printer raises"

(* Raised by the tests' own [exit].  With 0 it ends them, whoever catches this: what comes
   later has not run. *)
exception Left of int

let left = ref false

(* Whether the code had a hand in it: it may call a function that it is handed, or not. *)
let handed = ref false

let exit status =
  if status = 0 then left := true;
  raise (Left status)

(* What [exit] is inside of functions that the tests hand to others; see exits.ml. *)
module Handed = struct
  let exit status =
    if status = 0 && not !left then handed := true;
    exit status
end

(* Outcomes by their number in lock.c. *)
let passed = 0
let failed = 1
let raised = 2
let exited = 3
let stack_overflow = 4
let out_of_memory = 5

let shortened text = if String.length text > 200 then String.sub text 0 200 else text

let reason = function
  | Assert_failure _ -> (failed, "")
  | Rejected why -> (failed, shortened why)
  | Left status -> (exited, "exit " ^ string_of_int status)
  | Stack_overflow -> (stack_overflow, "")
  | Out_of_memory -> (out_of_memory, "")
  | e -> (raised, describe e)

(* An assertion inside the current check did not hold, whoever caught what it raised. *)
let denied = ref false

let deny e =
  denied := true;
  raise e

let demand line holds = if not holds then deny (Assert_failure ("tests.ml", line, 0))

(* What [kept] found, each block with its own content. *)
let found = ref []

(* A copy of a value that a comparison cannot tell from it, which no code has a hand on.
   What is huge or goes round in circles is left as it is. *)
let kept value =
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

(* Puts back what the code has changed of it, for the checks that follow. *)
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

(* The check that runs. *)
let current = ref (-1)

(* The value of an expression, or what it raises, leaves the process: whether it is the
   right one is decided where no code has ever run. *)
let handing ~whole number expression =
  let place = Printf.sprintf "%d %d" !current number in
  match expression () with
  | found ->
    if whole then write_down_whole ("value " ^ place) found
    else write_down ("value " ^ place) found
  | exception (Left _ as e) -> raise e
  | exception e ->
    let outcome, detail = reason e in
    note (Printf.sprintf "thrown %s %d" place outcome) detail;
    write_down ("exception " ^ place) e

let hand_out number expression = handing ~whole:false number expression
let hand_out_whole number expression = handing ~whole:true number expression

let judged ~may_leave index assertion =
  if not (!left || List.mem ("c" ^ string_of_int index) !skipped) then begin
    enter ("begin " ^ string_of_int index);
    current := index;
    denied := false;
    found := [];
    let outcome, detail =
      match assertion () with
      | holds -> ((if holds && not !denied then passed else failed), "")
      | exception e -> reason e
    in
    restore ();
    if not !left then ended index outcome detail
    else if !denied then ended index failed ""
    else if may_leave && not !handed then ended index passed ""
    else ended index exited "exit 0"
  end

(* ---- values that were handed out, where predicates of the tests are applied ---------- *)

(* A value that is not of the type that the tests take: only code that breaks its own process
   hands such a thing out. *)
exception Misshapen

(* "CHECK SLOT FORM" a line, on standard input: see value.c for the form. *)
let handed_out =
  lazy
    (let found = Hashtbl.create 16 in
     (try
        while true do
          let line = input_line stdin in
          match String.index_from_opt line (String.index line ' ' + 1) ' ' with
          | Some at ->
            let form = String.sub line (at + 1) (String.length line - at - 1) in
            Hashtbl.replace found (String.sub line 0 at) form
          | None -> ()
        done
      with End_of_file | Not_found -> ());
     found)

let rebuilt shapes form =
  let shapes = Array.of_list (List.map (String.split_on_char ' ') (String.split_on_char ';' shapes)) in
  let words = ref (List.filter (( <> ) "") (String.split_on_char ' ' form)) in
  let next () =
    match !words with
    | word :: rest -> words := rest; word
    | [] -> raise Misshapen
  in
  let after word n = String.sub word n (String.length word - n) in
  let number text = match int_of_string_opt text with Some n -> n | None -> raise Misshapen in
  let bytes hex =
    if String.length hex land 1 = 1 then raise Misshapen;
    String.init (String.length hex / 2) (fun i -> Char.chr (number ("0x" ^ String.sub hex (2 * i) 2)))
  in
  let float word =
    if word = "n" then nan
    else if word.[0] = 'd' && String.length word = 17 then
      Int64.float_of_bits (String.get_int64_be (bytes (after word 1)) 0)
    else raise Misshapen
  in
  let text word =
    match String.index_opt word ':' with
    | Some at -> bytes (after word (at + 1))
    | None -> raise Misshapen
  in
  let block word =
    match String.split_on_char ':' (after word 1) with
    | [ tag; size ] ->
      let size = number size in
      if size < 0 || size > String.length form then raise Misshapen;
      (number tag, size)
    | _ -> raise Misshapen
  in
  let floats word =
    let count = number (after word 1) in
    if count < 0 || count > String.length form then raise Misshapen;
    Obj.repr (Float.Array.init count (fun _ -> float (next ())))
  in
  (* A field of a block at a time, and the last one in a loop: a list is as deep as it is long. *)
  let rec fill parent place shape =
    let word = next () in
    let put v = Obj.set_field parent place v in
    let within tag size shapes =
      if List.length shapes <> size then raise Misshapen;
      let made = Obj.new_block tag size in
      for i = 0 to size - 1 do Obj.set_field made i (Obj.repr 0) done;
      put made;
      let rec each i = function
        | [] -> ()
        | [ last ] -> fill made i last
        | one :: rest -> fill made i one; each (i + 1) rest
      in
      each 0 shapes
    in
    match (shape, word.[0]) with
    | Some [ "u" ], '(' ->
      let tag, size = block word in
      if tag > 200 then raise Misshapen;
      within tag size (List.init size (fun _ -> Some [ "u" ]))
    | Some [ ("i" | "u") ], 'i' -> put (Obj.repr (number (after word 1)))
    | Some [ "c" ], 'i' ->
      let n = number (after word 1) in
      if n < 0 || n > 255 then raise Misshapen;
      put (Obj.repr n)
    | Some [ ("s" | "u") ], 's' -> put (Obj.repr (text word))
    | Some [ ("d" | "u") ], ('d' | 'n') -> put (Obj.repr (float word))
    | Some [ ("E" | "u") ], 'D' -> put (floats word)
    | Some [ ("l" | "u") ], 'l' -> put (Obj.repr (Int32.of_string (after word 1)))
    | Some [ ("L" | "u") ], 'L' -> put (Obj.repr (Int64.of_string (after word 1)))
    | Some [ ("N" | "u") ], 'N' -> put (Obj.repr (Nativeint.of_string (after word 1)))
    | Some [ "E" ], '(' when block word = (0, 0) -> put (Obj.repr [||])
    | Some ("T" :: shapes), '(' ->
      let tag, size = block word in
      if tag <> 0 then raise Misshapen;
      within 0 size (List.map of_number shapes)
    | Some [ "A"; element ], '(' ->
      let tag, size = block word in
      if tag <> 0 then raise Misshapen;
      let element = of_number element in
      within 0 size (List.init size (fun _ -> element))
    | Some ("V" :: constants :: _), 'i' ->
      let n = number (after word 1) in
      if n < 0 || n >= number constants then raise Misshapen;
      put (Obj.repr n)
    | Some ("V" :: _ :: blocks), '(' -> (
      let tag, size = block word in
      let mark = string_of_int tag ^ ":" in
      let n = String.length mark in
      match
        List.find_opt (fun b -> String.length b >= n && String.sub b 0 n = mark) blocks
      with
      | Some b -> within tag size (List.map of_number (String.split_on_char ',' (after b n)))
      | None -> raise Misshapen)
    | _ -> raise Misshapen
  and of_number text = Some shapes.(number text)
  in
  let whole = Obj.repr (ref 0) in
  fill whole 0 (Some shapes.(0));
  if !words <> [] then raise Misshapen;
  Obj.field whole 0

(* What the code has handed out under this number, for the check that runs. *)
let given shapes number =
  match Hashtbl.find_opt (Lazy.force handed_out) (Printf.sprintf "%d %d" !current number) with
  | Some form -> Obj.obj (rebuilt shapes form)
  | None -> raise Misshapen

(* A boolean assertion. *)
let check index assertion = judged ~may_leave:false index assertion

(* A statement that asserts by raising: it passes when it returns, or leaves by [exit 0]. *)
let run index statement =
  judged ~may_leave:true index (fun () -> match statement () with _ -> true)

(* A statement that only itself ends by [exit], as OUnit2 runs each case in a process. *)
let apart index statement =
  if not !left then begin
    judged ~may_leave:false index (fun () -> statement (); true);
    left := false;
    handed := false
  end

(* One top-level statement of the tests, holding the checks [first] to [last]. *)
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

(* A definition that the rest of the tests needs. *)
let setup definition =
  match definition () with
  | defined -> defined
  | exception e ->
    let outcome, detail = reason e in
    leave ("setup_raised " ^ string_of_int outcome) detail;
    finish ();
    raise e
