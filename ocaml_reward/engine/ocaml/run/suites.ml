(* The cases of a framework's suites as numbered checks.

   [Harness] is bound by the build: the unit's real name cannot be written in source. *)

(* The number and line of a check; -1 if it is numbered at run time. *)
type place = int * int

(* The place of a case that the tests do not write out. *)
let nowhere = (-1, 0)

(* The number of a case that can never fail. *)
let no_check = -2

(* The places of cases in the source, by identity, as the frameworks' values cannot hold them. *)
let sites : (Obj.t * place) list ref = ref []

(* The place of a case. *)
let place case =
  Option.value ~default:nowhere (List.assq_opt (Obj.repr case) !sites)

(* Notes the place of a case. *)
let note case place = sites := (Obj.repr case, place) :: !sites

(* The case, noted with its place. *)
let site index line case =
  note case (index, line);
  case

(* The value [other] with the place of a case. *)
let like case other =
  note other (place case);
  other

(* Whether a case is running. *)
let inside = ref false

(* Runs a case. *)
let run case =
  inside := true;
  case ()

(* The number of the next case made by code: these are numbered in the order they run; only if the
   tests say so, as the code could make cases, too. *)
let next = ref 0

(* Whether cases may be made by code. *)
let built = ref false

(* Has cases without a number numbered at run time. *)
let built_by_code () = built := true

(* The case with its number. *)
let numbered (path, (index, line), case) =
  if index >= 0 then (index, case)
  else if not !built then raise (Harness.Rejected "a case that the tests do not write out")
  else begin
    let index = !next in
    incr next;
    Harness.leave (Printf.sprintf "case %d %d" index line) path;
    (index, case)
  end

(* Runs each case as a check.  A case that occurs twice has one number: both runs have to pass. *)
let rec each = function
  | [] -> ()
  | (index, case) :: rest ->
    let same, rest = List.partition (fun (other, _) -> other = index) rest in
    Harness.check_case index (fun () ->
        List.iter (fun (_, case) -> run case) ((index, case) :: same));
    each rest

(* Runs the cases, with paths and places, as checks. *)
let checks cases =
  let is_one (_, (index, _), _) = index <> no_check in
  if !Harness.as_written then
    Harness.require_all (List.map (fun (_, _, case) () -> run case) cases)
  else each (List.map numbered (List.filter is_one cases));
  inside := false
