(* Rebuilds returned values in the oracle program, for predicates.  The forms are hostile: only
   values of the expected type are built.

   [Harness] is bound by the build: the unit's real name cannot be written in source. *)

(* The form does not have the type that the tests expect: only code that corrupts its process
   sends one. *)
exception Misshapen

(* Whether a value was misshapen, as the tests' handlers may catch Misshapen. *)
let spoiled = ref false

(* Notes a misshapen value and raises Misshapen. *)
let misshapen () =
  spoiled := true;
  raise Misshapen

(* The forms of returned values, from lines "CHECK SLOT FORM" on standard input, by check and slot;
   see value_encode.c for the form. *)
let returned_forms =
  lazy
    (let found = Hashtbl.create 16 in
     (try
        while true do
          let line = input_line stdin in
          match String.index_from_opt line (String.index line ' ' + 1) ' ' with
          | Some at ->
            let form = String.sub line (at + 1) (String.length line - at - 1) in
            let place = String.sub line 0 at in
            (* The first value sent for a slot counts. *)
            if not (Hashtbl.mem found place) then Hashtbl.add found place form
          | None -> ()
        done
      with End_of_file | Not_found -> ());
     found)

(* The value of a form, if it has these shapes.  Raises Misshapen or another exception if not. *)
let rebuilt shapes form =
  let shapes = List.map (String.split_on_char ' ') (String.split_on_char ';' shapes) in
  let shapes = Array.of_list shapes in
  let words = ref (List.filter (( <> ) "") (String.split_on_char ' ' form)) in
  let next () =
    match !words with
    | word :: rest -> words := rest; word
    | [] -> misshapen ()
  in
  let after word n = String.sub word n (String.length word - n) in
  let number text = match int_of_string_opt text with Some n -> n | None -> misshapen () in
  let bytes hex =
    if String.length hex land 1 = 1 then misshapen ();
    let byte i = Char.chr (number ("0x" ^ String.sub hex (2 * i) 2)) in
    String.init (String.length hex / 2) byte
  in
  let float word =
    if word = "n" then nan
    else if word.[0] = 'd' && String.length word = 17 then
      Int64.float_of_bits (String.get_int64_be (bytes (after word 1)) 0)
    else misshapen ()
  in
  let text word =
    match String.index_opt word ':' with
    | Some at -> bytes (after word (at + 1))
    | None -> misshapen ()
  in
  let block word =
    match String.split_on_char ':' (after word 1) with
    | [ tag; size ] ->
      let size = number size in
      if size < 0 || size > String.length form then misshapen ();
      (number tag, size)
    | _ -> misshapen ()
  in
  let floats word =
    let count = number (after word 1) in
    if count < 0 || count > String.length form then misshapen ();
    Obj.repr (Float.Array.init count (fun _ -> float (next ())))
  in
  (* Fields one at a time, the last one in a loop: a list is as deep as it is long. *)
  let rec fill parent place shape =
    let word = next () in
    let put v = Obj.set_field parent place v in
    let within tag size shapes =
      if List.length shapes <> size then misshapen ();
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
      if tag > 200 then misshapen ();
      within tag size (List.init size (fun _ -> Some [ "u" ]))
    | Some [ ("i" | "u") ], 'i' -> put (Obj.repr (number (after word 1)))
    | Some [ "c" ], 'i' ->
      let n = number (after word 1) in
      if n < 0 || n > 255 then misshapen ();
      put (Obj.repr n)
    | Some [ ("s" | "u") ], 's' -> put (Obj.repr (text word))
    | Some [ ("d" | "u") ], ('d' | 'n') -> put (Obj.repr (float word))
    | Some ("E" :: _ | [ "u" ]), 'D' -> put (floats word)
    | Some [ ("l" | "u") ], 'l' -> put (Obj.repr (Int32.of_string (after word 1)))
    | Some [ ("L" | "u") ], 'L' -> put (Obj.repr (Int64.of_string (after word 1)))
    | Some [ ("N" | "u") ], 'N' -> put (Obj.repr (Nativeint.of_string (after word 1)))
    | Some [ "E" ], '(' when block word = (0, 0) -> put (Obj.repr [||])
    | Some (("T" | "R") :: fields), '(' ->
      let tag, size = block word in
      if tag <> 0 then misshapen ();
      let shape field = of_number (List.hd (String.split_on_char ':' field)) in
      within 0 size (List.map shape fields)
    | Some [ "A"; element ], '(' ->
      let tag, size = block word in
      if tag <> 0 then misshapen ();
      let element = of_number element in
      within 0 size (List.init size (fun _ -> element))
    | Some ("V" :: constants :: _), 'i' ->
      let n = number (after word 1) in
      let known = if constants = "" then [] else String.split_on_char ',' constants in
      if n < 0 || n >= List.length known then misshapen ();
      put (Obj.repr n)
    | Some ("V" :: _ :: blocks), '(' -> (
      let tag, size = block word in
      match if tag < 0 then None else List.nth_opt blocks tag with
      | Some constructor ->
        let shapes = List.hd (String.split_on_char ':' constructor) in
        within tag size (List.map of_number (String.split_on_char ',' shapes))
      | None -> misshapen ())
    | _ -> misshapen ()
  and of_number text = Some shapes.(number text)
  in
  let whole = Obj.repr (ref 0) in
  fill whole 0 (Some shapes.(0));
  if !words <> [] then misshapen ();
  Obj.field whole 0

(* The value returned for a slot of the current check, by the shapes of its type
   (value_shape.ml).  Raises if it does not fit or is missing. *)
let returned_value shapes number =
  Harness.shaped (lnot number) shapes;
  let slot = Printf.sprintf "%d %d" !Harness.current number in
  match Hashtbl.find_opt (Lazy.force returned_forms) slot with
  | Some form -> ( match rebuilt shapes form with v -> Obj.obj v | exception _ -> misshapen ())
  | None -> misshapen ()

(* The result of a predicate.  Raises Invalid_argument if a value was missing or did not fit,
   even if the predicate has caught that. *)
let checked predicate =
  spoiled := false;
  let refuse () = invalid_arg "the value is not of the type that the tests take" in
  match predicate () with
  | found -> if !spoiled then refuse () else found
  | exception e -> if !spoiled then refuse () else raise e
