(* Scopes: maps names to the program parts that define them. *)

module Map = Names.Map

type kind = Value | Module | Type | Member | Module_type | Class

(* The key of a name. *)
let key kind name =
  (match kind with
   | Value -> "v"
   | Module -> "m"
   | Type -> "t"
   | Member -> "c"  (* a constructor or a label *)
   | Module_type -> "s"
   | Class -> "k")
  ^ name

type meaning = {
  parts : int list;
  whole : int list;
  doing : Purity.t;
  inside : meaning Names.Map.t option;
}

(* The key of unknown modules that are opened or included; any undefined name may come from
   them. *)
let elsewhere = "*"

(* The meaning of a name that these parts define. *)
let at parts doing = { parts; whole = parts; doing; inside = None }

(* The meaning of a member, reached through the parts [way]. *)
let through way m = { m with parts = way @ m.parts; whole = way @ m.whole }

(* The names in scope, and those defined by the structure that is being read. *)
type t = { all : meaning Names.Map.t; own : meaning Names.Map.t }

(* No names. *)
let empty = { all = Map.empty; own = Map.empty }

(* Adds a name to a scope; [own]: the structure that is being read defines it. *)
let add ?(own = true) key meaning scope =
  {
    all = Map.add key meaning scope.all;
    own = (if own then Map.add key meaning scope.own else scope.own);
  }

(* Limit on the cost of merging scopes; beyond it contents are unknown. *)
let most_merged = 200_000

(* The cost so far; 0 at the start of a program. *)
let merged = ref 0

(* Adds the contents of a module to a scope; None if that costs too much. *)
let spread ~own ~way inside scope =
  let cost = 1 + List.length way in
  if !merged <= most_merged then
    Map.iter (fun _ m -> merged := !merged + cost + List.length m.parts) inside;
  if !merged > most_merged then None
  else Some (Map.fold (fun key m scope -> add ~own key (through way m) scope) inside scope)

type found =
  | Own of meaning
  | Within of int list  (* in one of these parts *)
  | Missing

(* Looks up [path], a list of names the last of which is of [kind]. *)
let find kind path { all; _ } =
  let unknown way inside =
    match Map.find_opt elsewhere inside with
    | Some { parts; _ } -> Within (parts @ way)
    | None -> Within way
  in
  let rec go way inside = function
    | [] -> Within way
    | [ name ] -> (
      match Map.find_opt (key kind name) inside with
      | Some m -> Own (through way m)
      | None -> unknown way inside)
    | name :: rest -> (
      match Map.find_opt (key Module name) inside with
      | Some { parts; inside = Some inside; _ } -> go (parts @ way) inside rest
      | Some { whole; _ } -> Within (whole @ way)
      | None -> unknown way inside)
  in
  match path with
  | [] -> Within []
  | [ name ] -> (
    match Map.find_opt (key kind name) all with Some m -> Own m | None -> Missing)
  | root :: rest -> (
    match Map.find_opt (key Module root) all with
    | Some { parts; inside = Some inside; _ } -> go parts inside rest
    | Some { whole; _ } -> Within whole
    | None -> Missing)
