open Parsetree
open Nodes

type t = {
  mutable gone : string list;  (* names whose definitions became holes; "*": any name *)
  mutable missed : (string * string) list;  (* kind and path of unbound names *)
  mutable blind : Location.t list;  (* code after patterns that should have bound more names *)
  mutable lost : string list;  (* types that became abstract *)
}

(* Nothing is removed or unbound yet. *)
let start () = { gone = []; missed = []; blind = []; lost = [ lost_name ] }

(* The names that a node defines, which go if it is removed; "*" for any.
   (ocaml/ocaml.org practice/022) *)
let vanishing (kind, at) structure =
  let found = ref [] in
  let name { Asttypes.txt; _ } = found := txt :: !found in
  (* [note] records what a removed node defines. *)
  let taking place note visit self node =
    if inside (place node) at then note node;
    visit self node
  in
  (* A removed [open] or [include] may have defined any name. *)
  let anything _ = found := "*" :: !found in
  let pattern p =
    match p.ppat_desc with
    (* Values of a removed item stay, at any type. *)
    | (Ppat_var n | Ppat_alias (_, n)) when kind = Pattern -> name n
    | _ -> ()
  in
  let type_ d =
    name d.ptype_name;
    match d.ptype_kind with
    | Ptype_variant constructors -> List.iter (fun c -> name c.pcd_name) constructors
    | Ptype_record fields -> List.iter (fun f -> name f.pld_name) fields
    | _ -> ()
  in
  let optional { Asttypes.txt; loc } =
    Option.iter (fun txt -> name { Asttypes.txt; loc }) txt
  in
  let default = Visit.default in
  let iterator =
    { default with
      pat = taking (fun p -> p.ppat_loc) pattern default.pat;
      type_declaration = taking (fun d -> d.ptype_loc) type_ default.type_declaration;
      module_binding =
        taking (fun m -> m.pmb_loc) (fun m -> optional m.pmb_name) default.module_binding;
      module_declaration =
        taking (fun m -> m.pmd_loc) (fun m -> optional m.pmd_name) default.module_declaration;
      module_type_declaration =
        taking (fun m -> m.pmtd_loc) (fun m -> name m.pmtd_name) default.module_type_declaration;
      value_description =
        taking (fun v -> v.pval_loc) (fun v -> name v.pval_name) default.value_description;
      extension_constructor =
        taking (fun c -> c.pext_loc) (fun c -> name c.pext_name) default.extension_constructor;
      class_declaration =
        taking (fun c -> c.pci_loc) (fun c -> name c.pci_name) default.class_declaration;
      open_declaration = taking (fun o -> o.popen_loc) anything default.open_declaration;
      include_declaration = taking (fun i -> i.pincl_loc) anything default.include_declaration;
      include_description = taking (fun i -> i.pincl_loc) anything default.include_description;
    }
  in
  (match kind with
   | Item | Component | Pattern -> iterator.structure iterator structure
   | Expression | Type | Declared -> ());
  !found

(* Types that become abstract when their item is removed. (ocaml/ocaml stdlib/effect.ml) *)
let made_abstract (kind, at) structure =
  let found = ref [] in
  let structure_item self item =
    match item.pstr_desc with
    | Pstr_type (_, declarations) when item.pstr_loc = at ->
      List.iter (fun d -> found := d.ptype_name.txt :: !found) declarations
    | _ -> Visit.default.structure_item self item
  in
  if kind = Item then Visit.in_structure structure { Visit.default with structure_item };
  !found

(* The locations of the guards and bodies behind a pattern.
   (ucsd-progsys/yunounderstand-data pair00562) *)
let behind at item =
  let found = ref [] in
  let case c =
    if inside at c.pc_lhs.ppat_loc then begin
      let guard = match c.pc_guard with Some guard -> [ guard.pexp_loc ] | None -> [] in
      found := (c.pc_rhs.pexp_loc :: guard) @ !found
    end
  in
  Visit.(in_item item (each ~case ()));
  !found

let unnamed cascade (kind, at) item words =
  if kind = Pattern && List.mem "expects" words then
    cascade.blind <- behind at item @ cascade.blind

let hole cascade node item =
  cascade.gone <- vanishing node [ item ] @ cascade.gone;
  cascade.lost <- made_abstract node [ item ] @ cascade.lost

