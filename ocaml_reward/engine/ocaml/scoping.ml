open Parsetree
module Map = Names.Map

type env = {
  values : (int * bool) Map.t;  (* and whether it may be of many types at once *)
  modules : (int * env option) Map.t;  (* and what is in it, where that is known *)
  layers : layer Map.t;  (* what has been opened or included *)
  unknown : int;  (* what was bound before may be shadowed by anything *)
}

and layer = {
  at : int;
  has_value : string -> bool;
  has_module : string -> bool;
  inside : env option;  (* of a module of the code's own *)
}

type t = {
  labels : Names.Set.t;
  named : Names.Set.t;
  mutable now : int;
  mutable scope : env;
  mutable defined : env;
  mutable content : env option;
  mutable asked : env option;
  mutable promised : env option;
}

let nothing = { values = Map.empty; modules = Map.empty; layers = Map.empty; unknown = 0 }

let create ~labels ~named =
  { labels; named; now = 0; scope = nothing; defined = nothing; content = None; asked = None;
    promised = None }

(* ---- looking up --------------------------------------------------------------------- *)

(* The latest that has a name: since when, and what it is if it is the code's own. *)
let latest select has env name =
  let bound =
    match Map.find_opt name (select env) with
    | Some (since, what) when since > env.unknown -> Some (since, Some what)
    | _ -> None
  in
  let later _ layer best =
    match best with
    | _ when layer.at < env.unknown || not (has layer name) -> best
    | Some (since, _) when since > layer.at -> best
    | _ ->
      let what env = Option.map snd (Map.find_opt name (select env)) in
      Some (layer.at, Option.bind layer.inside what)
  in
  Map.fold later env.layers bound

let latest_module env = latest (fun env -> env.modules) (fun layer -> layer.has_module) env

let value env name =
  Option.bind (latest (fun env -> env.values) (fun layer -> layer.has_value) env name) snd

let modul env name = Option.bind (latest_module env name) snd

let names path = match Longident.flatten path with names -> Some names | exception _ -> None

let rec content env = function
  | [] -> Some env
  | name :: rest -> Option.bind (Option.join (modul env name)) (fun env -> content env rest)

let is_own t path =
  match Option.map List.rev (names path) with
  | Some (name :: prefix) ->
    Option.fold ~none:false
      ~some:(fun env -> value env name <> None)
      (content t.scope (List.rev prefix))
  | _ -> false

let foreign t ~absent names =
  let rec from env = function
    | [] -> []
    | name :: rest -> (
      match Option.bind env (fun env -> modul env name) with
      | Some (Some _ as content) -> from content rest
      | Some None when absent name -> from None rest
      | _ -> name :: from None rest)
  in
  from (Some t.scope) names

let is_promised t name =
  Option.fold ~none:false ~some:(fun env -> value env name <> None) t.promised

let rec general t e =
  match e.pexp_desc with
  | Pexp_ident { txt = Longident.Lident name; _ } ->
    Option.value ~default:(Names.Set.mem name t.named) (value t.scope name)
  | Pexp_apply _ | Pexp_constant _ -> false
  | Pexp_constraint (e, _) -> general t e
  | Pexp_tuple _ -> List.exists (general t) (Compat.tuple e)
  | Pexp_field (e, { txt; _ }) ->
    List.exists (fun name -> Names.Set.mem name t.labels) (Compat.components txt)
    || general t e
  | _ -> true

(* ---- binding ------------------------------------------------------------------------ *)

let scoped t f =
  let outside = t.scope in
  f ();
  t.scope <- outside

(* [item] is for what the structure hands on. *)
let change ?(item = false) t change =
  t.now <- t.now + 1;
  t.scope <- change t.scope;
  if item then t.defined <- change t.defined

let bind_value ?item t general name =
  change ?item t (fun env -> { env with values = Map.add name (t.now, general) env.values })

let bind_module ?item t content name =
  let bind name =
    change ?item t (fun env -> { env with modules = Map.add name (t.now, content) env.modules })
  in
  Option.iter bind name

let bind ?item t ~general p =
  let default = Ast_iterator.default_iterator in
  let general = ref general in
  let within more f =
    let outside = !general in
    general := outside || more;
    f ();
    general := outside
  in
  let pat self p =
    match p.ppat_desc with
    | Ppat_var { txt; _ } -> bind_value ?item t !general txt
    | Ppat_alias (p, { txt; _ }) ->
      bind_value ?item t !general txt;
      self.Ast_iterator.pat self p
    | Ppat_unpack { txt; _ } -> bind_module ?item t None txt
    | Ppat_record (fields, _) ->
      let field ((label : Longident.t Location.loc), p) =
        let names = Compat.components label.txt in
        within
          (List.exists (fun name -> Names.Set.mem name t.labels) names)
          (fun () -> self.Ast_iterator.pat self p)
      in
      List.iter field fields
    | Ppat_constraint (p, { ptyp_desc = Ptyp_poly _; _ }) ->
      within true (fun () -> self.Ast_iterator.pat self p)
    | _ -> default.pat self p
  in
  let iterator = { default with pat; typ = (fun _ _ -> ()); attributes = (fun _ _ -> ()) } in
  iterator.pat iterator p

let forget ?item t = change ?item t (fun env -> { env with unknown = t.now })

(* Of no more layers a lookup asks. *)
let most_layers = 32

let libraries = Hashtbl.create 16

let library path =
  let key = String.concat "." (Compat.components path) in
  match Hashtbl.find_opt libraries key with
  | Some known -> known
  | None ->
    let known =
      match Names.known (Some path) with
      | known -> Some known
      | exception _ -> None
    in
    Hashtbl.add libraries key known;
    known

(* Is a name at the root of a path that of a library's unit? *)
let is_free env name =
  (not (Map.mem name env.modules))
  && env.unknown = 0
  && Map.for_all (fun _ layer -> not (layer.has_module name)) env.layers

(* What opening a path brings, under a key of its own. *)
let layer t path =
  match names path with
  | Some (root :: _ as names) -> (
    let key = String.concat "." names in
    if is_free t.scope root then
      Option.map
        (fun (known : Names.t) ->
          ( key,
            { at = t.now;
              has_value = (fun name -> Names.Set.mem name known.values);
              has_module = (fun name -> Names.Set.mem name known.modules);
              inside = None } ))
        (library path)
    else
      match content t.scope names with
      | Some ({ values; modules; layers; unknown = 0 } as env) when Map.is_empty layers ->
        (* One that an open has brought is another one than that of its name outside. *)
        let since = Option.fold ~none:0 ~some:fst (latest_module t.scope root) in
        Some
          ( Printf.sprintf "%s/%d" key since,
            { at = t.now;
              has_value = (fun name -> Map.mem name values);
              has_module = (fun name -> Map.mem name modules);
              inside = Some env } )
      | _ -> None)
  | _ -> None

let put ?item t path =
  t.now <- t.now + 1;
  match layer t path with
  | Some (key, layer) when Map.cardinal t.scope.layers < most_layers ->
    let layer = { layer with at = t.now } in
    change ?item t (fun env -> { env with layers = Map.add key layer env.layers })
  | _ -> forget ?item t

let opening t m =
  match m.pmod_desc with Pmod_ident { txt; _ } -> put t txt | _ -> forget t

let including t m =
  match m.pmod_desc with Pmod_ident { txt; _ } -> put ~item:true t txt | _ -> forget ~item:true t
