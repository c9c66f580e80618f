(* Finds all type errors. ocamlc stops at the first, so each error found becomes a hole of any
   type and its top-level item is typed again; the items after it are typed in the environment
   that it then leaves. *)

open Parsetree
open Nodes
open Holes

type state = {
  bound : int;
  uses : Names.Set.t;
  mutable found : Holes.hole list;  (* newest first *)
  mutable merged : (Holes.merged * string) list;  (* errors that do not count, newest first *)
  mutable causes : Location.t list;  (* causes found for several errors *)
  mutable alone : Location.t list;  (* wrong expressions typed without context *)
  mutable blamed : Location.t list;  (* errors that are certain in any context *)
  mutable stubs : Names.Set.t;  (* unbound values *)
  mutable before : (structure_item * Env.t) list;  (* the environment of each item *)
  mutable reached : (Location.t * Env.t) list;  (* where typing can restart *)
  mutable closed : bool;  (* no weak type variable so far *)
  cascade : Followups.t;
  mutable work : int;  (* remaining work, in bytes of text *)
  mutable hopeless : Location.t -> Location.t -> bool;  (* an error for which the count is
                                                           abandoned *)
  mutable gave_up : bool;  (* there may be more errors *)
}

(* Whether the errors are those of tests. *)
let of_tests state = not (Names.Set.is_empty state.uses)

(* The location of a hole. *)
let place hole = hole.loc

(* Whether the expression itself is wrong in any context.
   (ucsd-progsys/yunounderstand-data student03/hw2/wwhile/0012) *)
let is_sure (failure : Type_items.failure) =
  Type_items.unbound failure.words <> None || Followups.is_sure failure.words

(* Adds an error. *)
let note state (failure : Type_items.failure) kind loc names =
  if state.hopeless failure.at loc then state.gave_up <- true;
  let names, missing =
    match Type_items.unbound failure.words with
    | None -> (names, false)
    | Some (_, path) ->
      (* An unbound name is what the error is about. *)
      let said = Names.Set.of_list (String.split_on_char '.' path) in
      let named = Names.Set.inter said names in
      ((if Names.Set.is_empty named then names else named), true)
  in
  let { Type_items.at; report; _ } = failure in
  let sure = is_sure failure in
  state.found <- { kind; loc; at; report; names; missing; sure } :: state.found

(* Whether an error was found already.  Two errors without a message are never the same error.
   (janestreet/learn-ocaml-workshop 02-exercises/04-call_functions/problem.ml) *)
let is_known state (failure : Type_items.failure) =
  failure.report <> ""
  && List.exists (fun hole -> same hole.at failure.at && hole.report = failure.report) state.found

(* Whether a node was tried often enough: an item twice, the second time with nothing left of it.
   (ocaml/ocaml testsuite/tests/parsing/docstrings.ml) *)
let used_up ((kind, _) as node) tried =
  match List.filter (( = ) node) tried with [] -> false | [ _ ] -> kind <> Item | _ -> true

(* The node to replace by a hole, with the entry points that it mentions: the smallest around an
   error that is no hole yet; in tests, the smallest that mentions an entry point. *)
let chosen state at item tried =
  let fresh =
    List.filter (fun (kind, loc, _) -> not (used_up (kind, loc) tried)) (around at [ item ])
  in
  let mentioned idents = Names.Set.inter (Lazy.force idents) state.uses in
  let about (_, _, idents) = not (Names.Set.is_empty (mentioned idents)) in
  let best =
    if Names.Set.is_empty state.uses then None else List.find_opt about fresh
  in
  match (best, fresh) with
  | Some (kind, loc, idents), _ | None, (kind, loc, idents) :: _ ->
    (kind, loc, if best = None then Names.Set.empty else mentioned idents)
  | None, [] -> (Item, item.pstr_loc, Names.Set.empty)

(* The holes that count. *)
let counted state = distinct (List.rev state.found)

(* Whether to search on: more errors may count, and there is work left.
   (ucsd-progsys/nate sp14/2057) *)
let going state =
  let found = List.length state.found in
  (not state.gave_up)
  && (found < state.bound
     || found < 3 * state.bound && List.length (counted state) < state.bound)

(* The work for one program: about two hundred usual items.  It is counted, not timed, so that the
   count is the same on any machine. (kappelmann/eidi2_repetitorium_tum p8_sol.ml) *)
