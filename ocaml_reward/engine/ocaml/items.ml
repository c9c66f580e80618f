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

let parses chunk =
  match Parse.implementation (Lexing.from_string chunk) with
  | [] -> None
  | _ -> Some true
  | exception _ -> Some false

type t = {
  parsed : int;
  total : int;
  broken : (int * int) list;
}

let of_source source =
  Silence.during @@ fun () ->
  let add found (start, stop) =
    let chunk = String.sub source start (stop - start) in
    match if String.trim chunk = "" then None else parses chunk with
    | None -> found
    | Some true -> { found with parsed = found.parsed + 1; total = found.total + 1 }
    | Some false ->
      { found with total = found.total + 1; broken = (start, stop) :: found.broken }
  in
  let found = List.fold_left add { parsed = 0; total = 0; broken = [] } (chunks source) in
  { found with broken = List.rev found.broken }

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

(* [let () = ...], or what begins with no keyword at all. *)
let is_statement chunk =
  let words = List.filter (( <> ) "") (String.split_on_char ' ' (String.trim chunk)) in
  match words with
  | "let" :: "rec" :: _ -> false
  | "let" :: word :: _ -> (match word.[0] with 'a' .. 'z' -> false | '_' -> word = "_" | _ -> true)
  | word :: _ -> not (List.mem word starters)
  | [] -> false

let lacks_statement source =
  List.exists
    (fun (start, stop) -> is_statement (String.sub source start (stop - start)))
    (of_source source).broken
