open Parsetree
open Values
module Map = Names.Map

type cell = {
  mutable value : Values.t;
  mutable takes : Values.t list;
  mutable driven : bool;
  mutable acts : bool;
  sources : cell list;
  arity : int;
  omits : bool;
  outlives : bool;
  alias : (string list * Types.type_expr) option;
}

type env = {
  names : (cell * int) Map.t;
  opens : (string list * int) list;
  blind : int;
  now : int;
  own : string list;
  within : cell list;
  driven : bool;
  asking : bool;
}

let empty =
  { names = Map.empty; opens = []; blind = 0; now = 0; own = []; within = []; driven = false;
    asking = false }

exception Lost

type state = {
  cells : (int * int * string, cell) Hashtbl.t;
  mutable changed : bool;
  mutable depth : int;
  mutable steps : int;
  mutable prints : bool;
  mutable acting : bool;
  mutates : bool;
  methods : Names.Set.t;
  mutable local_module : state -> env -> string -> module_expr -> env option;
  unknown : Values.t;
  mutable works : bool;
  mutable reads : bool;
  whole : bool;
  mutable layer : string;
}

let start ?(unknown = Made) ?(whole = false) program =
  let mutates, methods = Looking.over program in
  { cells = Hashtbl.create 64; changed = false; depth = 0; steps = 0; prints = false;
    acting = false; mutates; methods; local_module = (fun _ _ _ _ -> None); unknown;
    works = false; reads = false; whole; layer = "" }

let most_steps = 100_000

let step s =
  s.steps <- s.steps + 1;
  if s.steps > most_steps then raise Lost

let raise_to s cell value =
  let joined = join cell.value value in
  if joined <> cell.value then (s.changed <- true; cell.value <- joined)

let act s = s.acting <- true

let print s =
  act s;
  s.prints <- true

let rec joined_to takes ~rest values =
  match (takes, values) with
  | [], _ -> []
  | first :: takes, [] -> join first rest :: joined_to takes ~rest []
  | first :: takes, value :: values -> join first value :: joined_to takes ~rest values

let offer s cell ~driven ?(rest = Made) values =
  let joined = joined_to cell.takes ~rest values and driven = cell.driven || driven in
  if joined <> cell.takes || driven <> cell.driven then begin
    s.changed <- true;
    cell.takes <- joined;
    cell.driven <- driven
  end

let take s cell ~driven ?rest values =
  if cell.acts then act s;
  offer s cell ~driven ?rest values

let apart s ~top f =
  let outer = s.acting in
  let found = f () in
  s.acting <- outer || (s.acting && not top);
  found

let rec variable p =
  match p.ppat_desc with
  | Ppat_var { txt; loc } -> Some (txt, loc)
  | Ppat_constraint (p, _) -> variable p
  | _ -> None

let kept env pattern value =
  match variable pattern with
  | Some (name, _) when value <> Never -> join value (fst (Map.find name env.names)).value
  | _ -> value

(* Who defines a function has not called it. *)
let heard s cell hear =
  s.acting <- cell.acts;
  hear cell.value;
  s.acting <- false

let attributed s cell value hear =
  (* In a program that runs by itself, what nobody calls is not done. *)
  if not (s.whole && List.for_all (( = ) Never) cell.takes) then raise_to s cell (value ());
  if s.acting && not cell.acts then (cell.acts <- true; s.changed <- true);
  heard s cell hear

let key (loc : Location.t) name = (loc.loc_start.pos_cnum, loc.loc_end.pos_cnum, name)

let cell s ?(arity = 0) ?(omits = false) ?(outlives = true) ?(sources = []) ?alias loc name =
  let key = key loc (if loc = Location.none then name else s.layer ^ name) in
  match Hashtbl.find_opt s.cells key with
  | Some found -> found
  | None ->
    let takes = List.init arity (fun _ -> Never) in
    let made =
      { value = Never; takes; driven = false; acts = false; sources; arity; omits; outlives; alias }
    in
    Hashtbl.add s.cells key made;
    made

let bind env name cell =
  let now = env.now + 1 in
  { env with names = Map.add name (cell, now) env.names; now }

let is_library env path =
  (not (List.mem (List.hd path) env.own)) && Library.has_module path

let opening env m =
  let now = env.now + 1 in
  match m.pmod_desc with
  | Pmod_ident { txt; _ } when is_library env (Compat.components txt) ->
    { env with opens = (Compat.components txt, now) :: env.opens; now }
  | _ -> { env with blind = now; now }

type meaning = Own of cell | Standard of string list * Types.type_expr | Unknown

let meaning env path =
  let known = Map.find_opt (String.concat "." path) env.names in
  let since = match known with Some (_, since) -> since | None -> 0 in
  let opened (m, at) =
    if at < since then None
    else Option.map (fun t -> Standard (m @ path, t)) (Library.type_of (m @ path))
  in
  if env.blind > since then Unknown
  else
    match (List.find_map opened env.opens, known) with
    | Some found, _ -> found
    | None, Some ({ alias = Some (path, t); _ }, _) -> Standard (path, t)
    | None, Some (cell, _) -> Own cell
    | None, None -> (
      if List.mem (List.hd path) env.own then Unknown
      else match Library.type_of path with Some t -> Standard (path, t) | None -> Unknown)

