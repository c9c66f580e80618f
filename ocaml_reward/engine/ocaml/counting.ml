(* What the count of a failed check says: the number of errors, then each as the compiler
   prints it. *)

(* A type can be written out at any length. *)
let shortened report =
  if String.length report <= 4000 then report else String.sub report 0 4000 ^ "\n"

let said count holes =
  string_of_int count :: List.map (fun hole -> shortened hole.Repair.report) holes

let holes ~bound ~uses (failure : Checking.failure) =
  Silence.during (fun () -> Repair.holes ~bound ~uses failure.program)

let of_code failure =
  let found = holes ~bound:20 ~uses:Names.Set.empty failure in
  said (List.length found) found

let of_tests ~uses failure =
  let found = holes ~bound:60 ~uses failure in
  let names =
    List.fold_left (fun set h -> Names.Set.union set h.Repair.names) Names.Set.empty found
  in
  said (Names.Set.cardinal names) found
