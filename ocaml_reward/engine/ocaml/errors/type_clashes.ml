(* Tells whether two types in an error message differ for any choice of the types that a structure
   declares. *)

open Parsetree

(* The outermost constructor of a type; empty if unknown. *)
let head t =
  match t.ptyp_desc with
  | Ptyp_var _ -> "'"
  | Ptyp_arrow _ -> "->"
  | Ptyp_tuple _ -> "*"
  | Ptyp_constr ({ txt; _ }, _) -> Syntax.last_name txt
  | _ -> ""

let parts t =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  default.typ { default with typ = (fun _ part -> found := part :: !found) } t;
  List.rev !found

let known =
  [ "int"; "string"; "bool"; "float"; "char"; "unit"; "bytes"; "list"; "option"; "array"; "*";
    "->" ]

(* The manifests of the types declared there. *)
let meanings items =
  let found = ref [] in
  let default = Ast_iterator.default_iterator in
  let type_declaration _ d =
    Option.iter (fun t -> found := head t :: !found) d.ptype_manifest
  in
  let iterator = { default with type_declaration } in
  iterator.structure iterator items;
  !found

let rec differ meanings own promised =
  let a = head own and b = head promised in
  if List.mem a meanings || not (List.mem a known) then false
  else if b = "'" then true
  else if not (List.mem b known) then false
  else if a <> b then true
  else
    let a = parts own and b = parts promised in
    List.compare_lengths a b <> 0 || List.exists2 (differ meanings) a b

(* The words before one of [stops]. *)
let rec up_to stops = function
  | word :: _ when List.mem word stops -> []
  | word :: rest -> word :: up_to stops rest
  | [] -> []

let rec behind = function
  | "is" :: "not" :: "included" :: "in" :: rest -> rest
  | _ :: rest -> behind rest
  | [] -> []

let read words =
  let rec typed = function ":" :: rest -> rest | _ :: rest -> typed rest | [] -> [] in
  match Parse.core_type (Lexing.from_string (String.concat " " (typed words))) with
  | t -> Some t
  | exception _ -> None

(* Tells whether the words of an error show two types that differ in more than the types declared
   by [items]. False if they cannot be parsed. *)
let in_words words items =
  let rec from_values = function
    | "match:" :: rest -> rest
    | _ :: rest -> from_values rest
    | [] -> []
  in
  let words = from_values words in
  let own = up_to [ "is" ] words and promised = up_to [ "The"; "Type"; "File" ] (behind words) in
  match (read own, read promised) with
  | Some own, Some promised ->
    let declared = Names.Set.elements (Names.defined items).types in
    differ (declared @ meanings items) own promised
  | _ -> false