(* ---- what an error's words say ------------------------------------------------------ *)

(* Whether a path has a name whose definition became a hole. (ucsd-progsys/nate fa15/3208) *)
let is_gone cascade path =
  List.exists (fun name -> List.mem name cascade.gone) ("*" :: String.split_on_char '.' path)

let names_in word =
  let part = function
    | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' | '*' -> true
    | _ -> false
  in
  (* From OCaml 5.2 on names are quoted in messages. *)
  List.filter (( <> ) "")
    (String.split_on_char ' ' (String.map (fun c -> if part c then c else ' ') word))

(* Whether a message mentions a type that became abstract.
   (ocaml/ocaml.org tool/data-packer/lib/conference_parser.ml) *)
let mentions cascade words =
  List.exists (fun word -> List.exists (fun name -> List.mem name cascade.lost) (names_in word))
    words

(* Whether a list of words begins with these words. *)
let rec starts = function
  | [], _ -> true
  | p :: part, w :: words -> p = w && starts (part, words)
  | _, [] -> false

(* Whether a message contains these words. *)
let rec says part words =
  starts (part, words) || match words with [] -> false | _ :: rest -> says part rest

(* Whether an error is about labels of a function that a removed [open] may have defined.
   (anwarmamat/cmsc330spring2024 examples/module/ocamlgraph/imperative_edge.ml) *)
let unlabelled cascade words =
  List.mem "*" cascade.gone && says [ "cannot"; "be"; "applied"; "with"; "label" ] words

(* The kind and the name of the missing constructor or field, or of the field that is not mutable;
   None for other messages.  Such an error shows at every use.
   (ucsd-progsys/yunounderstand-data fa15/student19.hw3:266) *)
let rec lacking = function
  | "There" :: "is" :: "no" :: kind :: name :: "within" :: _ -> Some (kind, name)
  | "The" :: "record" :: "field" :: name :: "is" :: "not" :: "mutable" :: _ ->
    Some ("mutable", name)
  | _ :: rest -> lacking rest
  | [] -> None

let is_sure words =
  says [ "applied"; "to"; "too"; "many" ] words
  || says [ "is"; "not"; "a"; "function;" ] words

let is_missing report =
  let words = names_in report in
  List.mem "Unbound" words || lacking words <> None

(* Whether a message suggests a name, so that this one is misspelt.
   (ocaml-sf/learn-ocaml-corpus exercises/fpottier/generic_sorting/wrong/int32_ignore_msd.ml) *)
let is_hinted words = List.exists (fun word -> List.mem word [ "Hint:"; "Did" ]) words

(* Whether a constructor or field is unbound because its type is, so that it is not misspelt.
   (ocaml/ocaml utils/warnings.ml) *)
let of_missing_type cascade (kind, path) words =
  List.mem kind [ "constructor"; "record field" ]
  && (not (is_hinted words)) && not (String.contains path '.')
  && List.mem_assoc "type" cascade.missed

(* A branch must be [()] only because its conditional has no [else], which is then what is wrong.
   (ucsd-progsys/nate sp14/0371) *)
let place (failure : Type_items.failure) item =
  if not (says [ "conditional"; "with"; "no"; "else"; "branch" ] failure.words) then failure.at
  else begin
    let found = ref failure.at in
    let expr self e =
      (match e.pexp_desc with
       | Pexp_ifthenelse (_, branch, None) when inside failure.at branch.pexp_loc ->
         found := e.pexp_loc
       | _ -> ());
      Visit.default.expr self e
    in
    Visit.(in_item item { default with expr });
    !found
  end

let follows cascade ~of_tests ~holes (failure : Type_items.failure) words =
  (* In the code an unbound name is one mistake, however often it is used. *)
  let is_known missing =
    let known = List.mem missing cascade.missed in
    if not of_tests then cascade.missed <- missing :: cascade.missed;
    known
  in
  match (Type_items.unbound words, lacking words) with
  | Some ((kind, path) as missing), _ ->
    let known = is_known missing in
    if kind = "type constructor" then ignore (is_known ("type", path));
    known || is_gone cascade path || of_missing_type cascade missing words
    || (kind = "value" && List.exists (inside failure.at) cascade.blind)
  | None, Some ((_, name) as missing) -> is_known missing || is_gone cascade name
  | None, None ->
    (match words with
     | "Some" :: "type" :: "variables" :: "are" :: "unbound" :: _ ->
       (* A hole in a class leaves a type open, which is an error. *)
       List.exists (fun hole -> inside hole failure.at) holes
     | "Variable" :: _ when says [ "must"; "occur"; "on"; "both"; "sides" ] words ->
       List.exists (fun hole -> inside hole failure.at) holes
     | _ -> false)
    || mentions cascade words || unlabelled cascade words
