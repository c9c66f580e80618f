(* Puts code that the problem gives before a completion's code or into it: the items that the code
   or the tests need and that the code does not define itself. *)

open Parsetree
open Program_parts
module Keys = Names.Set

(* Text to put in place of these bytes of the code. *)
type edit = { start : int; stop : int; text : string }

(* An item with the parts that belong to it, and the keys (scope.ml) that it defines. *)
type item = {
  tree : structure_item;
  text : string;
  parts : int list;
  needs : Ints.t;
  defines : Keys.t;
}

(* The key of a name that comes from somewhere else is none. *)
let is_name key = key <> Scope.elsewhere

(* Whether a name means something else in a later scope. *)
let differs before after key =
  match (Scope.Map.find_opt key before, Scope.Map.find_opt key after) with
  | Some a, Some b -> a != b
  | None, None -> false
  | _ -> true

(* Reads an item in the scope of those before it; returns all that its parts, from [first] on,
   need. *)
let read_in_frame s self tree ~first =
  let p = part s (start_of tree.pstr_loc) (stop_of tree.pstr_loc) in
  ignore (in_part s p (fun () -> Definition_graph.item s self ~names:false tree));
  let rec needs all = function
    | (p : part) :: rest when p.id >= first -> needs (Ints.union all p.needs) rest
    | _ -> all
  in
  needs Ints.empty s.found

(* The item, read in the scope of those before it. *)
let read s self (tree, text) =
  let before = s.scope.all and first = s.count in
  let needs = read_in_frame s self tree ~first in
  let is_new key _ = is_name key && differs before s.scope.all key in
  let found = Scope.Map.filter is_new s.scope.all in
  (* What an [open] or an alias brings comes from elsewhere. *)
  let from _ (m : Scope.meaning) needs = Ints.union (Ints.of_list m.parts) needs in
  {
    tree;
    text;
    parts = List.init (s.count - first) (fun n -> first + n);
    needs = Scope.Map.fold from found needs;
    defines = Scope.Map.fold (fun key _ keys -> Keys.add key keys) found Keys.empty;
  }

(* The keys that items define. *)
let keys items =
  let s = create () in
  let self = Definition_graph.iterator s in
  List.map (fun i -> (read s self (i, "")).defines) items

(* Whether a key is of a constructor or a label. *)
let is_member key = key.[0] = 'c'

(* Whether what the code defines replaces an item for all its users: types, exceptions, modules,
   classes and values that are not functions must exist only once. *)
let is_replaced own i =
  match i.tree.pstr_desc with
  | Pstr_type _ -> Keys.exists own (Keys.filter (fun key -> not (is_member key)) i.defines)
  | Pstr_typext _ | Pstr_exception _ | Pstr_module _ | Pstr_recmodule _ | Pstr_modtype _
  | Pstr_class _ | Pstr_class_type _ ->
    Keys.exists own i.defines
  | Pstr_value (_, bindings) ->
    (not (Keys.is_empty i.defines))
    && Keys.for_all own i.defines
    && not (List.exists (fun b -> Function_compat.is_function b.pvb_expr) bindings)
  | _ -> false

(* The edits that put [given] items into code with the items [code].  [needed]: the keys that tests
   use; [whole]: all items are needed; [opens]: what defines no name is needed, too; [begins]: the
   code begins with a definition. *)
