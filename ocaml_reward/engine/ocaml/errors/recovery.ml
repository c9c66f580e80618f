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
  mutable merged : (Holes.merged * string) list;  (* errors that are none of their own, newest first *)
  mutable causes : Location.t list;  (* what else was found to be wrong instead *)
  mutable alone : Location.t list;  (* wrong expressions that are typed by themselves *)
  mutable blamed : Location.t list;  (* what is wrong whatever stands around it *)
  mutable stubs : Names.Set.t;  (* values that are missing *)
  mutable before : (structure_item * Env.t) list;  (* what each item was typed in *)
  mutable reached : (Location.t * Env.t) list;  (* from where on it can be typed anew *)
  mutable closed : bool;  (* no value so far has a type that later items may change *)
  cascade : Followups.t;
  mutable work : int;  (* how much text may still be typed again *)
  mutable hopeless : Location.t -> Location.t -> bool;  (* an error that ends the count *)
  mutable gave_up : bool;  (* there may be more errors than anyone knows *)
}

let of_tests state = not (Names.Set.is_empty state.uses)

let place hole = hole.loc

(* Whether what an error is about is wrong itself, whatever stands around it: with a hole in
   its place, all else has the type that it should have. *)
let is_sure (failure : Type_items.failure) =
  Type_items.unbound failure.words <> None || Followups.is_sure failure.words

let note state (failure : Type_items.failure) kind loc names =
  if state.hopeless failure.at loc then state.gave_up <- true;
  let names, missing =
    match Type_items.unbound failure.words with
    | None -> (names, false)
    | Some (_, path) ->
      (* What is not there is what the error is about, whatever stands around it. *)
      let said = Names.Set.of_list (String.split_on_char '.' path) in
      let named = Names.Set.inter said names in
      ((if Names.Set.is_empty named then names else named), true)
  in
  let { Type_items.at; report; _ } = failure in
  let sure = is_sure failure in
  state.found <- { kind; loc; at; report; names; missing; sure } :: state.found

(* What an item keeps may be wrong just as it was.  No two without words are the same. *)
let is_known state (failure : Type_items.failure) =
  failure.report <> ""
  && List.exists (fun hole -> same hole.at failure.at && hole.report = failure.report) state.found

(* An item is tried a second time, with nothing left of it. *)
let used_up ((kind, _) as node) tried =
  match List.filter (( = ) node) tried with [] -> false | [ _ ] -> kind <> Item | _ -> true

(* The smallest node around an error that was no hole yet; in tests, the smallest that
   mentions an entry point. *)
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
let counted state =
  let found = List.rev state.found in
  if of_tests state then outermost found else distinct found

(* More errors may count, and there is time left. *)
let going state =
  let found = List.length state.found in
  (not state.gave_up)
  && (found < state.bound
     || found < 3 * state.bound && List.length (counted state) < state.bound)

(* About two hundred times an item of usual size: a bound that knows no clock, so that the
   count is the same on any machine. *)
let all_work = 4_000_000

let spend state item =
  state.work <- state.work - 20_000 - size item.pstr_loc;
  if state.work < 0 then state.gave_up <- true

let is_twice words = match words with "Multiple" :: "definition" :: _ -> true | _ -> false

(* [env] with values of those names and any type. *)
let stubbed env names loc =
  if Names.Set.is_empty names then env
  else
    match Type_items.undo env [ hole_values loc names ] with Typed left -> left | Failed _ -> env

(* [env] with the type that nobody knows. *)
let with_lost env =
  match Type_items.undo env [ lost_type ] with Typed left -> left | Failed _ -> env

(* The environment in which an item was typed. *)
let env_of state item =
  let with_holes env = with_lost (stubbed env state.stubs item.pstr_loc) in
  Option.map with_holes (List.assq_opt item state.before)

(* What a hole leaves of an expression: nothing where one in it has not helped, or of what
   tests use, which is whole in itself. *)
let left state (failure : Type_items.failure) (kind, loc) tried item =
  let is_wider (_, other) = inside failure.at other && inside other loc in
  if kind <> Expression || of_tests state || List.exists is_wider tried then Hole_contents.Nothing
  else Hole_contents.left ~again:(List.mem loc state.alone) failure loc item

