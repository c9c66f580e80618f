(* Runs a problem's judge.  Reads, as netstrings, a secret and then input, expected and output of
   each case; prints a line for each: the secret, the score, and a message in hexadecimal.  Each
   line is flushed before the next case is read, so that a crash costs no case that was judged. *)

(* The stack of a judge: 64 MB, in words; growing to that takes 96 MB of 256 MB. *)
let stack = 8 * 1024 * 1024

(* The maximal length of a message. *)
let most_said = 200

(* Reads a netstring. *)
let netstring () =
  let rec length found =
    match input_char stdin with
    | ':' -> found
    | digit -> length ((10 * found) + Char.code digit - Char.code '0')
  in
  let text = really_input_string stdin (length 0) in
  ignore (input_char stdin);
  text

(* The bytes of a text in hexadecimal. *)
let hexadecimal text =
  let written = Buffer.create (2 * String.length text) in
  String.iter (fun c -> Buffer.add_string written (Printf.sprintf "%02x" (Char.code c))) text;
  Buffer.contents written

(* The text of an exception, the same in every version of OCaml. *)
let described = function
  | Out_of_memory -> "out_of_memory"
  | Stack_overflow -> "stack_overflow"
  | error -> Printexc.to_string error

(* The score, or why there is none, and the message of a case. *)
let judged judge =
  match judge () with
  | { Judging.score; message } when score >= 0. && score <= 1. -> (Printf.sprintf "%h" score, message)
  | _ -> ("died", "a score that is not between 0 and 1")
  | exception Judging.Rejected why -> (Printf.sprintf "%h" 0., why)
  | exception Judging.Misread why -> ("misread", "the problem's own text: " ^ why)
  | exception error -> ("died", described error)

(* Judges the cases on stdin. *)
let run judge =
  Gc.set { (Gc.get ()) with Gc.stack_limit = stack };
  let secret = netstring () in
  try
    while true do
      let input = netstring () in
      let expected = netstring () in
      let output = netstring () in
      let score, message = judged (fun () -> judge ~input ~expected ~output) in
      let message = String.sub message 0 (min most_said (String.length message)) in
      Printf.printf "\n%s %s %s\n%!" secret score (hexadecimal message)
    done
  with End_of_file -> ()
