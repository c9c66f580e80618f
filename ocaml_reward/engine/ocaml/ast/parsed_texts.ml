(* Texts parsed for Python: what they are, as JSON. *)

let json what text =
  let parsed parse = Syntax.parse_text parse "" text in
  match what with
  | "interface" -> Types_json.interface (parsed Parse.interface)
  | "type" -> Types_json.type_ (parsed Parse.core_type)
  | "test" -> Types_in_tests.of_structure (parsed Parse.implementation)
  | _ -> ignore (parsed Parse.expression); Types_json.List []

(* The JSON of each text; empty for one that does not parse. *)
let answer what texts =
  let one text =
    match Without_warnings.run (fun () -> json what text) with
    | json ->
      let buffer = Buffer.create 1000 in
      Types_json.write buffer json;
      Buffer.contents buffer
    | exception (Syntaxerr.Error _ | Lexer.Error _) -> ""
  in
  List.map one texts