(* A value that breaks its structure's signature. *)
let promise state (failure : Type_items.failure) item tried =
  match Signature_errors.broken failure.words with
  | Some name when not (of_tests state) -> (
    match Signature_errors.kept failure.words name failure.at item with
    | Some { place; _ } when List.mem (Component, place) tried -> None
    | found -> found)
  | _ -> None

(* The environment that [item] leaves once its errors are holes; [failure] is its first. *)
let rec repaired state env item tried failure =
  match failure with
  | None -> state.gave_up <- true; env
  | Some (failure : Type_items.failure) -> (
    let words = failure.words in
    let promise = promise state failure item tried in
    let kind, loc, names =
      match promise with
      | Some { Signature_errors.place; _ } -> (Component, place, Names.Set.empty)
      | None -> chosen state failure.at item tried
    in
    let failure = if promise = None then failure else { failure with at = loc } in
    let holes = List.map snd tried @ List.map place state.found @ state.causes in
    let linked = match promise with Some { linked; _ } -> linked | None -> false in
    if not (is_known state failure || linked) then begin
      if Followups.follows state.cascade ~of_tests:(of_tests state) ~holes item failure words then
        state.merged <- (Follows, failure.report) :: state.merged
      else note state failure kind loc names
    end;
    spend state item;
    if is_sure failure then state.blamed <- loc :: state.blamed;
    let unsure = List.filter (fun at -> not (List.mem at state.blamed)) in
    (* [after] hears whether what is before the end of [loc] has typed. *)
    let again ?(after = ignore) env item tried =
      let holes = List.filter (fun at -> inside at item.pstr_loc) (List.map place state.found) in
      let holes = unsure (List.map snd tried @ holes) in
      match Type_items.undo env [ Hole_types.inner holes item ] with
      | Typed left ->
        after true;
        stubbed left (Hole_types.values holes item) item.pstr_loc
      | Failed failure ->
        after (match failure with Some next -> is_after next.at loc | None -> false);
        repaired state env item tried failure
    in
    let hole () =
      let without = without_uses (Type_items.unbound words) item in
      let node = (kind, loc) in
      Followups.unnamed state.cascade node item words;
      let take kept = Followups.hole state.cascade ~kept node item in
      let entirely = is_twice words || List.mem node tried in
      let left = left state failure node tried without in
      let hole = Hole_contents.hole left in
      match replace ~entirely ~hole node [ without ] with
      | item :: _ when (match left with Itself -> true | _ -> false) ->
        state.alone <- loc :: state.alone;
        again ~after:take env item tried
      | item :: _ when not (used_up node tried) ->
        again ~after:take (if kind = Declared then with_lost env else env) item (node :: tried)
      | _ -> take false; env
    in
    if not (going state) then env
    else
      match (promise, Type_items.unbound words) with
      | Some { item; _ }, _ -> again env item ((kind, loc) :: tried)
      | None, Some ("value", name) when not (of_tests state || String.contains name '.') -> (
        match Edits.with_rec name failure.at item with
        | Some item -> again env item tried
        | None ->
          (* It is there from now on: none of its uses stops the typing again. *)
          state.stubs <- Names.Set.add name state.stubs;
          let there = stubbed env (Names.Set.singleton name) loc in
          if there == env then hole () else again there item tried)
      | _ -> hole ())

(* What may stand only once in a structure: one item that defines such a name again. *)
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

(* Whether no later item can change the types of what an item defines. *)
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

(* Where the typing of a changed program may start: as long as no types are open. *)
let reach state item env =
  state.before <- (item, env) :: state.before;
  if state.closed then state.reached <- (item.pstr_loc, env) :: state.reached;
  state.closed <- state.closed && is_closed item

(* [earlier]: the names that the items before have defined. *)
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

(* The first definition of a name stands, so that there are no two types of one name. *)
and settled state env item = function
  | Type_items.Typed left -> left
  | Failed (Some failure) when is_twice failure.words -> (
    match Type_items.undo env [ item ] with
    | Failed (Some within) when is_twice within.words ->
      repaired state env item [] (Some within)
    | alone ->
      note state failure Item item.pstr_loc Names.Set.empty;
      ignore (settled state env item alone);
      Followups.hole state.cascade ~kept:false (Item, item.pstr_loc) item;
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
    (* No item of its own: the structure as a whole. *)
    Option.iter (fun (f : Type_items.failure) -> note state f Item f.at Names.Set.empty) failure;
    env

(* At most [bound] errors; [uses] are the entry points, for tests. *)
let starting ~cascade ~bound ~uses =
  { bound; uses; found = []; merged = []; causes = []; alone = []; blamed = []; stubs = Names.Set.empty; before = []; reached = []; closed = true;
    cascade; work = all_work; hopeless = (fun _ _ -> false); gave_up = false }
