open Values

type t = Output | Elsewhere | Nowhere

let last path = List.nth path (List.length path - 1)

let begins word name =
  let length = String.length word in
  String.length name >= length && String.sub name 0 length = word

(* A channel that nobody reads. *)
let unread = Block ("unread", [])

let channel path values =
  match (last path, values) with
  | ("stderr" | "err_formatter"), [] -> Some unread
  | "formatter_of_out_channel", [ v ] when v = unread -> Some unread
  | _ -> None

(* What only gives something does nothing else, though it takes a format; who gets a text that
   is handed on is looked at by itself. *)
let gives_only =
  [ "ignore"; "sprintf"; "asprintf"; "ksprintf"; "kasprintf"; "kprintf"; "sscanf"; "sscanf_opt";
    "ifprintf"; "ikfprintf"; "eprintf" ]

let is_channel path t =
  Library.is_channel t
  || match path with [ "Out_channel"; _ ] -> Library.may_change t | _ -> false

let of_call path data =
  let name = last path in
  let channels = List.filter (fun (t, _) -> is_channel path t) data in
  if List.mem name gives_only || begins "prerr_" name then Nowhere
  else if List.exists (fun (_, v) -> v = unread) channels then Nowhere
  else if channels <> [] || begins "print" name then Output
  else if List.exists (fun (t, _) -> Library.may_change t && not (Library.is_format t)) data then
    Elsewhere
  else Output
