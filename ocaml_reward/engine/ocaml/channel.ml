external descriptor : int -> Unix.file_descr = "%identity"

let python = descriptor 3

let rec read_some fd bytes from length =
  match Unix.read fd bytes from length with
  | n -> n
  | exception Unix.Unix_error (EINTR, _, _) -> read_some fd bytes from length

(* Raises End_of_file. *)
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

let rec really_write fd text from length =
  if length > 0 then
    match Unix.single_write_substring fd text from length with
    | n -> really_write fd text (from + n) (length - n)
    | exception Unix.Unix_error (EINTR, _, _) -> really_write fd text from length

let write fd text = really_write fd text 0 (String.length text)

let receive () =
  let head = really_read python 5 in
  (head.[4], really_read python (Int32.to_int (String.get_int32_be head 0)))

let head kind length =
  let head = Bytes.make 5 kind in
  Bytes.set_int32_be head 0 (Int32.of_int length);
  Bytes.unsafe_to_string head

let frame kind body = head kind (String.length body) ^ body
let send kind body = write python (frame kind body)
