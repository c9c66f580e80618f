(* What is said of a check that failed: the number of errors, the share of the program that
   is none, then each as the compiler prints it. *)

(* A type can be written out at any length. *)
let shortened report =
  if String.length report <= 4000 then report else String.sub report 0 4000 ^ "\n"

let said (counted : Repair.counted) =
  string_of_int counted.count
  :: Printf.sprintf "%.6f" counted.fraction
  :: List.map shortened counted.reports

(* In tests the errors count once per entry point, of those that they use. *)
let counted ?failed ?uses ~env program =
  Silence.during @@ fun () ->
  let bound, uses =
    match uses with None -> (20, Names.Set.empty) | Some uses -> (60, uses)
  in
  let counted = Repair.structure ?failed ~bound ~uses ~env program in
  (* ocamlc found an error, typing finds none: a type was left open. *)
  said (if counted.count = 0 then Repair.left_open ~env program else counted)
