(* $ ocamlc -w +a-70 -warn-error +a -c FILE *)
let rec size items = match items with [] -> 0 | _ :: _ -> 1
