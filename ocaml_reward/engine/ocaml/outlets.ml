open Values

type t = Output | Elsewhere | Nowhere

let last path = List.nth path (List.length path - 1)

let begins word name =
  let length = String.length word in
  String.length name >= length && String.sub name 0 length = word

(* A channel that nobody reads, and a formatter whose text is kept until somebody asks for it. *)
let unread = Block ("unread", [])

let kept = Block ("kept", [])

let channel path values =
  match (last path, values) with
  | ("stderr" | "err_formatter"), [] -> Some unread
  | "formatter_of_out_channel", [ v ] when v = unread -> Some unread
  | "str_formatter", [] | "formatter_of_buffer", [ _ ] -> Some kept
  | _ -> None

let is_channel v = v = unread || v = kept

(* What only gives something does nothing else, though it takes a format; who gets a text that
   is handed on is looked at by itself. *)
let gives_only =
  [ "ignore"; "sprintf"; "asprintf"; "ksprintf"; "kasprintf"; "kprintf"; "sscanf"; "sscanf_opt";
    "ifprintf"; "ikfprintf"; "eprintf" ]

(* What is done with a channel besides writing to it. *)
let handles name =
  List.mem name
    [ "flush"; "close_out"; "close_out_noerr"; "close"; "close_noerr"; "seek_out"; "seek";
      "pos_out"; "pos"; "out_channel_length"; "length"; "set_binary_mode_out"; "set_binary_mode";
      "formatter_of_out_channel"; "print_flush"; "pp_print_flush"; "set_buffered" ]
  || begins "pp_set_" name

let is_outlet path t =
  Library.is_channel t
  || match path with [ "Out_channel"; _ ] -> Library.may_change t | _ -> false

let writes = function
  | [ ("Unix" | "UnixLabels"); name ] -> begins "write" name || begins "single_write" name
  | _ -> false

let of_call path data =
  let name = last path in
  let outlets = List.filter (fun (t, _) -> is_outlet path t) data in
  let is v = List.exists (fun (_, found) -> found = v) outlets in
  if List.mem name gives_only || begins "prerr_" name then Nowhere
  else if is unread then Nowhere
  else if is kept then Elsewhere
  else if handles name || List.exists (fun (_, v) -> v = Text {|""|}) data then Elsewhere
  else if outlets <> [] || begins "print" name || writes path then Output
  else Elsewhere
