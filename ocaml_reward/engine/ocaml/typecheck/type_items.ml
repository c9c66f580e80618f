(* Types top-level items and returns the environment after them, or the first error.  After a
   failure the compiler can be used again; with [undo] all types are restored. *)

type failure = {
  at : Location.t;
  report : string;  (* the compiler's message *)
  words : string list;  (* after "Error:", without quotes *)
  saved : Cmt_format.binary_part list;  (* what was typed before, newest first *)
}

(* [Failed None]: a stack overflow, or no more memory. *)
type outcome = Typed of Env.t | Failed of failure option

(* A compiler exception that is no type error.  It has no location, so it is attributed to the
   whole item. *)
let crash = { at = Location.none; report = ""; words = []; saved = [] }

(* An error without a message, such as [[%error]]. *)
let wordless = { crash with report = "" }

(* The compiler has to be replaced by a fresh one: it crashed, or printed a weak type variable.
   These are numbered for the life of a process, and line breaks in messages depend on the
   number's length. *)
let stale = ref false

(* The compiler abbreviates signatures with "..." depending on memory use.  Always abbreviate,
   so that a message depends on the error alone. *)
let () = Clflags.error_size := 1

(* What the names of weak type variables start with.  They are renumbered by appearance, so that a
   message is the same in every process. *)
let weak = "'_weak"
let is_digit c = '0' <= c && c <= '9'

(* Whether a weak type variable is at this byte.  [t'_weak1] is an ordinary type name; as a variable
   no program can write it. *)
let is_weak_at text i =
  let n = String.length text and m = String.length weak in
  let in_word = function
    | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' | '\128' .. '\255' -> true
    | _ -> false
  in
  i + m < n && String.sub text i m = weak && is_digit text.[i + m]
  && not (i > 0 && in_word text.[i - 1])

(* Whether a text has a weak type variable.  Then the compiler is [stale]. *)
let has_weak text =
  let rec from i =
    match String.index_from_opt text i '\'' with
    | Some at -> is_weak_at text at || from (at + 1)
    | None -> false
  in
  let found = from 0 in
  if found then stale := true;
  found

(* The text with weak type variables numbered from 1. *)
let renumbered text =
  let n = String.length text and m = String.length weak in
  let buffer = Buffer.create n in
  let numbers = Hashtbl.create 4 in
  let rec stop i = if i < n && is_digit text.[i] then stop (i + 1) else i in
  let rec go i =
    if i < n then
      if is_weak_at text i then begin
        let after = stop (i + m) in
        let old = String.sub text (i + m) (after - i - m) in
        if not (Hashtbl.mem numbers old) then
          Hashtbl.add numbers old (1 + Hashtbl.length numbers);
        Buffer.add_string buffer (weak ^ string_of_int (Hashtbl.find numbers old));
        go after
      end
      else begin
        Buffer.add_char buffer text.[i];
        go (i + 1)
      end
  in
  if has_weak text then begin
    go 0;
    Buffer.contents buffer
  end
  else text

(* The text of a report, printed on the compiler's own formatter: from 5.2 on it adds quotes there.
   *)
let printed report =
  let before = Format.flush_str_formatter () in
  Location.input_lexbuf := None;
  (* In OCaml 5 all reports but the first begin with an empty line. *)
  Location.reset ();
  Location.print_report Format.str_formatter report;
  let text = Format.flush_str_formatter () in
  if before <> "" then Format.fprintf Format.str_formatter "%s%!" before;
  renumbered text

(* Whether the message is the program's own, as for an extension node.  Some of these exceptions
   are not exported: they are found by name. *)
let worded_by_program = function
  | Location.Error _ | Typecore.Error (_, _, Invalid_format _) -> true
  | e -> List.mem "Error_forward" (String.split_on_char '.' (Printexc.exn_slot_name e))

(* The words of an error after "Error:", without quotes. *)
let words e (report : Location.report) =
  (* A line directive can name any file. *)
  let nowhere (part : Location.msg) = { part with loc = Location.none } in
  let rec after = function
    | "Error:" :: words -> words
    | _ :: rest -> after rest
    | [] -> []
  in
  if worded_by_program e then []
  else
    printed { report with main = nowhere report.main; sub = List.map nowhere report.sub }
    |> String.map (function '\n' | '"' -> ' ' | c -> c)
    |> String.split_on_char ' '
    |> List.filter (( <> ) "")
    |> after

(* The error of a compiler exception; None if it is no error of the program or cannot be
   printed. *)
let failure e =
  match
    match Location.error_of_exn e with
    | Some (`Ok report) ->
      (* In this order: the first to be printed names anonymous variables. *)
      let text = printed report in
      let saved = Cmt_format.get_saved_types () in
      Some { at = report.main.loc; report = text; words = words e report; saved }
    | Some `Already_displayed -> Some wordless
    | None -> None
  with
  | Some _ as found -> found
  | None | (exception _) ->
    stale := true;
    None

(* The locations of the expressions [inside] a location that had been typed. *)
let typed failure ~inside:(place : Location.t) =
  let is_in (at : Location.t) =
    place.loc_start.pos_cnum <= at.loc_start.pos_cnum
    && at.loc_end.pos_cnum <= place.loc_end.pos_cnum
  in
  List.filter_map
    (function
      | Cmt_format.Partial_expression { exp_loc; _ } when is_in exp_loc -> Some exp_loc
      | _ -> None)
    failure.saved

(* Kind and path of an unbound name, from the words of the message; None for other messages. *)
let rec unbound = function
  (* From 5.2 on operators are in parentheses. *)
  | "Unbound" :: "value" :: "(" :: name :: ")" :: rest ->
    unbound ("Unbound" :: "value" :: name :: rest)
  | "Unbound" :: "value" :: name :: rest when name.[0] = '(' && name <> "(" ->
    unbound ("Unbound" :: "value" :: String.sub name 1 (String.length name - 2) :: rest)
  (* From 5.4 on hints have no "Hint:". *)
  | [ "Unbound"; kind; name ] | "Unbound" :: kind :: name :: ("Hint:" | "Did") :: _ ->
    Some (kind, name)
  | "Unbound" :: kind :: more :: name -> unbound ("Unbound" :: (kind ^ " " ^ more) :: name)
  | _ -> None

(* The environment that the last typing left: typing records each finished item, and at last the
   whole. *)
let left_by env = function
  | Cmt_format.Partial_structure { str_final_env; _ } :: _ -> str_final_env
  | _ -> env

(* Types a structure. *)
let attempt env structure =
  let levels = Level_compat.saved () in
  Cmt_format.clear ();
  Typecore.reset_delayed_checks ();
  match Typemod.type_structure env structure with
  | _ -> Typed (left_by env (Cmt_format.get_saved_types ()))
  | exception e ->
    let found =
      match failure e with None -> Some crash | found -> found
    in
    Level_compat.recover levels;
    Failed found

(* Types a structure; types are restored after a failure. *)
let undo env structure =
  let before = Type_compat.snapshot () in
  match attempt env structure with
  | Typed _ as typed -> typed
  | Failed _ as failed -> Type_compat.backtrack before; failed

(* Types a modified structure: the result of [typed] if it types, else the location of its first
   error.  All types are restored. *)
let tried env structure ~typed =
  let before = Type_compat.snapshot () in
  let levels = Level_compat.saved () in
  Cmt_format.clear ();
  Typecore.reset_delayed_checks ();
  let outcome =
    match Typemod.type_structure env structure with
    | _ -> Ok (typed ())
    | exception e ->
      Level_compat.recover levels;
      (match Location.error_of_exn e with
       | Some (`Ok report) -> Error (Some report.main.loc)
       | _ | (exception _) -> Error None)
  in
  Type_compat.backtrack before;
  outcome

(* Whether a binding leaves a type open: a later item can still change it, and a failed item may
   have. *)
let is_open (binding : Typedtree.value_binding) =
  (not (Typecore.is_nonexpansive binding.vb_expr))
  && has_weak (Format.asprintf "%a" Printtyp.type_scheme binding.vb_pat.pat_type)

(* Whether an item leaves a type open. *)
let rec leaves_open (item : Typedtree.structure_item) =
  match item.str_desc with
  | Tstr_value (_, bindings) -> List.exists is_open bindings
  | Tstr_module { mb_expr = m; _ } | Tstr_include { incl_mod = m; _ } -> holds_open m
  | _ -> false

(* Whether a module leaves a type open. *)
and holds_open (m : Typedtree.module_expr) =
  match m.mod_desc with
  | Tmod_structure { str_items; _ } -> List.exists leaves_open str_items
  | _ -> false

(* After a failed typing of [structure] in [env]: the items before the error with their
   environments, the environment after them, and the remaining items. *)
let stuck env structure =
  let rec go before typed items saved =
    match (items, saved) with
    | ( (item : Parsetree.structure_item) :: rest,
        Cmt_format.Partial_structure_item (done_ : Typedtree.structure_item) :: more )
      when item.pstr_loc == done_.str_loc ->
      go (item :: before) (done_ :: typed) rest more
    | _ -> (before, typed, items, saved)
  in
  let saved = List.rev (Cmt_format.get_saved_types ()) in
  let before, typed, rest, partial = go [] [] structure saved in
  let again =
    if List.exists leaves_open typed then (env, List.rev before)
    else
      match (rest, partial, before, typed) with
      | { pstr_desc = Pstr_value _; _ } :: _, Partial_pattern (_, first) :: _, _, _ ->
        (* The first pattern of a definition is typed in the environment before it. *)
        (first.pat_env, [])
      (* Otherwise only the environment before the last good item was recorded. *)
      | _, _, item :: _, done_ :: _ -> (done_.str_env, [ item ])
      | _ -> (env, [])
  in
  let reached =
    match again with
    | env, [] -> env
    | env, items -> ( match attempt env items with Typed reached -> reached | Failed _ -> env)
  in
  let within (done_ : Typedtree.structure_item) = done_.str_env in
  (List.rev (List.combine before (List.map within typed)), reached, rest)

(* The locations of the items of the last structure that leave a type open. *)
let open_items () =
  match Cmt_format.get_saved_types () with
  | Partial_structure { str_items; _ } :: _ ->
    List.filter_map
      (fun (item : Typedtree.structure_item) ->
        if leaves_open item then Some item.str_loc else None)
      str_items
  | _ -> []

(* Forgets the last program. *)
let reset () =
  Cmt_format.clear ();
  Typecore.reset_delayed_checks ();
  Env.reset_required_globals ()
