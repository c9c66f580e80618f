(* Assigns each source line to the program part that has a token on it. *)

(* The byte ranges of the tokens, without comments. *)
let tokens code =
  Without_warnings.run @@ fun () ->
  let lexbuf = Lexing.from_string code in
  Lexer.init ();
  let rec go found =
    match Lexer.token lexbuf with
    | Parser.EOF -> List.rev found
    | _ -> go ((Lexing.lexeme_start lexbuf, Lexing.lexeme_end lexbuf) :: found)
  in
  go []

(* The parts in the order of the text; outer ones come before the parts inside them. *)
let in_order parts =
  let before (a : Program_parts.part) (b : Program_parts.part) =
    compare (a.start, -a.stop, a.id) (b.start, -b.stop, b.id)
  in
  List.sort before (List.filter (fun (p : Program_parts.part) -> p.start < p.stop) parts)

(* Returns a function from a part to its lines, last first.  Line directives are ignored. *)
let of_parts code parts =
  let found = Hashtbl.create 64 in
  let add (p : Program_parts.part) line =
    match Hashtbl.find_opt found p.id with
    | Some (last :: _) when last = line -> ()
    | lines -> Hashtbl.replace found p.id (line :: Option.value ~default:[] lines)
  in
  let rec outside start = function
    | (p : Program_parts.part) :: around when p.stop <= start -> outside start around
    | around -> around
  in
  let rec inside start around = function
    | (p : Program_parts.part) :: rest when p.start <= start ->
      inside start (p :: outside start around) rest
    | rest -> (outside start around, rest)
  in
  let line = ref 1 and place = ref 0 in
  (* Advances to [stop]; [through] is called on each line of the token that is not blank. *)
  let go stop ~through =
    let blank = ref true in
    while !place < stop do
      (match code.[!place] with
       | '\n' -> incr line; blank := true
       | ' ' | '\t' | '\r' -> ()
       | _ -> if !blank then (blank := false; through !line));
      incr place
    done
  in
  ignore
    (List.fold_left
       (fun (around, rest) (start, stop) ->
         go start ~through:ignore;
         let around, rest = inside start around rest in
         go stop ~through:(fun line -> match around with p :: _ -> add p line | [] -> ());
         (around, rest))
       ([], in_order parts) (tokens code));
  fun (p : Program_parts.part) -> Option.value ~default:[] (Hashtbl.find_opt found p.id)

(* Line numbers, last first, as ranges [first, last, ...]. *)
let ranges lines =
  List.fold_left
    (fun ranges line ->
      match ranges with
      | first :: last :: rest when first = line + 1 -> line :: last :: rest
      | ranges -> line :: line :: ranges)
    [] lines

(* The longest text that Python takes. *)
let most = 8_000_000

(* The parts of a program as JSON, for Python: [names, lines, needed parts, flags, first byte,
   byte after the last]; empty if there are too many. *)
let text ~code program =
  match Definition_graph.of_structure program with
  | exception Program_parts.Too_deep -> ""
  | parts ->
    let buffer = Buffer.create 1000 in
    let add = Buffer.add_string buffer in
    let list written items =
      add "[";
      List.iteri (fun n i -> if n > 0 then add ","; written i) items;
      add "]"
    in
    let number n = add (string_of_int n) in
    let name n = add "\""; add n; add "\"" in
    let lines = of_parts code parts in
    let stubs = Stubs.names program in
    let is_stub (p : Program_parts.part) =
      (not (Names.Set.is_empty p.names)) && Names.Set.subset p.names stubs
    in
    list
      (fun (p : Program_parts.part) ->
        add "[";
        list name (Names.Set.elements p.names);
        add ",";
        list number (ranges (lines p));
        add ",";
        list number (Program_parts.Ints.elements p.needs);
        let flags =
          Bool.to_int p.has_effect + (2 * Bool.to_int p.has_state) + (4 * Bool.to_int (is_stub p))
        in
        add (Printf.sprintf ",%d,%d,%d]" flags p.start p.stop))
      parts;
    if Buffer.length buffer > most then "" else Buffer.contents buffer
