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
  | Pstr_type _ -> Keys.for_all own (Keys.filter (fun key -> not (is_member key)) i.defines)
  | Pstr_typext _ | Pstr_exception _ | Pstr_module _ | Pstr_recmodule _ | Pstr_modtype _
  | Pstr_class _ | Pstr_class_type _ ->
    (not (Keys.is_empty i.defines)) && Keys.for_all own i.defines
  | Pstr_value (_, bindings) ->
    (not (Keys.is_empty i.defines))
    && Keys.for_all own i.defines
    && not (List.exists (fun b -> Function_compat.is_function b.pvb_expr) bindings)
  | _ -> false

(* What code has of given items: the last item that defines a name of theirs, by its key, and where
   it first uses each of them. *)
type code = { defined : (string, structure_item) Hashtbl.t; first_use : int array }

(* Reads the items of code behind the given ones; [among]: which given items some parts belong to. *)
let read_code s self ~among given items =
  let names = Array.fold_left (fun all i -> Keys.union all i.defines) Keys.empty given in
  let shown = s.count in
  let found =
    { defined = Hashtbl.create 16; first_use = Array.make (Array.length given) max_int }
  in
  let read_one (tree, _) =
    let before = s.scope.all and at = start_of tree.pstr_loc in
    let needs = read_in_frame s self tree ~first:s.count in
    List.iter (fun n -> found.first_use.(n) <- min at found.first_use.(n)) (among needs);
    let note key =
      (* What a given module brings is not the code's own. *)
      let is_own (m : Scope.meaning) = List.for_all (fun id -> id >= shown) m.parts in
      if differs before s.scope.all key && is_own (Scope.Map.find key s.scope.all) then
        Hashtbl.replace found.defined key tree
    in
    Keys.iter note names
  in
  List.iter read_one items;
  found

(* The code's items that define the names of a given one. *)
let own_items code i =
  List.filter_map (Hashtbl.find_opt code.defined) (Keys.elements i.defines)

(* The end of the last of these. *)
let end_of_own code i =
  List.fold_left (fun last tree -> max last (stop_of tree.pstr_loc)) 0 (own_items code i)

(* Which given items the code or the tests need: [needed] has the keys that tests use, of a [whole]
   all are needed.  Of what the code replaces only what it uses before its own definition is. *)
let taken ~among ~needed ~whole ~replaced code given =
  let own = Hashtbl.mem code.defined and first_use = Array.copy code.first_use in
  let of_tests = Array.make (Array.length given) whole and needed = ref needed in
  let found = Array.make (Array.length given) false in
  for n = Array.length given - 1 downto 0 do
    let lacks key = Keys.mem key !needed && not (own key) in
    if Keys.exists lacks given.(n).defines then of_tests.(n) <- true;
    (* An earlier definition of the name is another. *)
    needed := Keys.diff !needed given.(n).defines;
    found.(n) <-
      (if replaced.(n) then first_use.(n) < end_of_own code given.(n)
       else of_tests.(n) || first_use.(n) < max_int);
    let use other =
      first_use.(other) <- min first_use.(n) first_use.(other);
      if of_tests.(n) then of_tests.(other) <- true
    in
    if found.(n) then List.iter use (among given.(n).needs)
  done;
  found

(* Where the given items stand in the code: what uses a definition of the code's is behind that. *)
let places ~among ~taken ~replaced code given =
  let found = Array.make (Array.length given) 0 in
  let place n i =
    let behind last other = if other < n then max last found.(other) else last in
    if taken.(n) then found.(n) <- List.fold_left behind 0 (among i.needs)
    else if replaced.(n) then found.(n) <- end_of_own code i
  in
  Array.iteri place given;
  found

(* The edits that put given items into code with these items, each with its text.  [needed] and
   [whole] as for [taken]; [opens]: what defines no name is needed, too; [begins]: the code begins
   with a definition. *)
let edits ~needed ~whole ~opens ~begins given items =
  let s = create () in
  let self = Definition_graph.iterator s in
  let given = Array.of_list (List.map (read s self) given) in
  let owner = Hashtbl.create 64 in
  Array.iteri (fun n i -> List.iter (fun id -> Hashtbl.replace owner id n) i.parts) given;
  let among ids = List.filter_map (Hashtbl.find_opt owner) (Ints.elements ids) in
  let code = read_code s self ~among given items in
  let replaced = Array.map (is_replaced (Hashtbl.mem code.defined)) given in
  let taken = taken ~among ~needed ~whole ~replaced code given in
  let is_named n = not (Keys.is_empty given.(n).defines) in
  let all = List.init (Array.length given) Fun.id in
  let opens = opens || whole || List.exists (fun n -> is_named n && taken.(n)) all in
  let taken = Array.mapi (fun n found -> if is_named n then found else opens) taken in
  let places = places ~among ~taken ~replaced code given in
  let put = List.filter (fun n -> taken.(n)) all in
  let insertion at =
    let lines = List.filter_map (fun n -> if places.(n) = at then Some given.(n).text else None) put in
    (* Without ";;" an expression would become an argument of what precedes it. *)
    let lines = if begins || at > 0 then lines else lines @ [ ";;" ] in
    { start = at; stop = at; text = (if at > 0 then "\n" else "") ^ String.concat "\n" lines ^ "\n" }
  in
  (* The code shows a given definition again after it has used it. *)
  let repeated n =
    let same tree = Syntax.text_of given.(n).tree = Syntax.text_of tree in
    if replaced.(n) then List.filter same (own_items code given.(n)) else []
  in
  let removal tree = { start = start_of tree.pstr_loc; stop = stop_of tree.pstr_loc; text = "" } in
  List.sort_uniq compare
    (List.map (fun n -> insertion places.(n)) put
     @ List.map removal (List.concat_map repeated put))

(* The items of a text that parse, with their text. *)
let parsable_items text =
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
      match Without_warnings.run (fun () -> (parsable_items given, parsable_items code)) with
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
