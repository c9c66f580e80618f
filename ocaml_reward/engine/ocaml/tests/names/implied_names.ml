(* Finds names of the standard library that tests take from the code ([Queue.to_list]), if there
   is neither a signature nor a reference: those without which the tests do not type-check. *)

open Parsetree
module Set = Names.Set

(* The values and modules that an item defines. *)
let defined_in i = Names.values_and_modules (Names.defined [ i ])

(* The values and modules that an item uses. *)
let needs i = Names.values_and_modules (Free_names.names [ i ])

(* The item with the [earlier] items that it needs.
   (sauravbhattacharya001/Ocaml-sample-code frp.ml) *)
let with_what_it_needs earlier item =
  let only_names i =
    match i.pstr_desc with
    | Pstr_value _ | Pstr_eval _ | Pstr_module _ -> true
    | _ -> false
  in
  let keep (wanted, kept) i =
    if only_names i && Set.disjoint (defined_in i) wanted then (wanted, kept)
    else (Set.union (needs i) wanted, i :: kept)
  in
  snd (List.fold_left keep (needs item, [ item ]) earlier)

(* The state after an item, typed after the previous ones with holes for the code's names; None if
   it does not type. *)
let typed (names, env) item =
  let names, items = Holes_for_names.item names item in
  match Type_items.undo env items with
  | Type_items.Typed env -> Some (names, env)
  | Failed _ -> None

(* The fewest names without which an item does not type, whatever the code defines; none of
   [never]. (sauravbhattacharya001/Ocaml-sample-code frp.ml) *)
let of_tests ~never ~(uses : Names.t) structure =
  let standard = Names.standard () in
  let unknown = Set.union uses.values (Set.union uses.modules Ounit_suites.ounit_modules) in
  let shared = Set.diff (Set.union standard.values standard.modules) never in
  let of_library items = Set.inter (Names.mentioned items) shared in
  let lost = Type_items.attempt (Lazy.force Names.env) [ Nodes.lost_type ] in
  let env = match lost with Typed env -> env | Failed _ -> Lazy.force Names.env in
  let start implied = (Holes_for_names.start (Set.union unknown implied) structure, env) in
  let skipping state item = Option.value ~default:state (typed state item) in
  let types implied items =
    let step state item = Option.bind state (fun state -> typed state item) in
    List.fold_left step (Some (start implied)) items <> None
  in
  (* The fewest names without which the item does not type; none if it does not type with all.
     (janestreet/learn-ocaml-workshop 02-exercises/05-twice/problem.ml) *)
  let needed earlier implied item =
    let items = with_what_it_needs earlier item in
    let all = Set.union implied (of_library items) in
    if not (types all items) then implied
    else
      let without name kept =
        let fewer = Set.remove name kept in
        if Set.mem name implied || not (types fewer items) then kept else fewer
      in
      (* An operator beside a module is the code's less often than the module. *)
      let operators, others = Set.partition Names.is_operator all in
      Set.fold without others (Set.fold without operators all)
  in
  let step (state, earlier, implied) item =
    match typed state item with
    | Some state -> (state, item :: earlier, implied)
    | None ->
      let more = needed earlier implied item in
      let state =
        if Set.equal more implied then state
        else List.fold_left skipping (start more) (List.rev (item :: earlier))
      in
      (state, item :: earlier, more)
  in
  match List.fold_left step (start Set.empty, [], Set.empty) structure with
  | _, _, implied ->
    Type_items.reset ();
    let values, modules = Set.partition (fun name -> Set.mem name standard.values) implied in
    { Names.empty with values; modules }
  | exception _ -> Names.empty
