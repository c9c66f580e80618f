(* How the cases of [Suites.all] end with the real OUnit2, one line for each: the suite's
   number, the case's path, how it ended.

   "default" is the runner that a suite gets by itself, which runs cases in a process that
   it replaces when it dies.  "together" runs all in this one, which is faster; what would
   end the process there is the error that the other makes of it. *)

open OUnitTest

let flavour = OUnitResultSummary.result_flavour

let rec flat path test found =
  match test with
  | TestCase (_, case) -> (path, case) :: found
  | TestLabel (label, test) -> flat (Label label :: path) test found
  | TestList tests ->
    let numbered = List.mapi (fun n test -> (n, test)) tests in
    List.fold_right (fun (n, test) -> flat (ListItem n :: path) test) numbered found

let together conf cases =
  let shared = OUnitShared.create () in
  let run (path, case) =
    match OUnitRunner.run_one_test conf OUnitLogger.null_logger shared path case with
    | (_, result, _), _ -> (path, result)
    | exception e -> (path, RError (Printexc.to_string e, None))
  in
  List.map run cases

let by_default conf test cases =
  let _, runner = OUnitRunner.choice conf and _, chooser = OUnitChooser.choice conf in
  let results = OUnitCore.perform_test conf OUnitLogger.null_logger runner chooser test in
  let result (path, _) =
    let own = List.filter (fun (other, _, _) -> other = path) results in
    let worse a b = if OUnitResultSummary.worst_cmp a b < 0 then b else a in
    (path, List.fold_left worse RSuccess (List.map (fun (_, result, _) -> result) own))
  in
  List.map result cases

let () =
  let argv =
    [| "driver"; "-runner"; "processes"; "-shards"; "1"; "-health-check-interval"; "0.05";
       "-run-gc-full-major"; "false"; "-cache-filename"; "cache" |]
  in
  let conf = OUnitConf.load ~argv ~preset:(OUnitChooser.preset (OUnitRunner.preset [])) [] in
  let outcomes suite =
    let cases = flat [] suite [] in
    if Sys.argv.(1) = "default" then by_default conf suite cases else together conf cases
  in
  let lines =
    List.mapi
      (fun n suite ->
        List.map
          (fun (path, result) ->
            Printf.sprintf "%d\t%s\t%s\n" n (string_of_path path) (flavour result))
          (outcomes suite))
      Suites.all
  in
  List.iter (List.iter print_string) lines