let all_work = 4_000_000

(* Takes an attempt at an item off the work left. *)
let spend state item =
  state.work <- state.work - 20_000 - size item.pstr_loc;
  if state.work < 0 then state.gave_up <- true

(* Whether an error is that a name is defined twice.
   (ocaml/ocaml testsuite/tests/shapes/aliases.ml) *)
let is_twice words = match words with "Multiple" :: "definition" :: _ -> true | _ -> false

(* The environment with values of any type with these names. *)
let stubbed env names loc =
  if Names.Set.is_empty names then env
  else
    match Type_items.undo env [ hole_values loc names ] with Typed left -> left | Failed _ -> env

(* The environment with [lost_type].
   (c-cube/qcheck test/ppx_deriving_qcheck/deriver/qcheck/test_qualified_names.ml) *)
let with_lost env =
  match Type_items.undo env [ lost_type ] with Typed left -> left | Failed _ -> env

(* The environment in which an item was typed; None if it was not reached. *)
let env_of state item =
  let with_holes env = with_lost (stubbed env state.stubs item.pstr_loc) in
  Option.map with_holes (List.assq_opt item state.before)

(* What is kept of an expression: nothing if a smaller hole has not helped, or in tests.
   (anwarmamat/cmsc330spring2024 examples/module/ocamlgraph/imperative_edge.ml) *)
let left state (failure : Type_items.failure) (kind, loc) tried item =
  let is_wider (_, other) = inside failure.at other && inside other loc in
  if kind <> Expression || of_tests state || List.exists is_wider tried then Hole_contents.Nothing
  else Hole_contents.left ~again:(List.mem loc state.alone) failure loc item

(* For a value that does not match its structure's signature: how to go on with one of any type.
   None for other errors. (ocaml/ocaml testsuite/tests/parsing/docstrings.ml) *)
let promise state (failure : Type_items.failure) item tried =
  match Signature_errors.broken failure.words with
  | Some name when not (of_tests state) -> (
    match Signature_errors.kept failure.words name failure.at item with
    | Some { place; _ } when List.mem (Component, place) tried -> None
    | found -> found)
  | _ -> None

(* The environment after [item] with holes; [failure] is its first error. *)
let rec repaired state env item tried failure =
  match failure with
  | None -> state.gave_up <- true; env
  | Some (failure : Type_items.failure) -> (
    let words = failure.words in
    let promise = promise state failure item tried in
    let kind, loc, names =
      match promise with
      | Some { Signature_errors.place; _ } -> (Component, place, Names.Set.empty)
      | None -> chosen state (Followups.place failure item) item tried
    in
    let failure = if promise = None then failure else { failure with at = loc } in
    let holes = List.map snd tried @ List.map place state.found @ state.causes in
    let linked = match promise with Some { linked; _ } -> linked | None -> false in
    if not (is_known state failure || linked) then begin
      if Followups.follows state.cascade ~of_tests:(of_tests state) ~holes failure words then
        state.merged <- (Follows, failure.report) :: state.merged
      else note state failure kind loc names
    end;
    spend state item;
    if is_sure failure then state.blamed <- loc :: state.blamed;
    let unsure = List.filter (fun at -> not (List.mem at state.blamed)) in
    let again env item tried =
      let holes = List.filter (fun at -> inside at item.pstr_loc) (List.map place state.found) in
      let holes = unsure (List.map snd tried @ holes) in
      match Type_items.undo env [ Hole_types.inner holes item ] with
      | Typed left -> stubbed left (Hole_types.values holes item) item.pstr_loc
      | Failed failure -> repaired state env item tried failure
    in
    let hole () =
      let without = without_uses (Type_items.unbound words) item in
      let node = (kind, loc) in
      Followups.unnamed state.cascade node item words;
      Followups.hole state.cascade node item;
      let entirely = is_twice words || List.mem node tried in
      let left = left state failure node tried without in
      let hole = Hole_contents.hole left in
      match replace ~entirely ~hole node [ without ] with
      | item :: _ when (match left with Itself -> true | _ -> false) ->
        state.alone <- loc :: state.alone;
        again env item tried
      | item :: _ when not (used_up node tried) ->
        again (if kind = Declared then with_lost env else env) item (node :: tried)
      | _ -> env
    in
    if not (going state) then env
    else
      match (promise, Type_items.unbound words) with
      | Some { item; _ }, _ -> again env item ((kind, loc) :: tried)
      | None, Some ("value", name) when not (of_tests state || String.contains name '.') -> (
        match Edits.with_rec name failure.at item with
        | Some item -> again env item tried
        | None ->
          (* The name is defined from now on, so that its other uses type. *)
          state.stubs <- Names.Set.add name state.stubs;
          let there = stubbed env (Names.Set.singleton name) loc in
          if there == env then hole () else again there item tried)
      | _ -> hole ())

