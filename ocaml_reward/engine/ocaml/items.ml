let starters = [ "let"; "type"; "module"; "exception"; "open"; "include"; "class"; "external" ]

let word_at source i =
  let n = String.length source in
  let rec stop j =
    if j < n && (match source.[j] with 'a' .. 'z' -> true | _ -> false) then stop (j + 1) else j
  in
  String.sub source i (stop i - i)

(* Where the items start and stop, in bytes. *)
let chunks source =
  let n = String.length source in
  let rec starts i found =
    match String.index_from_opt source i '\n' with
    | Some j when j + 1 < n ->
      starts (j + 1)
        (if List.mem (word_at source (j + 1)) starters then (j + 1) :: found else found)
    | _ -> List.rev found
  in
  let rec cut from = function
    | [] -> [ (from, n) ]
    | next :: rest -> (from, next) :: cut next rest
  in
  cut 0 (starts 0 [])

type kind = Nothing | Definition | Expression | Broken

let kind_of chunk =
  match Parse.implementation (Lexing.from_string chunk) with
  | [] -> Nothing
  | { pstr_desc = Parsetree.Pstr_eval _; _ } :: _ -> Expression
  | _ -> Definition
  | exception _ -> Broken

(* Where a semicolon ends it, which takes what comes behind for more of the same. *)
let last_semicolon chunk =
  let lexbuf = Lexing.from_string chunk in
  let rec last found =
    match Lexer.token lexbuf with
    | Parser.EOF -> found
    | Parser.SEMI -> last (Some (Lexing.lexeme_start lexbuf))
    | _ -> last None
  in
  match last None with found -> found | exception _ -> None

(* Of an item that does not parse, from where on: behind it may stand one that begins with no
   keyword known here, as [lett g x = x] does, and that is another line at the margin. *)
let most_margins = 30

let broken_from source start stop =
  let rec margins i found =
    match String.index_from_opt source i '\n' with
    | Some j when j + 1 < stop ->
      let is_margin = match source.[j + 1] with ' ' | '\t' | '\n' | '\r' -> false | _ -> true in
      margins (j + 1) (if is_margin then (j + 1) :: found else found)
    | _ -> found
  in
  let found = List.filteri (fun i _ -> i < most_margins) (margins start []) in
  let is_end at =
    match kind_of (String.sub source start (at - start)) with
    | Definition | Expression -> true
    | Nothing | Broken -> false
  in
  Option.value (List.find_opt is_end found) ~default:start

type t = {
  parsed : int;
  total : int;
  broken : (int * int) list;
}

let of_source source =
  Silence.during @@ fun () ->
  let text (start, stop) = String.sub source start (stop - start) in
  let kind place =
    let chunk = text place in
    if String.trim chunk = "" then Nothing else kind_of chunk
  in
  let read = List.map (fun place -> (place, kind place)) (chunks source) in
  let rec add found = function
    | [] -> { found with broken = List.rev found.broken }
    | (((start, stop) as place), kind) :: rest ->
      let broken start stop =
        { found with total = found.total + 1; broken = (start, stop) :: found.broken }
      in
      let semicolon =
        match rest with (_, Definition) :: _ -> last_semicolon (text place) | _ -> None
      in
      let found =
        match (kind, semicolon) with
        | Broken, _ -> broken (broken_from source start stop) stop
        | _, Some at -> broken (start + at) (start + at + 1)
        | _ -> { found with parsed = found.parsed + 1; total = found.total + 1 }
      in
      add found rest
  in
  add { parsed = 0; total = 0; broken = [] } (List.filter (fun (_, k) -> k <> Nothing) read)

(* For Python (partition.py): where each starts, where it stops, and so on. *)
let broken_text { broken; _ } =
  String.concat " "
    (List.map (fun (start, stop) -> Printf.sprintf "%d %d" start stop) broken)

let without_broken source =
  let text = Bytes.of_string source in
  List.iter
    (fun (start, stop) ->
      for i = start to stop - 1 do
        if Bytes.get text i <> '\n' then Bytes.set text i ' '
      done)
    (of_source source).broken;
  Bytes.to_string text

(* [let () = ...], or what is no definition with another keyword: two names, and an equation. *)
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

let lacks_statement source =
  List.exists
    (fun (start, stop) -> is_statement (String.sub source start (stop - start)))
    (of_source source).broken
