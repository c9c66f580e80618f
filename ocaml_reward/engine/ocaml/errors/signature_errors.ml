(* Structures that break their signature: each value that is missing or has another type is a
   mistake of its own. *)

open Parsetree

(* A name without the quotes of messages. *)
let unquoted name =
  match String.length name with
  | n when n > 2 && name.[0] = '`' && name.[n - 1] = '\'' -> String.sub name 1 (n - 2)
  | _ -> name

(* The value that is missing or has another type, according to an error; None for other errors.
   (ocaml/ocaml testsuite/tests/typing-misc/deep.ml) *)
let broken words =
  let rec value = function
    | "Values" :: "do" :: "not" :: "match:" :: "val" :: name :: _ -> Some name
    | "The" :: "value" :: name :: "is" :: "required" :: _ -> Some (unquoted name)
    | _ :: rest -> value rest
    | [] -> None
  in
  match words with
  | "Signature" :: "mismatch:" :: _ -> value words
  | _ -> None

(* Whether [kept] added an item. *)
let is_put item = item.pstr_loc.loc_ghost

(* The last binding of a name. *)
let binding name items =
  let of_item found item =
    match item.pstr_desc with
    | Pstr_value (_, bindings) ->
      let is_it b = Names.Set.mem name (Names.pattern_names b.pvb_pat) in
      List.fold_left (fun found b -> if is_it b then Some b else found) found bindings
    | _ -> found
  in
  List.fold_left of_item None items

(* The location of a value's definition; if it is missing, a character at the structure's end
   that no other error has. *)
let place (at : Location.t) items = function
  | Some b -> b.pvb_loc
  | None ->
    let put = List.length (List.filter is_put items) in
    let back n = { at.loc_end with pos_cnum = at.loc_end.pos_cnum - n } in
    { at with loc_start = back (put + 1); loc_end = back put }

(* Whether another error explains that a value is wrong: the message mentions a declared type, and a
   value was already added to the structure. (ocaml/ocaml lambda/tmc.ml) *)
let is_linked words items own =
  let types = (Names.defined items).types in
  let says word = List.exists (fun name -> Names.Set.mem name types) (Followups.names_in word) in
  own <> None && List.exists is_put items && List.exists says words

(* The location of the value, whether other errors explain it, and the item with a value of any
   type at the structure's end. *)
type promise = { place : Location.t; linked : bool; item : structure_item }

(* How to go on after an error about a value of a signature; None if there is no structure at that
   location. (c-cube/qcheck test/ppx_deriving_qcheck/deriver/qcheck/test_qualified_names.ml) *)
let kept words name (at : Location.t) item =
  let found = ref None in
  (* The result of a functor is used by its signature, which may be what is wrong. *)
  let is_given = ref false in
  let module_expr self m =
    let given = !is_given in
    is_given :=
      (match m.pmod_desc with
       | Pmod_functor _ -> true
       | Pmod_constraint _ -> given
       | _ -> false);
    match m.pmod_desc with
    | Pmod_structure items when m.pmod_loc = at && not given ->
      let own = binding name items in
      found := Some (place at items own, is_linked words items own);
      let any = Nodes.hole_values { at with loc_ghost = true } (Names.Set.singleton name) in
      { m with pmod_desc = Pmod_structure (items @ [ any ]) }
    | _ -> Visit.mapper.module_expr self m
  in
  let item = Visit.map_item item { Visit.mapper with module_expr } in
  Option.map (fun (place, linked) -> { place; linked; item }) !found
