(* Netstrings ("5:hello,"): any bytes, without escaping. *)

(* The netstring of a text. *)
let encode text = Printf.sprintf "%d:%s," (String.length text) text

(* The netstrings of texts. *)
let encode_all texts = String.concat "" (List.map encode texts)

(* The texts in netstrings.  Raises Failure, Not_found or Invalid_argument. *)
let decode_all text =
  let rec go i found =
    if i >= String.length text then List.rev found
    else
      let colon = String.index_from text i ':' in
      let length = int_of_string (String.sub text i (colon - i)) in
      go (colon + length + 2) (String.sub text (colon + 1) length :: found)
  in
  go 0 []
