(* $ ocamlc -w +a-70 -warn-error +26+8 -c FILE *)
let head = function x :: _ -> x

let next n =
  let step = 1 in
  n

let wrong : int = "one"
