let starters = [ "let"; "type"; "module"; "exception"; "open"; "include"; "class"; "external" ]

let word_at source i =
  let n = String.length source in
  let rec stop j =
    if j < n && (match source.[j] with 'a' .. 'z' -> true | _ -> false) then stop (j + 1) else j
  in
  String.sub source i (stop i - i)

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
    | [] -> [ String.sub source from (n - from) ]
    | next :: rest -> String.sub source from (next - from) :: cut next rest
  in
  List.filter (fun chunk -> String.trim chunk <> "") (cut 0 (starts 0 []))

let parses chunk =
  match Parse.implementation (Lexing.from_string chunk) with
  | [] -> None
  | _ -> Some true
  | exception _ -> Some false

let share source =
  Silence.during @@ fun () ->
  List.fold_left
    (fun (parsed, total) chunk ->
      match parses chunk with
      | None -> (parsed, total)
      | Some ok -> ((if ok then parsed + 1 else parsed), total + 1))
    (0, 0) (chunks source)
