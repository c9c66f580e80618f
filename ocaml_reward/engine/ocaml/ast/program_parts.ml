(* Program parts (definitions and statements) with their dependencies, and the scope while they
   are read. *)

open Parsetree
open Scope
module Set = Names.Set
module Ints = Stdlib.Set.Make (Int)

(* A definition or statement at the top level or in a module, or a local definition or a statement
   in a body. *)
type part = {
  id : int;
  start : int;  (* in bytes, without the parts inside it *)
  stop : int;
  mutable names : Names.Set.t;  (* the names that it defines *)
  mutable needs : Ints.t;
  mutable has_effect : bool;  (* evaluating it may mutate or raise *)
  mutable has_state : bool;  (* it defines a mutable value *)
}

(* Nested so deeply that the stack could overflow. *)
exception Too_deep

(* The deepest nesting. *)
let deepest = 4_000

type state = {
  mutable found : part list;  (* last first *)
  mutable count : int;
  mutable depth : int;
  mutable scope : Scope.t;
  mutable current : part;
  mutable effects : Purity.t;  (* the effects noted since [evaluated] was called *)
  mutable own_uses : int;  (* the number of uses of the program's own values *)
  mutable children : int list;  (* the parts of the current structure *)
  mutable text_length : int;  (* the approximate length of the text of [values_inside] *)
}

(* A part that defines nothing. *)
let made id ~start ~stop needs =
  { id; start; stop; names = Set.empty; needs; has_effect = false;
    has_state = false }

(* The state before the program is read. *)
let create () =
  Scope.merged := 0;
  let program = made 0 ~start:0 ~stop:0 Ints.empty in
  { found = [ program ]; count = 1; depth = 0; scope = Scope.empty; current = program;
    effects = Purity.pure; own_uses = 0; children = []; text_length = 0 }

(* The first byte of a location. *)
let start_of (l : Location.t) = l.loc_start.pos_cnum

(* The byte after the last one of a location. *)
let stop_of (l : Location.t) = l.loc_end.pos_cnum

(* A new part inside the current one. *)
let part s start stop =
  let p = made s.count ~start ~stop (Ints.singleton s.current.id) in
  s.count <- s.count + 1;
  s.found <- p :: s.found;
  p

(* Adds these parts to what the current part needs. *)
let need s ids = List.iter (fun id -> s.current.needs <- Ints.add id s.current.needs) ids

(* Notes that the current part evaluates what has these effects. *)
let note s what = s.effects <- Purity.join s.effects what

(* Runs [f] and returns the effects noted meanwhile. *)
let evaluated s f =
  let before = s.effects in
  s.effects <- Purity.pure;
  f ();
  let found = s.effects in
  s.effects <- before;
  found

(* Runs [f] with another current part and returns the effects noted meanwhile. *)
let in_part s p f =
  let outer = s.current in
  s.current <- p;
  let found = evaluated s f in
  s.current <- outer;
  found

(* Runs [f] and restores the scope. *)
let scoped s f =
  let outer = s.scope in
  f ();
  s.scope <- outer

(* Runs [f] one level deeper.  Raises Too_deep. *)
let deeper s f =
  s.depth <- s.depth + 1;
  if s.depth > deepest then raise Too_deep;
  f ();
  s.depth <- s.depth - 1

(* Adds a name to the scope. *)
let bind s kind name meaning = s.scope <- Scope.add (key kind name) meaning s.scope

(* Whether a pattern is a variable, with or without a type. *)
let rec is_name p =
  match p.ppat_desc with
  | Ppat_var _ -> true
  | Ppat_constraint (p, _) -> is_name p
  | _ -> false

(* Adds the names of a pattern that matches [value] to the scope. *)
let bind_pattern ?(top = false) s parts pattern value =
  let doing = (if is_name pattern then Purity.named else Purity.part) ~top value in
  Set.iter (fun name -> bind s Value name (at parts doing)) (Names.pattern_names pattern);
  let bind_module name = bind s Module name (at parts Purity.unknown) in
  Set.iter bind_module (Names.pattern_modules pattern)

(* The effect of calling a parameter. *)
let parameter = { Purity.pure with later = Calls_argument }

(* Uses a name and returns the effect of calling it. *)
let use ?(whole = false) s kind path =
  match find kind path s.scope with
  | Own m ->
    if kind = Value then s.own_uses <- s.own_uses + 1;
    need s (if whole then m.whole else m.parts);
    m.doing
  | Within ids -> need s ids; Purity.unknown
  | Missing ->
    (* Modules are not assumed to come from unknown opened modules: each in a row of modules
       would need the one before. *)
    if kind <> Module && List.compare_length_with path 1 = 0 then
      Option.iter (fun m -> need s m.parts) (Names.Map.find_opt elsewhere s.scope.all);
    if kind = Value then Purity.of_library path else Purity.pure

(* Uses a name. *)
let used ?whole s kind ({ txt; _ } : Longident.t Location.loc) =
  ignore (use ?whole s kind (Path_compat.components txt))

(* Brings the contents of an opened or included module into scope. *)
let spread s ~own p = function
  | Some { parts; inside = Some inside; whole; _ } -> (
    match Scope.spread ~own ~way:(p.id :: parts) inside s.scope with
    | Some scope -> s.scope <- scope
    | None ->
      s.scope <- Scope.add ~own elsewhere (at (p.id :: whole) Purity.unknown) s.scope)
  | found ->
    let whole = match found with Some { whole; _ } -> whole | None -> [] in
    s.scope <- Scope.add ~own elsewhere (at (p.id :: whole) Purity.unknown) s.scope

(* A limit on the text of paths of values in modules: a module can have any number of aliases and
   levels. *)
let most_text = 200_000

(* Adds a part for each value in a module, by its path. *)
let rec values_inside s way m path =
  let member key each =
    let name = String.length key - 1 in
    let cost = String.length path + name + (8 * (Ints.cardinal way + List.length each.parts)) in
    if s.text_length + cost <= most_text then begin
      s.text_length <- s.text_length + cost;
      let path = path ^ "." ^ String.sub key 1 name in
      let way = Ints.union way (Ints.of_list each.parts) in
      match key.[0] with
      | 'v' ->
        let p = part s 0 0 in
        p.names <- Set.singleton path;
        p.needs <- way
      | 'm' -> values_inside s way each path
      | _ -> ()
    end
  in
  Option.iter (Names.Map.iter member) m.inside
