(* Error report of ill-typed code: the number of independent errors, the fraction of the program
   outside them, candidate locations (blame.ml), the merged errors with their reasons, and the
   compiler's messages. *)

open Holes
open Recovery

type counted = {
  count : int;
  fraction : float;
  reports : string list;
  merged : (merged * string) list;
}

(* The counted errors of code. (c-cube/qcheck test/core/QCheck2_unit_tests.ml) *)
let ended ~given state program holes =
  {
    count = (if state.gave_up then state.bound else List.length holes);
    fraction =
      Nodes.outside (List.map (fun hole -> hole.loc) holes) (Given_ranges.own given program);
    reports = List.map (fun hole -> hole.report) holes;
    merged = List.rev state.merged;
  }

(* The counted errors of tests.  The fraction is 1: only the code's names are wrong. *)
let ended_tests state =
  let found = counted state in
  let wrong = Entry_points.wrong found in
  let about hole = { hole with names = Names.Set.inter hole.names wrong } in
  let names = Names.Set.cardinal wrong in
  let reports = List.map (fun hole -> hole.report) (one_per_name (List.map about found)) in
  {
    count = (if state.gave_up then state.bound else names);
    fraction = 1.0;
    reports = List.filteri (fun i _ -> i < max 1 names) reports;
    merged = [];
  }

(* The one error of code whose only error is a weak type variable, as ocamlc reports it.
   (ocaml/ocaml testsuite/tests/lib-dynlink-pr4839/host/api.ml) *)
let left_open ~given program =
  let fraction = Nodes.outside (Type_items.open_items ()) (Given_ranges.own given program) in
  { count = 1; fraction; reports = []; merged = [] }

(* Returns the errors [after] a stage; records those that it removed, with the reason. *)
let stage (state : Recovery.state) reason before after =
  let is_kept hole = List.exists (fun kept -> Nodes.same kept.at hole.at) after in
  let gone = List.filter (fun hole -> not (is_kept hole)) before in
  state.merged <- List.rev_append (List.map (fun hole -> (reason, hole.report)) gone) state.merged;
  after

(* The errors that count.  The pipeline: drop errors that follow from others or are in a wider hole,
   merge errors of one cause, merge errors that one small hole explains.
   (ucsd-progsys/nate sp14/1320) *)
let mistakes state env program =
  let holes = stage state Wider (List.rev state.found) (counted state) in
  if state.gave_up then holes
  else
    let own = stage state One_cause holes (Cause_search.independent state env program holes) in
    let least = stage state One_hole own (Fewest_holes.fewest state program ~all:holes own) in
    Typing_compat.forget_names ();
    least

(* Errors that the tests find in addition, except those that may follow from the code's own errors.
   (ucsd-progsys/yunounderstand-data pair00052) *)
let in_tests state program ~before ~after (tests, uses, bound) =
  let none = { count = 0; fraction = 1.0; reports = []; merged = [] } in
  let suspects =
    Doubtful_names.names (state.causes @ List.map (fun hole -> hole.loc) state.found) program
  in
  let uses = Names.Set.diff uses suspects in
  if Names.Set.is_empty uses then none
  else
    let code = Inferred_signatures.defined ~suspects ~before ~after in
    let env = Inferred_signatures.with_unit "Solution" code before in
    let state = starting ~cascade:state.cascade ~bound ~uses in
    match Type_items.attempt env tests with
    | Typed _ -> none
    | Failed failure ->
      ignore (repair state env tests failure);
      state.found <- List.filter (fun hole -> not (Names.Set.is_empty hole.names)) state.found;
      ended_tests state

(* Counts the errors of [program], at most [bound], then those of the [tests].  [uses] widens a
   hole to the smallest node that mentions one of these entry points.  [failed] is the first
   error, if [program] was just typed in [env]. *)
let structure ?failed ?tests ?(given = []) ~bound ~uses ~env program =
  Level_compat.kept @@ fun () ->
  let first =
    match failed with
    | Some failure -> Type_items.Failed (Some failure)
    | None -> Type_items.attempt env program
  in
  Typing_compat.forget_names ();
  let state = starting ~cascade:(Followups.start ()) ~bound ~uses in
  let count () =
    let own, after =
      match first with
      | Typed after -> (left_open ~given program, after)
      | Failed failure ->
        let after = repair state env program failure in
        let ended =
          if of_tests state then ended_tests state
          else ended ~given state program (mistakes state env program)
        in
        (ended, after)
    in
    let own = { own with count = max 1 own.count } in
    match tests with
    | Some tests when going state ->
      let more = in_tests state program ~before:env ~after tests in
      { own with count = own.count + more.count; reports = own.reports @ more.reports }
    | _ -> own
  in
  let counted =
    match count () with
    | counted -> counted
    | exception _ ->
      Type_items.stale := true;
      let reports = List.rev_map (fun hole -> hole.report) state.found in
      { count = bound; fraction = 0.0; reports; merged = [] }
  in
  Type_items.reset ();
  counted

(* A report cut to 4,000 bytes, as printed types can be very long. *)
let shortened report =
  if String.length report <= 4000 then report else String.sub report 0 4000 ^ "\n"

(* The reason as a word of the answer. *)
let reason = function
  | Follows -> "follows"
  | Wider -> "wider"
  | One_cause -> "one_cause"
  | One_hole -> "one_hole"

(* The most merged errors in an answer. *)
let most_merged = 50

(* The answer's fields. *)
let said ?(blame = "") (counted : counted) =
  let merged = List.filteri (fun i _ -> i < most_merged) counted.merged in
  string_of_int counted.count
  :: Printf.sprintf "%.6f" counted.fraction
  :: blame
  :: Netstring.encode_all
       (List.concat_map (fun (why, report) -> [ reason why; shortened report ]) merged)
  :: List.map shortened counted.reports

(* The text of the candidate locations; empty if the compiler fails. *)
let blamed env program =
  match Blame.text (Blame.places env program) with
  | text -> Type_items.reset (); text
  | exception _ -> Type_items.stale := true; Type_items.reset (); ""

(* Limits on the number of errors in code and in tests. *)
let most_of_code, most_of_tests = (20, 60)

(* The report of code, with the errors that [tests] find besides; [failed] is the first error if
   known.  Candidates are searched with [blame].  [given] ranges do not count in the fraction. *)
let of_code ?failed ?(tests = []) ?(blame = false) ?given ~uses ~env program =
  Without_warnings.run @@ fun () ->
  let tests = match tests with [] -> None | tests -> Some (tests, uses, most_of_tests) in
  let uses = Names.Set.empty in
  let counted = structure ?failed ?tests ?given ~bound:most_of_code ~uses ~env program in
  said ~blame:(if blame then blamed env program else "") counted

(* The report of tests: errors count once per entry point. *)
let of_tests ?failed ~uses ~env tests =
  Without_warnings.run @@ fun () ->
  said (structure ?failed ~bound:most_of_tests ~uses ~env tests)

(* The locations of a program's errors, except unbound names. *)
let places ~env program =
  Without_warnings.run @@ fun () ->
  Level_compat.kept @@ fun () ->
  Typing_compat.forget_names ();
  let state = starting ~cascade:(Followups.start ()) ~bound:most_of_code ~uses:Names.Set.empty in
  let found () =
    match Type_items.attempt env program with
    | Typed _ -> []
    | Failed failure ->
      ignore (repair state env program failure);
      List.filter (fun hole -> not hole.missing) (mistakes state env program)
  in
  let found = match found () with found -> found | exception _ -> Type_items.stale := true; [] in
  Type_items.reset ();
  List.map (fun hole -> hole.at) found
