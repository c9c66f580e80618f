(* Byte ranges of code that the problem gives, in order: the first byte and the one after the
   last. *)

type t = (int * int) list

(* The ranges in the numbers of a request. *)
let rec of_words = function
  | start :: stop :: rest -> (int_of_string start, int_of_string stop) :: of_words rest
  | _ -> []

(* The parts of a range outside the given ones. *)
let rec outside given (start, stop) =
  match given with
  | [] -> [ (start, stop) ]
  | (from, behind) :: rest ->
    let behind = max start behind in
    (if start < from then [ (start, from) ] else [])
    @ if behind < stop then outside rest (behind, stop) else []

(* The items that do not start in a given range. *)
let own given structure =
  let is_given { Parsetree.pstr_loc = { loc_start = { pos_cnum = at; _ }; _ }; _ } =
    List.exists (fun (start, stop) -> start <= at && at < stop) given
  in
  if given = [] then structure
  else List.filter (fun i -> not (is_given i)) structure
