type failure = {
  at : Location.t;
  report : string;
  words : string list;
  saved : Cmt_format.binary_part list;
}

type outcome = Typed of Env.t | Failed of failure option

let crash = { at = Location.none; report = ""; words = []; saved = [] }

(* An error without words of its own, likewise at no place: [[%error]] is one. *)
let wordless = { crash with report = "" }

let stale = ref false

(* Up to a size in memory, and so by what it has done before, the compiler says of modules that
   do not match all that they hold; above it "..." stands there.  Here it always does: what is
   read from an error hangs on the error alone. *)
let () = Clflags.error_size := 1

let forget_names () =
  Printtyp.wrap_printing_env ~error:true Env.empty (fun () ->
      ignore (Format.asprintf "%a" Printtyp.type_scheme Predef.type_int))

(* Numbered by appearance, a report reads the same wherever it was made. *)
let weak = "'_weak"
let is_digit c = '0' <= c && c <= '9'

(* Whether such a name stands there: no program can write one as a type variable, but
   [t'_weak1] is a type like any other. *)
let is_weak_at text i =
  let n = String.length text and m = String.length weak in
  let in_word = function
    | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' | '\128' .. '\255' -> true
    | _ -> false
  in
  i + m < n && String.sub text i m = weak && is_digit text.[i + m]
  && not (i > 0 && in_word text.[i - 1])

let has_weak text =
  let rec from i =
    match String.index_from_opt text i '\'' with
    | Some at -> is_weak_at text at || from (at + 1)
    | None -> false
  in
  let found = from 0 in
  if found then stale := true;
  found

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

(* On the formatter that the compiler prepares for this: from 5.2 on names stand in quotes
   there, as in ocamlc's own first error, and nowhere else. *)
let printed report =
  let before = Format.flush_str_formatter () in
  Location.input_lexbuf := None;
  (* In OCaml 5 all but the first begin with an empty line. *)
  Location.reset ();
  Location.print_report Format.str_formatter report;
  let text = Format.flush_str_formatter () in
  if before <> "" then Format.fprintf Format.str_formatter "%s%!" before;
  renumbered text

(* Whether the words of an error are the program's own, as those of an extension node are.
   Not every version lets others see the exceptions that carry these: they go by name. *)
let worded_by_program = function
  | Location.Error _ | Typecore.Error (_, _, Invalid_format _) -> true
  | e -> List.mem "Error_forward" (String.split_on_char '.' (Printexc.exn_slot_name e))

(* The words of an error after "Error:", without quotes. *)
let words e (report : Location.report) =
  (* A program can name any file in front of its error. *)
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

let failure e =
  match
    match Location.error_of_exn e with
    | Some (`Ok report) ->
      (* In this order: the first to be printed names what has no name. *)
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

let rec unbound = function
  (* From 5.2 on operators stand in parentheses. *)
  | "Unbound" :: "value" :: "(" :: name :: ")" :: rest ->
    unbound ("Unbound" :: "value" :: name :: rest)
  | "Unbound" :: "value" :: name :: rest when name.[0] = '(' && name <> "(" ->
    unbound ("Unbound" :: "value" :: String.sub name 1 (String.length name - 2) :: rest)
  (* From 5.4 on a hint is not announced. *)
  | [ "Unbound"; kind; name ] | "Unbound" :: kind :: name :: ("Hint:" | "Did") :: _ ->
    Some (kind, name)
  | "Unbound" :: kind :: more :: name -> unbound ("Unbound" :: (kind ^ " " ^ more) :: name)
  | _ -> None

(* Typing records each item once it is done with it, and at last the whole. *)
let left_by env = function
  | Cmt_format.Partial_structure { str_final_env; _ } :: _ -> str_final_env
  | _ -> env

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

let undo env structure =
  let before = Type_compat.snapshot () in
  match attempt env structure with
  | Typed _ as typed -> typed
  | Failed _ as failed -> Type_compat.backtrack before; failed

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

(* A value whose type a later item can still change, so a failing one may have. *)
let is_open (binding : Typedtree.value_binding) =
  (not (Typecore.is_nonexpansive binding.vb_expr))
  && has_weak (Format.asprintf "%a" Printtyp.type_scheme binding.vb_pat.pat_type)

let rec leaves_open (item : Typedtree.structure_item) =
  match item.str_desc with
  | Tstr_value (_, bindings) -> List.exists is_open bindings
  | Tstr_module { mb_expr = m; _ } | Tstr_include { incl_mod = m; _ } -> holds_open m
  | _ -> false

and holds_open (m : Typedtree.module_expr) =
  match m.mod_desc with
  | Tmod_structure { str_items; _ } -> List.exists leaves_open str_items
  | _ -> false

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
      (* Else that before the last good item was recorded, that after it was not. *)
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

let open_items () =
  match Cmt_format.get_saved_types () with
  | Partial_structure { str_items; _ } :: _ ->
    List.filter_map
      (fun (item : Typedtree.structure_item) ->
        if leaves_open item then Some item.str_loc else None)
      str_items
  | _ -> []

let reset () =
  Cmt_format.clear ();
  Typecore.reset_delayed_checks ();
  Env.reset_required_globals ()
