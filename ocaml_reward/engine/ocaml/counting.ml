(* What is said of a check that failed: the number of errors, the share of the program that
   is none, then each as the compiler prints it. *)

(* A type can be written out at any length. *)
let shortened report =
  if String.length report <= 4000 then report else String.sub report 0 4000 ^ "\n"

let said (counted : Repair.counted) =
  string_of_int counted.count
  :: Printf.sprintf "%.6f" counted.fraction
  :: List.map shortened counted.reports

let most_of_code, most_of_tests = (20, 60)

let of_code ?failed ?(tests = []) ~uses ~env program =
  Silence.during @@ fun () ->
  let tests = match tests with [] -> None | tests -> Some (tests, uses, most_of_tests) in
  said (Repair.structure ?failed ?tests ~bound:most_of_code ~uses:Names.Set.empty ~env program)

(* The errors count once per entry point, of those that the tests use. *)
let of_tests ?failed ~uses ~env tests =
  Silence.during @@ fun () ->
  said (Repair.structure ?failed ~bound:most_of_tests ~uses ~env tests)
