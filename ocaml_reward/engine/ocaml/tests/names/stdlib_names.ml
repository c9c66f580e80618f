(* Decides whether a name that the standard library has too is the code's. *)

open Syntax

(* What [find] returns for the tree of a text; [none] if it does not parse. *)
let of_text parse name ~none find text =
  match parse_text parse name text with tree -> find tree | exception _ -> none

(* What a function finds in the reference; [none] if it does not parse. *)
let of_reference ~none = of_text Parse.implementation "reference.ml" ~none

(* What a function finds in the signature; [none] if it does not parse. *)
let of_signature ~none = of_text Parse.interface "signature.mli" ~none

(* Names taken from the code only if the prompt or the signature asks for them: a reference may
   redefine them for itself.  No real reference does; without this code could put its own [=] or
   [compare] into the tests. *)
let never_implied = comparisons @ [ "compare"; "raise"; "failwith"; "ignore"; "exit" ]

(* Names that the code must define even if the standard library has them: those of the signature and
   the prompt.  A reference's own [abs] may be a helper, so it counts only if [owned].
   (anwarmamat/cmsc330fall20 project2a/test/public/public.ml) *)
let required_names ~signature ~prompt_names ~owned ~defined =
  let declared = of_signature ~none:Names.empty Names.declared signature in
  let prompted = Names.Set.of_list prompt_names in
  let declared = Names.union declared { Names.empty with values = prompted; modules = prompted } in
  if owned then Names.union declared { defined with Names.types = Names.Set.empty } else declared

(* The names that a reference defines, without [never_implied].
   (exercism/ocaml exercises/practice/list-ops/.meta/example.ml) *)
let defined_by reference =
  let defined = of_reference ~none:Names.empty Names.defined reference in
  { defined with values = Names.Set.diff defined.values (Names.Set.of_list never_implied) }

(* The names in the modules of the reference and the signature. *)
let in_modules ~signature ~reference =
  Names.union
    (of_reference ~none:Names.empty Opened_modules.of_reference reference)
    (of_signature ~none:Names.empty Opened_modules.of_signature signature)

(* Names that the prompt asks for; of values only those that a reference defines, too, as others are
   only spoken of. (exercism/ocaml exercises/practice/list-ops/.docs/instructions.md) *)
let prompted ~reference names =
  if reference = "" then names
  else
    let defined = of_reference ~none:Names.empty Names.defined reference in
    let own = Names.union defined (in_modules ~signature:"" ~reference) in
    let is_value name = not (Names.Set.mem name (Names.standard ()).modules) in
    List.filter (fun name -> Names.Set.mem name own.values || not (is_value name)) names

(* The free names of a structure; of the library's names only those that are required.
   (anwarmamat/cmsc330fall20 project2a/test/public/public.ml) *)
let names_used structure required =
  let free = Free_names.names structure in
  let standard = Names.standard () in
  let needed own std required =
    Names.Set.filter (fun n -> (not (Names.Set.mem n std)) || Names.Set.mem n required) own
  in
  {
    Names.values = needed free.values standard.values required.Names.values;
    modules =
      Names.Set.diff
        (needed free.modules standard.modules required.Names.modules)
        Ounit_suites.ounit_modules;
    types = needed free.types standard.types required.Names.types;
  }

(* The mutable labels that [visit] meets, with that of [ref]. *)
let mutable_labels visit =
  let found = ref (Names.Set.singleton "contents") in
  let note { Parsetree.pld_mutable; pld_name; _ } =
    if pld_mutable = Asttypes.Mutable then found := Names.Set.add pld_name.txt !found
  in
  Visit.(visit { default with label_declaration = before note default.label_declaration });
  !found

(* Names found in the reference or the signature. *)
let declared ~signature ~reference in_structure in_signature =
  Names.Set.union
    (of_reference ~none:Names.Set.empty in_structure reference)
    (of_signature ~none:Names.Set.empty in_signature signature)

(* The mutable labels; None if the types of the problem are not known.
   (exercism/ocaml exercises/practice/robot-name/.meta/example.ml) *)
let labels ~signature ~reference tests =
  let structure s = mutable_labels (Visit.in_structure s) in
  let signature_ s = mutable_labels (Visit.in_signature s) in
  if signature = "" && reference = "" then None
  else
    Some (Names.Set.union (structure tests) (declared ~signature ~reference structure signature_))

(* The constructors and labels that the reference or the signature declares. *)
let declared_constructors ~signature ~reference =
  declared ~signature ~reference Names.constructors Names.constructors_declared

(* The types that the reference or the signature declares. *)
let declared_types ~signature ~reference =
  declared ~signature ~reference
    (fun tree -> (Names.defined tree).types)
    (fun tree -> (Names.declared tree).types)

(* Items that open the library's types and exceptions that the tests mention and the problem does
   not declare. (exercism/ocaml exercises/practice/palindrome-products/test.ml) *)
let library_types ~signature ~reference tests =
  let own_constructors = declared_constructors ~signature ~reference in
  let own_types = declared_types ~signature ~reference in
  let known = Lazy.force Names.standard_constructors in
  let mentioned = Names.Set.diff (Names.mentioned_constructors tests) own_constructors in
  let exceptions, others =
    Names.Set.partition (fun name -> Names.Map.find_opt name known = Some "exn")
      (Names.Set.filter (fun name -> Names.Map.mem name known) mentioned)
  in
  let of_constructors =
    Names.Set.of_list (List.map (fun name -> Names.Map.find name known) (Names.Set.elements others))
  in
  let standard = (Names.standard ()).types in
  let types =
    Names.Set.diff
      (Names.Set.inter standard
         (Names.Set.union of_constructors (Free_names.names tests).Names.types))
      (Names.Set.add "exn" own_types)
    (* [()] always has the library's type. *)
    |> Names.Set.add "unit"
  in
  let opening home =
    Ast_helper.(Str.open_ (Opn.mk ~override:Asttypes.Override (Mod.ident (within pristine home))))
  in
  List.map (fun name -> opening (Names.type_home name)) (Names.Set.elements types)
  @ List.map (fun name -> opening (Names.exception_home name)) (Names.Set.elements exceptions)

(* Whether the tests use a constructor or label of the reference or the signature.
   (exercism/ocaml exercises/practice/connect/test.ml) *)
let mentions_constructors_of ~signature ~reference tests =
  let constructors = declared_constructors ~signature ~reference in
  not (Names.Set.disjoint constructors (Names.mentioned_constructors tests))
