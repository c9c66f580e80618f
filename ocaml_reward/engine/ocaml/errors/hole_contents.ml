(* Keeps the parts of an expression that the compiler had not typed yet when the expression became
   a hole, so that one mistake does not hide others. *)

open Parsetree

(* What is kept of an expression that became a hole. *)
type left = Nothing | Itself | Parts of (Location.t -> bool)

(* Whether an expression is a name or a constant, which hides no mistake.
   (ucsd-progsys/nate sp14/0644) *)
let is_plain e =
  match e.pexp_desc with
  | Pexp_ident _ | Pexp_constant _ | Pexp_construct (_, None) | Pexp_variant (_, None) -> true
  | _ -> false

(* The largest expressions in an expression that are not plain. *)
let parts e =
  let found = ref [] in
  let expr _ part = if not (is_plain part) then found := part :: !found in
  Visit.default.expr { Visit.default with expr } e;
  List.rev !found

(* The parts of an expression that can be typed by themselves.
   (c-cube/ocaml-containers src/leb128/containers_leb128.ml) *)
let separate_parts e =
  match e.pexp_desc with
  | Pexp_construct _ | Pexp_record _ | Pexp_setfield _ | Pexp_ifthenelse _ -> parts e
  | _ -> []

(* The expression at a location of an item; None if there is none. *)
let at place item =
  let found = ref None in
  let expr self e =
    if e.pexp_loc = place then found := Some e
    else if Nodes.inside place e.pexp_loc then Visit.default.expr self e
  in
  Visit.(in_item item { default with expr });
  !found

(* What to keep of an expression that failed to type: the parts that were not typed yet.
   (ucsd-progsys/nate sp14/1087) *)
let left ~again (failure : Type_items.failure) place item =
  match at place item with
  | None -> Nothing
  | Some e ->
    let typed = lazy (Type_items.typed failure ~inside:place) in
    let is_new part = not (List.exists (fun at -> Nodes.inside at part) (Lazy.force typed)) in
    if not (List.exists (fun part -> is_new part.pexp_loc) (parts e)) then Nothing
    else if Nodes.same failure.at place && not again then Itself
    else Parts is_new

(* The hole that replaces an expression, with what is kept of it. *)
let hole left e =
  let loc = e.pexp_loc in
  let kept =
    match left with
    | Nothing -> []
    | Itself -> [ e ]
    | Parts is_new ->
      List.filter (fun e -> is_new e.pexp_loc && not (Nodes.same e.pexp_loc loc)) (separate_parts e)
  in
  match kept with
  | [] -> Nodes.hole_expression loc
  | _ ->
    (* The hole at the ghost location is not mistaken for the expression. *)
    let loc = { loc with loc_ghost = true } in
    let before_hole part rest =
      let open Ast_helper in
      Exp.let_ ~loc Asttypes.Nonrecursive [ Vb.mk ~loc (Pat.any ~loc ()) part ] rest
    in
    List.fold_right before_hole kept (Nodes.hole_expression loc)