(* Items that define types and modules of earlier items again, as a structure may define them only
   once: so it shows if [item] does. (ocaml/ocaml testsuite/tests/shapes/aliases.ml) *)
let stubs (earlier : Names.t) (own : Names.t) item =
  let open Ast_helper in
  let located name = Location.mkloc name item.pstr_loc in
  List.map
    (fun name -> Str.type_ Asttypes.Recursive [ Type.mk (located name) ])
    (Names.Set.elements (Names.Set.inter earlier.types own.types))
  @ List.map
      (fun name ->
        Str.module_ (Mb.mk { (located (Some name)) with txt = Some name } (Mod.structure [])))
      (Names.Set.elements (Names.Set.inter earlier.modules own.modules))

(* Whether later items cannot change the types of an item. *)
let rec is_closed item =
  let value binding =
    Function_compat.is_function binding.pvb_expr
    || Names.Set.is_empty (Names.pattern_names binding.pvb_pat)
  in
  match item.pstr_desc with
  | Pstr_value (_, bindings) -> List.for_all value bindings
  | Pstr_module { pmb_expr = { pmod_desc = Pmod_structure items; _ }; _ } ->
    List.for_all is_closed items
  | Pstr_module { pmb_expr = { pmod_desc = Pmod_functor _; _ }; _ } -> true
  | Pstr_module _ | Pstr_recmodule _ | Pstr_include _ -> false
  | _ -> true

(* Records where typing can restart: as long as no types are open. *)
let reach state item env =
  state.before <- (item, env) :: state.before;
  if state.closed then state.reached <- (item.pstr_loc, env) :: state.reached;
  state.closed <- state.closed && is_closed item

(* The environment after these items with holes for their errors.  [earlier]: names defined by
   earlier items. *)
let rec rest state env earlier = function
  | [] -> env
  | _ when not (going state) -> env
  | item :: items ->
    reach state item env;
    let own = Names.defined [ item ] in
    let outcome =
      match stubs earlier own item with
      | [] -> Type_items.undo env [ item ]
      | stubs -> (
        match Type_items.undo env (stubs @ [ item ]) with
        | Failed (Some failure) when is_twice failure.words -> Failed (Some failure)
        | _ -> Type_items.undo env [ item ])
    in
    rest state (settled state env item outcome) (Names.union earlier own) items

(* The environment after an item with holes if it failed.  The first definition of a name counts, so
   that there is one type of each name. *)
and settled state env item = function
  | Type_items.Typed left -> left
  | Failed (Some failure) when is_twice failure.words -> (
    match Type_items.undo env [ item ] with
    | Failed (Some within) when is_twice within.words ->
      repaired state env item [] (Some within)
    | alone ->
      note state failure Item item.pstr_loc Names.Set.empty;
      ignore (settled state env item alone);
      Followups.hole state.cascade (Item, item.pstr_loc) item;
      env)
  | Failed failure -> repaired state env item [] failure

(* The environment that [program] leaves with holes for its errors; [failure] is the first. *)
let repair state env program failure =
  match Type_items.stuck env program with
  | before, env, item :: items ->
    List.iter (fun (item, env) -> reach state item env) before;
    reach state item env;
    let env = settled state env item (Failed failure) in
    rest state env (Names.defined (item :: List.map fst before)) items
  | _, env, [] ->
    (* No single item: the structure as a whole. *)
    Option.iter (fun (f : Type_items.failure) -> note state f Item f.at Names.Set.empty) failure;
    env

(* The state before a search for at most [bound] errors; [uses] are the entry points, for tests. *)
let starting ~cascade ~bound ~uses =
  { bound; uses; found = []; merged = []; causes = []; alone = []; blamed = [];
    stubs = Names.Set.empty; before = []; reached = []; closed = true; cascade; work = all_work;
    hopeless = (fun _ _ -> false); gave_up = false }
