(* Moves the tests' `at_exit` handlers to the end of the tests, because the process exits with
   _exit.  So they run in the tests as they were written, too. *)

open Parsetree
open Ast_helper
open Syntax

let is_at_exit e =
  match e.pexp_desc with
  | Pexp_ident { txt; _ } -> (
    match Path_compat.components txt with
    | [ "at_exit" ] | [ "Stdlib"; "at_exit" ] -> true
    | _ -> false)
  | _ -> false

(* The function that a statement passes to [at_exit]; None if it does anything else.
   (ocaml/ocaml testsuite/lib/testing.ml) *)
let registered i =
  let of_expression e =
    match applied e with
    | f, [ (Asttypes.Nolabel, g) ] when is_at_exit f -> Some g
    | _ -> None
  in
  match i.pstr_desc with
  | Pstr_eval (e, _) -> of_expression e
  | Pstr_value (Asttypes.Nonrecursive, [ b ]) when Assertions.is_unit_pattern b.pvb_pat ->
    of_expression b.pvb_expr
  | _ -> None

(* The location of the first expression that [holds]; None if there is none. *)
let place holds items =
  let found = ref None in
  let expr e = if holds e && !found = None then found := Some e.pexp_loc in
  Visit.(in_structure items (each ~expr ()));
  !found

(* Raises Unsupported at the first expression that [holds]. (ocsigen/lwt test/test.ml) *)
let refuse_any why holds structure =
  let refuse loc = raise (Unsupported (line_of loc, "at_exit " ^ why)) in
  Option.iter refuse (place holds structure)

(* Replaces each [at_exit f] by a definition of [f].  Returns the items, and the functions with the
   items that call them, the last registered first. *)
let separated structure =
  let rest, made = (ref [], ref []) in
  List.iteri
    (fun number i ->
      match registered i with
      | None -> rest := i :: !rest
      | Some f ->
        let name = Printf.sprintf "*at_exit%d" number in
        let loc = i.pstr_loc in
        let run = call ~loc (value (lident name)) [ unit ] in
        rest := { (define name f) with pstr_loc = loc } :: !rest;
        made := (f, Str.eval ~loc run) :: !made)
    structure;
  (List.rev !rest, !made)

(* The tests with the calls of their handlers as last items.  [own] are values of the code.  Raises
   Unsupported for [at_exit] anywhere but as a statement of its own, or where tests may exit before.
   (yuanqing/tap tap.ml) *)
let moved ~own structure =
  let is_own = Names.Set.mem "at_exit" own || Names.times_bound structure "at_exit" > 0 in
  if is_own || place is_at_exit structure = None then structure
  else begin
    let rest, made = separated structure in
    refuse_any "in a place but a statement of its own" is_at_exit rest;
    let asserts (f, _) = judges [] f || not (Function_compat.is_function f) in
    if List.exists asserts made then begin
      let others = List.filter (fun i -> registered i = None) structure in
      refuse_any "in tests that end by exit" (is_named [ "exit" ]) others
    end;
    rest @ List.map snd made
  end