let edits ~needed ~whole ~opens ~begins given code =
  let s = create () in
  let self = Definition_graph.iterator s in
  let given = Array.of_list (List.map (read s self) given) in
  let owner = Hashtbl.create 64 in
  Array.iteri (fun n i -> List.iter (fun id -> Hashtbl.replace owner id n) i.parts) given;
  let items ids = List.filter_map (Hashtbl.find_opt owner) (Ints.elements ids) in
  let names = Array.fold_left (fun all i -> Keys.union all i.defines) Keys.empty given in
  let shown = s.count in
  (* The last item of the code that defines a name, and where the code first uses a given item. *)
  let defined = Hashtbl.create 16 in
  let first_use = Array.make (Array.length given) max_int in
  let use at n = first_use.(n) <- min at first_use.(n) in
  let read_own tree =
    let before = s.scope.all and first = s.count in
    let needs = read_in_frame s self tree ~first in
    List.iter (use (start_of tree.pstr_loc)) (items needs);
    let note key =
      if differs before s.scope.all key then
        let m = Scope.Map.find key s.scope.all in
        (* What a given module brings is not the code's own. *)
        if List.for_all (fun id -> id >= shown) m.parts then Hashtbl.replace defined key tree
    in
    Keys.iter note names
  in
  List.iter (fun (tree, _) -> read_own tree) code;
  let own = Hashtbl.mem defined in
  let end_of_own i =
    let stop key last =
      match Hashtbl.find_opt defined key with
      | Some tree -> max last (stop_of tree.pstr_loc)
      | None -> last
    in
    Keys.fold stop i.defines 0
  in
  let replaced = Array.map (is_replaced own) given in
  let needed_by_tests = Array.make (Array.length given) whole in
  (* Also needed is what the code uses before its own definition. *)
  let is_taken n =
    if replaced.(n) then first_use.(n) < end_of_own given.(n)
    else needed_by_tests.(n) || first_use.(n) < max_int
  in
  let lacks i = Keys.exists (fun key -> Keys.mem key needed && not (own key)) i.defines in
  for n = Array.length given - 1 downto 0 do
    if lacks given.(n) then needed_by_tests.(n) <- true;
    if is_taken n then
      List.iter
        (fun other ->
          use first_use.(n) other;
          if needed_by_tests.(n) then needed_by_tests.(other) <- true)
        (items given.(n).needs)
  done;
  let is_named n = not (Keys.is_empty given.(n).defines) in
  let all = List.init (Array.length given) Fun.id in
  let opens = opens || whole || List.exists (fun n -> is_named n && is_taken n) all in
  let is_taken n = if is_named n then is_taken n else opens in
  (* An item that uses a definition of the code's stands behind that. *)
  let places = Array.make (Array.length given) 0 in
  let place n i =
    places.(n) <-
      (if is_taken n then
         List.fold_left
           (fun last needed -> if needed < n then max last places.(needed) else last)
           0 (items i.needs)
       else if replaced.(n) then end_of_own i
       else 0)
  in
  Array.iteri place given;
  let insertion at =
    let texts = List.filter (fun n -> is_taken n && places.(n) = at) all in
    let lines = List.map (fun n -> given.(n).text) texts in
    (* Without ";;" an expression would become an argument of what precedes it. *)
    let lines = lines @ if begins || at > 0 then [] else [ ";;" ] in
    { start = at; stop = at; text = (if at > 0 then "\n" else "") ^ String.concat "\n" lines ^ "\n" }
  in
  (* The code shows a given definition again after it has used it. *)
  let repeated n =
    let same tree = Syntax.text_of given.(n).tree = Syntax.text_of tree in
    let own_item key = Option.to_list (Hashtbl.find_opt defined key) in
    if is_taken n && replaced.(n) then
      List.filter same (List.concat_map own_item (Keys.elements given.(n).defines))
    else []
  in
  let removal tree = { start = start_of tree.pstr_loc; stop = stop_of tree.pstr_loc; text = "" } in
  let taken = List.filter is_taken all in
  let at = List.sort_uniq compare (List.map (fun n -> places.(n)) taken) in
  List.sort_uniq compare
    (List.map insertion at @ List.map removal (List.concat_map repeated all))

(* The items of a text that parse, with their text. *)
let items text =
  let parsed text = Syntax.parse_text Parse.implementation "solution.ml" text in
  let found = try parsed text with _ -> parsed (Item_split.without_broken text) in
  let written i =
    let start = start_of i.pstr_loc in
    String.sub text start (stop_of i.pstr_loc - start)
  in
  List.map (fun i -> (i, written i)) found

(* The answer to a request for the edits: start, end and text of each. *)
let answer = function
  | [ given; needed; whole; opens; code ] ->
    let whole = whole = "true" and opens = opens = "true" in
    let needed = Keys.of_list (Syntax.words needed) in
    let found =
      match Without_warnings.run (fun () -> (items given, items code)) with
      | given, own -> (
        let begins =
          match own with
          | ({ pstr_desc = Pstr_eval _; _ }, _) :: _ -> false
          | _ :: _ -> true
          | [] -> Item_split.begins code
        in
        (* Prose gets nothing. *)
        if own = [] && not (begins || whole) then []
        else try edits ~needed ~whole ~opens ~begins given own with Too_deep -> [])
      | exception _ -> []
    in
    List.concat_map
      (fun e -> [ string_of_int e.start; string_of_int e.stop; e.text ])
      found
  | _ -> failwith "malformed request"
