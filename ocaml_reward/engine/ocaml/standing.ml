(* What the names in scope stand for: the parts of a program that define them. *)

module Map = Names.Map

(* A name of [kind]: names of different kinds have nothing to do with each other. *)
type kind = Value | Module | Type | Member | Module_type | Class

let key kind name =
  (match kind with
   | Value -> "v"
   | Module -> "m"
   | Type -> "t"
   | Member -> "c"  (* a constructor or a label *)
   | Module_type -> "s"
   | Class -> "k")
  ^ name

(* What a name means: the parts it needs, those that it needs where it is used as a whole,
   what a call of it does and, of a module of which that is known, what is inside. *)
type meaning = {
  parts : int list;
  whole : int list;
  doing : Stillness.t;
  inside : meaning Map.t option;
}

(* Where a name is looked for that nothing defines: modules of unknown content, opened or
   included. *)
let elsewhere = "*"

let local doing = { parts = []; whole = []; doing; inside = None }

let at parts doing = { parts; whole = parts; doing; inside = None }

(* The meaning of a member, by whatever lies on the way to it. *)
let through way m = { m with parts = way @ m.parts; whole = way @ m.whole }

(* What is in scope, and what of it the structure has that is being read. *)
type t = { all : meaning Map.t; own : meaning Map.t }

let empty = { all = Map.empty; own = Map.empty }

let add ?(own = true) key meaning scope =
  {
    all = Map.add key meaning scope.all;
    own = (if own then Map.add key meaning scope.own else scope.own);
  }

(* What merging scopes may cost a program; beyond it contents are unknown. *)
let most_merged = 200_000

let merged = ref 0

(* [scope] and what is [inside] a module, by way of some parts, as its [own] where it is
   included; None where that is too much. *)
let spread ~own ~way inside scope =
  let cost = 1 + List.length way in
  if !merged <= most_merged then
    Map.iter (fun _ m -> merged := !merged + cost + List.length m.parts) inside;
  if !merged > most_merged then None
  else Some (Map.fold (fun key m scope -> add ~own key (through way m) scope) inside scope)

type found =
  | Own of meaning
  | Within of int list  (* somewhere in modules of the program: all of them *)
  | Missing of string  (* nothing defines this name *)

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
    match Map.find_opt (key kind name) all with Some m -> Own m | None -> Missing name)
  | root :: rest -> (
    match Map.find_opt (key Module root) all with
    | Some { parts; inside = Some inside; _ } -> go parts inside rest
    | Some { whole; _ } -> Within whole
    | None -> Missing root)
