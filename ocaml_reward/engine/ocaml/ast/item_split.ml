(* Splits a program that does not parse into top-level items and finds the broken ones.  An item
   starts on a line that begins with a keyword such as [let]; of a broken module only the broken
   items inside count if the rest parses. *)

(* The keywords that start an item. *)
let starters = [ "let"; "type"; "module"; "exception"; "open"; "include"; "class"; "external" ]

(* Items of a structure or of a signature. *)
type sort = Structure | Signature

(* Whether a word starts an item of this sort. *)
let starts_item sort word = List.mem word starters || (sort = Signature && word = "val")

(* The letters from a byte on. *)
let word_at source i =
  let n = String.length source in
  let rec stop j =
    if j < n && (match source.[j] with 'a' .. 'z' -> true | _ -> false) then stop (j + 1) else j
  in
  String.sub source i (stop i - i)

(* Whether a program's first word starts an item. *)
let begins source =
  let rec first i =
    if i < String.length source && List.mem source.[i] [ ' '; '\t'; '\n'; '\r' ] then first (i + 1) else i
  in
  starts_item Structure (word_at source (first 0))

(* Where the first words of later lines that are indented by exactly [margin] blanks start. *)
let margins source ~margin (start, stop) =
  let rec column i = if i < stop && source.[i] = ' ' then column (i + 1) else i in
  let rec go i found =
    match String.index_from_opt source i '\n' with
    | Some j when j + 1 < stop ->
      let word = column (j + 1) in
      let is_it =
        word = j + 1 + margin && word < stop
        && match source.[word] with '\t' | '\n' | '\r' -> false | _ -> true
      in
      go (j + 1) (if is_it then word :: found else found)
    | _ -> List.rev found
  in
  go start []

(* The byte ranges of the items. *)
let chunks source sort ~margin ((start, stop) as place) =
  let is_start at = starts_item sort (word_at source at) in
  let rec cut from = function
    | [] -> [ (from, stop) ]
    | next :: rest -> (from, next) :: cut next rest
  in
  cut start (List.filter is_start (margins source ~margin place))

type kind = Nothing | Definition | Expression | Broken

(* What a piece of text parses as. *)
let kind_of sort chunk =
  let lexbuf = Lexing.from_string chunk in
  let read () =
    match sort with
    | Signature -> if Parse.interface lexbuf = [] then Nothing else Definition
    | Structure -> (
      match Parse.implementation lexbuf with
      | [] -> Nothing
      | { pstr_desc = Parsetree.Pstr_eval _; _ } :: _ -> Expression
      | _ -> Definition)
  in
  match read () with kind -> kind | exception _ -> Broken

(* Where a last semicolon is, which makes the parser read on into the next item; None if there is
   none. *)
let last_semicolon chunk =
  let lexbuf = Lexing.from_string chunk in
  let rec last found =
    match Lexer.token lexbuf with
    | Parser.EOF -> found
    | Parser.SEMI -> last (Some (Lexing.lexeme_start lexbuf))
    | _ -> last None
  in
  match last None with found -> found | exception _ -> None

(* The most lines at which the end of a broken item is searched. *)
let most_margins = 30

(* The byte range of a broken item without an item before it: one without a known keyword, such as
   [lett g x = x], may follow on a later line at the margin. *)
let broken_from source sort ~margin ((start, stop) as place) =
  let found = List.rev (margins source ~margin place) in
  let found = List.filteri (fun i _ -> i < most_margins) found in
  let is_end at =
    match kind_of sort (String.sub source start (at - start)) with
    | Definition | Expression -> true
    | Nothing | Broken -> false
  in
  (Option.value (List.find_opt is_end found) ~default:start, stop)

(* The text with blanks in place of these ranges. *)
let blanked source places =
  let text = Bytes.of_string source in
  List.iter
    (fun (start, stop) ->
      for i = start to stop - 1 do
        if Bytes.get text i <> '\n' then Bytes.set text i ' '
      done)
    places;
  Bytes.to_string text

(* The range inside a module or module type over several lines, what it is, and its margin; None for
   other items. *)
let inside source ~margin ((start, stop) as place) =
  let is_word word at = word_at source at = word in
  let ends = List.filter (is_word "end") (margins source ~margin place) in
  match (String.index_from_opt source start '\n', List.rev ends) with
  | Some line, last :: _ when line < stop && is_word "module" start ->
    let header = String.trim (String.sub source start (line - start)) in
    let rec word i = if i < last && source.[i] = ' ' then word (i + 1) else i in
    let inner = word (line + 1) - (line + 1) in
    let between sort = if inner > margin then Some ((line, last), sort, inner) else None in
    (match List.rev (String.split_on_char ' ' header) with
     | "struct" :: _ -> between Structure
     | "sig" :: _ -> between Signature
     | _ -> None)
  | _ -> None

(* Start and end of an item that does not parse, in bytes, and what it is an item of inside a
   module. *)
type broken = { start : int; stop : int; within : sort option }

(* How many modules deep broken items are searched. *)
let most_deep = 3

(* The broken items: those inside a module if the module parses without them. *)
let rec places ?within ?(depth = 0) source sort ~margin ((start, stop) as place) =
  let kind found =
    let moved = List.map (fun b -> (b.start - start, b.stop - start)) found in
    kind_of sort (blanked (String.sub source start (stop - start)) moved)
  in
  let whole () =
    let start, stop = broken_from source sort ~margin place in
    [ { start; stop; within } ]
  in
  match if depth < most_deep then inside source ~margin place else None with
  | Some (((start, stop) as between), inner, margin)
    when kind [ { start; stop; within } ] = Definition ->
    let is_broken (start, stop) =
      kind_of inner (String.sub source start (stop - start)) = Broken
    in
    let broken = List.filter is_broken (chunks source inner ~margin between) in
    let own = places ~within:inner ~depth:(depth + 1) source inner ~margin in
    let found = List.concat_map own broken in
    if found <> [] && kind found = Definition then found else whole ()
  | _ -> whole ()

type t = {
  parsed : int;
  total : int;
  broken : broken list;  (* broken items; of an item that a semicolon ends, only the semicolon *)
}

(* Counts the items of a program and finds the broken ones.  Items that begin in [given] ranges are
   ignored. *)
let counts ?(given = []) source =
  Without_warnings.run @@ fun () ->
  let text (start, stop) = String.sub source start (stop - start) in
  let kind place =
    let chunk = text place in
    if String.trim chunk = "" then Nothing else kind_of Structure chunk
  in
  let whole = (0, String.length source) in
  let own = Given_ranges.outside given whole in
  let all = List.concat_map (chunks source Structure ~margin:0) own in
  let read = List.map (fun place -> (place, kind place)) all in
  let rec add found = function
    | [] -> { found with broken = List.rev found.broken }
    | (((start, _) as place), kind) :: rest ->
      let broken places =
        { found with
          total = found.total + 1;
          broken = List.rev_append places found.broken }
      in
      let semicolon =
        match rest with (_, Definition) :: _ -> last_semicolon (text place) | _ -> None
      in
      let found =
        match (kind, semicolon) with
        | Broken, _ -> broken (places source Structure ~margin:0 place)
        | _, Some at ->
          broken [ { start = start + at; stop = start + at + 1; within = None } ]
        | _ -> { found with parsed = found.parsed + 1; total = found.total + 1 }
      in
      add found rest
  in
  add { parsed = 0; total = 0; broken = [] } (List.filter (fun (_, k) -> k <> Nothing) read)

(* Start and end of each broken item, for Python (partial_run.py). *)
let broken_text { broken; _ } =
  String.concat " "
    (List.map (fun { start; stop; _ } -> Printf.sprintf "%d %d" start stop) broken)

(* The text with blanks in place of broken items. *)
let without_broken source =
  blanked source (List.map (fun b -> (b.start, b.stop)) (counts source).broken)

(* Whether an item is broken inside a module. *)
let lacks_in_module source =
  List.exists (fun b -> b.within <> None) (counts source).broken

(* Whether a broken item may be a statement: [let () = ...], or an unknown keyword that is not
   followed by two names and an equation. *)
let is_statement chunk =
  let line = List.hd (String.split_on_char '\n' (String.trim chunk)) in
  let is_name word =
    match word.[0] with 'a' .. 'z' -> true | '_' -> word <> "_" | _ -> false
  in
  match List.filter (( <> ) "") (String.split_on_char ' ' line) with
  | "let" :: word :: _ -> not (is_name word)
  | word :: name :: _ ->
    not (List.mem word starters || is_name word && is_name name && String.contains line '=')
  | [ word ] -> not (List.mem word (";" :: starters))
  | [] -> false

(* Whether a broken item may be a statement. *)
let lacks_statement source =
  List.exists
    (fun { start; stop; within } ->
      within <> Some Signature && is_statement (String.sub source start (stop - start)))
    (counts source).broken
