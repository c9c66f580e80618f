open Values

let constant = function
  | [ "max_int" ] | [ "Stdlib"; "max_int" ] | [ "Int"; "max_int" ] -> Some (Known max_int)
  | [ "min_int" ] | [ "Stdlib"; "min_int" ] | [ "Int"; "min_int" ] -> Some (Known min_int)
  | [ "Sys"; "word_size" ] -> Some (Known Sys.word_size)
  | [ "Sys"; "int_size" ] -> Some (Known Sys.int_size)
  | path -> Outlets.channel path []

(* The string that a literal stands for. *)
let string_of text =
  match Scanf.sscanf text "%S%!" Fun.id with found -> Some found | exception _ -> None

let rec length = function
  | Block ("::", [ Block ("", [ _; rest ]) ]) -> Option.map succ (length rest)
  | Block ("[]", []) -> Some 0
  | _ -> None

let empty = Block ("[]", [])
let none = Block ("None", [])
let truth b = Known (Bool.to_int b)
let known = Option.map (fun n -> Known n)
let never found = if found then Some Never else None

(* Only literals are read: of what they are made into nothing is known here. *)
let unreadable read text =
  never (match string_of text with Some found -> read found = None | None -> false)

let of_literals path values =
  match (path, values) with
  | [ "int_of_string" ], [ Text text ] -> unreadable int_of_string_opt text
  | [ "float_of_string" ], [ Text text ] -> unreadable float_of_string_opt text
  | [ "bool_of_string" ], [ Text text ] -> unreadable bool_of_string_opt text
  | ([ "char_of_int" ] | [ "Char"; "chr" ]), [ Known n ] -> never (n < 0 || n > 255)
  | [ "^" ], [ Text a; Text b ] -> (
    match (string_of a, string_of b) with
    | Some a, Some b -> Some (Text (Printf.sprintf "%S" (a ^ b)))
    | _ -> None)
  | [ "String"; "length" ], [ Text text ] -> known (Option.map String.length (string_of text))
  | [ "String"; "get" ], [ Text text; Known n ] ->
    let beyond found = never (n < 0 || n >= String.length found) in
    Option.bind (string_of text) beyond
  | _ -> None

(* What takes each element to a function calls that at least once where there is one. *)
let walks =
  [ "iter"; "iteri"; "map"; "mapi"; "rev_map"; "concat_map"; "filter_map"; "fold_right";
    "filter"; "find_all"; "partition"; "for_all"; "exists"; "find"; "find_opt" ]

let of_lists path answers values =
  match (path, answers, values) with
  | [ "List"; "length" ], [], [ v ] -> known (length v)
  | [ "List"; ("mem" | "memq" | "mem_assoc" | "mem_assq") ], [], [ _; Block ("[]", []) ]
  | [ "List"; "exists" ], _, [ Block ("[]", []) ] ->
    Some (truth false)
  | [ "List"; "for_all" ], _, [ Block ("[]", []) ] -> Some (truth true)
  | [ "List"; ("find_opt" | "nth_opt" | "assoc_opt") ], _, _
    when List.mem (Block ("[]", [])) values ->
    Some none
  | [ "List"; "fold_left" ], [ Never ], [ _; Block ("::", _) ] -> Some Never
  | [ "List"; name ], [ Never ], Block ("::", _) :: _ when List.mem name walks -> Some Never
  | _ -> None

let of_answers path answers values =
  match (path, answers, values) with
  | [ ("List" | "Seq"); ("filter" | "filteri" | "find_all" | "take_while") ], [ Known 0 ], _
  | [ "List"; "drop_while" ], [ Known 1 ], _
  | [ "List"; "filter_map" ], [ Block ("None", []) ], _
  | [ "List"; "concat_map" ], [ Block ("[]", []) ], _
  | [ "List"; "init" ], _, [ Known 0 ] ->
    Some empty
  | [ ("Array" | "Bytes" | "String"); ("make" | "init") ], _, Known 0 :: _
  | [ ("Array" | "Bytes" | "String"); "sub" ], _, [ _; _; Known 0 ]
  | [ "String"; "concat" ], _, [ _; Block ("[]", []) ] ->
    Some (Block ("[||]", []))
  | [ ("List" | "Array"); "find_opt" ], [ Known 0 ], _
  | [ ("List" | "Array"); "find_map" ], [ Block ("None", []) ], _ ->
    Some none
  | [ "List"; "find" ], [ Known 0 ], _ -> Some Never
  | [ "List"; "partition" ], [ Known 0 ], [ all ] -> Some (Block ("", [ empty; blur all ]))
  | [ "List"; "partition" ], [ Known 1 ], [ all ] -> Some (Block ("", [ blur all; empty ]))
  | [ ("List" | "Array" | "String" | "Seq"); "exists" ], [ Known 0 ], _ -> Some (Known 0)
  | [ ("List" | "Array" | "String" | "Seq"); "for_all" ], [ Known 1 ], _ -> Some (Known 1)
  | _ -> None

let rec first_of = function
  | [] -> None
  | tell :: others -> ( match tell () with None -> first_of others | found -> found)

let gives path answers values =
  let path = match path with [ "Stdlib"; name ] -> [ name ] | _ -> path in
  first_of
    [ (fun () -> of_answers path answers values);
      (fun () -> of_literals path values);
      (fun () -> Outlets.channel path values);
      (fun () -> of_lists path answers values) ]
