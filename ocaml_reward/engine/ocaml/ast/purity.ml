(* Effects of evaluating an expression.  An expression of unknown effect counts as impure. *)

(* The effect of calling a value; [Calls_argument]: that of its arguments. *)
type doing = Pure | Calls_argument | May_raise | Impure

(* Of an expression: its effect, the effect of calling its value, whether the value may be mutated
   later, and whether it uses a definition of the program's top level. *)
type t = { now : doing; later : doing; is_mutable : bool; top : bool }

(* The effects of a constant. *)
let pure = { now = Pure; later = Pure; is_mutable = false; top = false }

(* The effects of what may do anything. *)
let impure = { now = Impure; later = Impure; is_mutable = true; top = false }

(* The effects of a value whose calls may do anything. *)
let unknown = { pure with later = Impure }

(* The effects of evaluating both. *)
let join a b =
  {
    now = max a.now b.now;
    later = max a.later b.later;
    is_mutable = a.is_mutable || b.is_mutable;
    top = a.top || b.top;
  }

(* The effect of calling a value if calls of its arguments have none. *)
let known doing = if doing >= May_raise then doing else Pure

(* The effects of a function with this body. *)
let suspended body = { pure with later = max body.now (known body.later) }

(* The effects of a name for a value. *)
let named ~top value = { pure with later = value.later; top }

(* The effects of a component of a value. *)
let part ~top whole = { pure with later = max Calls_argument whole.later; top }

(* The effects of a call of [f] with [arguments]. *)
let call f arguments =
  let called = match f.later with Calls_argument -> Impure | doing -> doing in
  let now = List.fold_left max f.now [ arguments.now; called; known arguments.later ] in
  let later = if now >= May_raise then now else Calls_argument in
  { (join f arguments) with now; later }

module Set = Names.Set

(* The set of the words of a text. *)
let set words = Set.of_list (String.split_on_char ' ' words)

(* Pure functions of the initial scope. *)
let pure_functions =
  set
    "+ - * / mod land lor lxor lsl lsr asr ~- ~+ ~-. ~+. +. -. *. /. ** = <> < > <= >= == != \
     && || not @ ^ ^^ |> @@ ! fst snd min max abs succ pred compare ignore abs_float sqrt exp \
     log log10 ceil floor float truncate float_of_int int_of_float int_of_char char_of_int \
     string_of_int int_of_string int_of_string_opt string_of_float float_of_string \
     float_of_string_opt string_of_bool bool_of_string bool_of_string_opt max_int min_int \
     infinity neg_infinity nan epsilon_float max_float min_float lnot cos sin tan acos asin \
     atan atan2 hypot cosh sinh tanh log1p expm1 mod_float ldexp frexp modf"

(* Modules with only pure functions. *)
let pure_modules =
  set
    "List ListLabels String StringLabels Char Int Float Option Result Fun Seq Either Bool \
     Int32 Int64 Nativeint Uchar Unit Complex"

(* Modules of mutable values, with the functions that do not mutate. *)
let reading =
  let common = "length iter iteri map mapi fold_left fold_right exists for_all mem to_list \
                to_seq to_seqi copy of_seq fold" in
  let arrays =
    common
    ^ " get make init create_float make_matrix append concat sub of_list iter2 map2 for_all2 \
       exists2 memq find_opt find_map split combine"
  in
  List.map
    (fun (m, names) -> (m, set names))
    [
      ("Array", arrays);
      ("ArrayLabels", arrays);
      ("Bytes", common ^ " get make create init empty of_string to_string sub sub_string cat index \
                index_opt contains uppercase_ascii lowercase_ascii trim");
      ("Hashtbl", common ^ " create find find_opt find_all stats hash to_seq_keys to_seq_values");
      ("Buffer", "create contents to_bytes sub nth length to_seq");
      ("Queue", common ^ " create peek peek_opt top is_empty");
      ("Stack", common ^ " create top top_opt is_empty");
      ("Printf", "sprintf");
    ]

(* Functions that only raise. *)
let raising = set "raise raise_notrace failwith invalid_arg exit"

(* The effects of a value that may be mutated later. *)
let mutable_value = { pure with is_mutable = true }

(* The effects of a value of the library, by its path. *)
let of_library path =
  match path with
  | [ ("ref" | "lazy") ] -> mutable_value
  | [ name ] | [ "Stdlib"; name ] ->
    if Set.mem name pure_functions then pure
    else if Set.mem name raising then { pure with later = May_raise }
    else unknown
  | [ m; name ] | [ "Stdlib"; m; name ] -> (
    if Set.mem m pure_modules then pure
    else
      match List.assoc_opt m reading with
      | Some reads when Set.mem name reads -> mutable_value
      | _ -> unknown)
  | _ -> unknown
