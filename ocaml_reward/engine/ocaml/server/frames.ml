(* Frames between Python and the server: the length (4 bytes, big-endian), a kind (1 byte), the
   request's number (4 bytes), the body.  A reply has the number of its request. *)

(* The descriptor with this number. *)
external descriptor : int -> Unix.file_descr = "%identity"

(* The descriptor on which Python talks. *)
let python = descriptor 3

(* Reads as [Unix.read] does, again after an interruption. *)
let rec read_some fd bytes from length =
  match Unix.read fd bytes from length with
  | n -> n
  | exception Unix.Unix_error (EINTR, _, _) -> read_some fd bytes from length

(* Reads so many bytes.  Raises End_of_file. *)
let really_read fd length =
  let bytes = Bytes.create length in
  let rec go from =
    if from < length then
      match read_some fd bytes from (length - from) with
      | 0 -> raise End_of_file
      | n -> go (from + n)
  in
  go 0;
  Bytes.unsafe_to_string bytes

(* Writes so many bytes. *)
let rec really_write fd text from length =
  if length > 0 then
    match Unix.single_write_substring fd text from length with
    | n -> really_write fd text (from + n) (length - n)
    | exception Unix.Unix_error (EINTR, _, _) -> really_write fd text from length

(* Writes a whole text. *)
let write fd text = really_write fd text 0 (String.length text)

(* ---- what the zygote finds out about a checker that has died ---------------------- *)

(* Called before any checker is forked. *)
external share_progress : unit -> unit = "ocaml_reward_share_progress"

(* Writes and reads the number of a [state]. *)
external set_progress : int -> unit = "ocaml_reward_set_progress" [@@noalloc]
external progress : unit -> int = "ocaml_reward_progress" [@@noalloc]

(* How far a checker is, in memory shared with the zygote.  [Exchanging]: in a message from or
   to Python.  [Running]: in a message from or to the runner. *)
type state = Answered | Exchanging | Running of int | Working of int

(* Notes how far this checker is. *)
let note = function
  | Answered -> set_progress 0
  | Exchanging -> set_progress 1
  | Running number -> set_progress ((2 * number) + 2)
  | Working number -> set_progress ((2 * number) + 3)

(* How far the checker is. *)
let state () =
  match progress () with
  | 0 -> Answered
  | 1 -> Exchanging
  | n when n land 1 = 0 -> Running ((n - 2) / 2)
  | n -> Working ((n - 3) / 2)

(* The number of the current request. *)
let number = ref 0

(* Runs [work] in a state, and then that of a request. *)
let noting state work =
  note state;
  let result = work () in
  note (Working !number);
  result

(* Runs an exchange with Python. *)
let exchanging work = noting Exchanging work

(* Runs an exchange with the runner. *)
let running work = noting (Running !number) work

(* ---- frames ---------------------------------------------------------------------- *)

(* The bytes of a frame before its body. *)
let head_length = 9

(* The kind and body of the next frame.  Raises End_of_file. *)
let receive () =
  exchanging (fun () ->
      let head = really_read python head_length in
      let field at = Int32.to_int (String.get_int32_be head at) in
      let body = really_read python (field 0) in
      number := field 5;
      (head.[4], body))

(* A frame without its body, for a body of this length. *)
let head kind length =
  let head = Bytes.make head_length kind in
  Bytes.set_int32_be head 0 (Int32.of_int length);
  Bytes.set_int32_be head 5 (Int32.of_int !number);
  Bytes.unsafe_to_string head

(* A frame. *)
let frame kind body = head kind (String.length body) ^ body

(* Sends a frame. *)
let send_framed frame = exchanging (fun () -> write python frame)

(* Sends a frame with this kind and body. *)
let send kind body = send_framed (frame kind body)

(* Tells Python that the checker died: its exit status, or the signal as OCaml numbers it, and
   whether this server ends, too. *)
let send_death ~status ~signal ~ends =
  send 'd' (Printf.sprintf "%d %d %d" status signal (Bool.to_int ends))
