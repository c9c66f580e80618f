(* Reads, as netstrings, a word that nobody else knows and then input, expected and output of
   each case; prints a line for each: the word, the score, and what is said, in hexadecimal. *)

let netstring () =
  let rec length found =
    match input_char stdin with
    | ':' -> found
    | digit -> length ((10 * found) + Char.code digit - Char.code '0')
  in
  let text = really_input_string stdin (length 0) in
  ignore (input_char stdin);
  text

let hexadecimal text =
  String.concat ""
    (List.init (String.length text) (fun i -> Printf.sprintf "%02x" (Char.code text.[i])))

let judged judge =
  match judge () with
  | { Judging.score; message } when score >= 0. && score <= 1. -> (Printf.sprintf "%h" score, message)
  | _ -> ("died", "a score that is not between 0 and 1")
  | exception Judging.Rejected why -> (Printf.sprintf "%h" 0., why)
  | exception Judging.Misread why -> ("died", "the problem's own text: " ^ why)
  | exception error -> ("died", Printexc.to_string error)

let run judge =
  let secret = netstring () in
  let said = Buffer.create 1000 in
  (try
     while true do
       let input = netstring () in
       let expected = netstring () in
       let output = netstring () in
       let score, message = judged (fun () -> judge ~input ~expected ~output) in
       let message = String.sub message 0 (min 200 (String.length message)) in
       Buffer.add_string said (Printf.sprintf "\n%s %s %s" secret score (hexadecimal message))
     done
   with End_of_file -> ());
  print_string (Buffer.contents said);
  print_newline ()