let identifier env e =
  match e.pexp_desc with
  | Pexp_ident { txt; _ } -> Some (meaning env (Compat.components txt))
  | _ -> None

let take_up s v = if is_made v then s.works <- true

let of_unknown s env e =
  match e.pexp_desc with
  (* A module that was opened may have hidden it, or not. *)
  | Pexp_ident { txt; _ } when not (Map.mem (String.concat "." (Compat.components txt)) env.names)
    -> s.unknown
  | _ -> Made

let mentioned s env e =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    step s;
    (match identifier env e with Some (Own cell) -> found := cell :: !found | _ -> ());
    default.expr self e
  in
  let iterator = { default with expr } in
  iterator.expr iterator e;
  !found

let assigned s value cell =
  let rec go past cell =
    if List.memq cell past then past
    else (raise_to s cell value; List.fold_left go (cell :: past) cell.sources)
  in
  ignore (go [] cell)

let rec same env a b =
  match (a.pexp_desc, b.pexp_desc) with
  | Pexp_constraint (a, _), _ -> same env a b
  | _, Pexp_constraint (b, _) -> same env a b
  | Pexp_ident _, Pexp_ident _ -> (
    match (identifier env a, identifier env b) with
    | Some (Own a), Some (Own b) -> a == b
    | Some (Standard (a, _)), Some (Standard (b, _)) -> a = b && a <> [ "!" ]
    | _ -> false)
  | Pexp_constant a, Pexp_constant b ->
    Constants.integer a <> "" && Constants.integer a = Constants.integer b
  | Pexp_apply (f, a), Pexp_apply (g, b) ->
    (match identifier env f with Some (Standard _) -> same env f g | _ -> false)
    && List.compare_lengths a b = 0
    && List.for_all2 (fun (l, a) (m, b) -> l = m && same env a b) a b
  | _ -> false

let operators =
  [ "+"; "-"; "*"; "/"; "mod"; "land"; "lxor"; "min"; "max"; "compare"; "="; "<>"; "<"; ">"; "<=";
    ">="; "=="; "!=" ]

let is_folded name = List.mem name operators

let folded env name a b (x, y) =
  match name with
  | ("-" | "lxor" | "<>" | "<" | ">" | "!=" | "compare") when same env a b -> Some (Known 0)
  | ("=" | "==" | "<=" | ">=") when same env a b -> Some (Known 1)
  | _ -> Values.folded name x y

type argument = Expression of expression | Value of Values.t

let rec plain e =
  match e.pexp_desc with
  | Pexp_constraint (e, _) | Pexp_coerce (e, _, _) | Pexp_newtype (_, e) | Pexp_poly (e, _) ->
    plain e
  | _ -> e

let rec arity e =
  match Functions.opened e with
  | Some (parameters, Body body) -> List.length parameters + arity (plain body)
  | Some (parameters, Cases _) -> List.length parameters + 1
  | None -> 0

let omits e =
  let is_optional = function Asttypes.Optional _, _ -> true | _ -> false in
  List.exists is_optional (fst (Functions.curried e))

let driven env value =
  { env with driven = env.driven || is_made value; asking = env.asking || is_made value }

let bind_pattern s ?outlives ?sources env pattern value =
  let found = Values.parts pattern value in
  List.iter
    (fun (name, part) -> raise_to s (cell s ?outlives ?sources pattern.ppat_loc name) part)
    found;
  List.fold_left
    (fun env (name, _) -> bind env name (cell s ?outlives ?sources pattern.ppat_loc name))
    env found

let lose s env e =
  let lost cell = take s cell ~driven:true []; assigned s Made cell in
  List.iter lost (mentioned s env e)

let lose_within s env visit =
  let expr _ e = lose s env e in
  visit { Ast_iterator.default_iterator with expr }

let written s ?(acts = true) env values arguments =
  let is_some_made = List.exists is_made values in
  let value =
    if (not acts) && (not env.driven) && List.for_all untouched values then
      if is_some_made then Given else Constant
    else if env.driven || is_some_made then Made
    else Constant
  in
  let write c =
    if c.arity = 0 then begin
      (* What is written into is no longer as it was given. *)
      let value' = if acts && c.value = Given then Made else value in
      (* A formatter stays what it is; what it was made of gets the text. *)
      List.iter (assigned s value') (if Outlets.is_channel c.value then c.sources else [ c ]);
      if acts && c.outlives && value = Made then act s
    end
  in
  let by = function Expression e -> List.iter write (mentioned s env e) | Value _ -> () in
  List.iter by arguments

let rec feed s env e values =
  match Functions.opened e with
  | Some (parameters, body) ->
    let rec go parameters values =
      match (parameters, values) with
      | (_, pattern) :: parameters, first :: values ->
        ignore (bind_pattern s env pattern first);
        go parameters values
      | _, values -> values
    in
    (match (body, go parameters values) with
     | Body body, (_ :: _ as values) -> feed s env (plain body) values
     | _ -> ())
  | None -> ()
