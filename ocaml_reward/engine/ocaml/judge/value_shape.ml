open Types

(* A value of this type cannot be rebuilt: it is abstract, a function, an object. *)
exception Shapeless

type table = {
  mutable next : int;
  mutable shapes : (int * string) list;
  mutable known : (type_expr * int) list;
}

let builtin path =
  match Path.name path with
  | "int" -> Some "i"
  | "char" -> Some "c"
  | "string" | "bytes" -> Some "s"
  | "float" -> Some "d"
  | "int32" -> Some "l"
  | "int64" -> Some "L"
  | "nativeint" -> Some "N"
  | "floatarray" -> Some "E"
  | _ -> None

let rec shape t env ty =
  let ty = Ctype.expand_head env ty in
  let is_known (other, _) =
    Type_compat.id other = Type_compat.id ty || Ctype.is_equal env false [ ty ] [ other ]
  in
  let is_variable = match Type_compat.desc ty with Tvar _ | Tunivar _ -> true | _ -> false in
  match List.find_opt is_known t.known with
  | Some (_, number) when not is_variable -> number
  | _ ->
    if t.next > 200 then raise Shapeless;
    let number = t.next in
    t.next <- number + 1;
    if not is_variable then t.known <- (ty, number) :: t.known;
    let text = described t env ty in
    t.shapes <- (number, text) :: t.shapes;
    number

and fields t env types = List.map (fun ty -> string_of_int (shape t env ty)) types

and described t env ty =
  match Type_compat.desc ty with
  | Tvar _ | Tunivar _ -> "u"
  | Tpoly (ty, []) -> described t env (Ctype.expand_head env ty)
  | Ttuple _ as tuple ->
    String.concat " " ("T" :: fields t env (List.map snd (Path_compat.tuple_type tuple)))
  | Tconstr (path, arguments, _) -> (
    match builtin path with
    | Some word -> word
    | None when Path.name path = "array" -> (
      let element = Ctype.expand_head env (List.hd arguments) in
      match Type_compat.desc element with
      | Tconstr (p, _, _) when Path.name p = "float" -> "E"
      | Tvar _ -> "u"
      | _ -> "A " ^ string_of_int (shape t env element))
    | None -> declared t env arguments (Env.find_type path env))
  | _ -> raise Shapeless

and declared t env arguments d =
  let instance ty = Ctype.apply env d.type_params ty arguments in
  let all types = fields t env (List.map instance types) in
  match d.type_kind with
  | Type_record (labels, Record_regular) ->
    String.concat " " ("T" :: all (List.map (fun l -> l.ld_type) labels))
  | Type_record (_, Record_float) -> "E"
  | Type_variant (constructors, kind) when List.for_all (fun c -> c.cd_res = None) constructors ->
    (match (constructors, kind) with
     | [ { cd_args = Cstr_tuple [ _ ]; _ } ], Variant_unboxed -> raise Shapeless
     | _ -> ());
    let arguments c =
      match c.cd_args with
      | Cstr_tuple types -> types
      | Cstr_record labels -> List.map (fun l -> l.ld_type) labels
    in
    let blocks = List.filter (fun c -> c.cd_args <> Cstr_tuple []) constructors in
    let block tag c = Printf.sprintf "%d:%s" tag (String.concat "," (all (arguments c))) in
    String.concat " "
      ("V"
       :: string_of_int (List.length constructors - List.length blocks)
       :: List.mapi block blocks)
  | _ -> raise Shapeless

let written env ty =
  let t = { next = 0; shapes = []; known = [] } in
  ignore (shape t env ty);
  List.sort compare t.shapes |> List.map snd |> String.concat ";"

(* Where a call stands that waits for a shape; no other expression has such a place. *)
let place number =
  let position = { Lexing.pos_fname = "given"; pos_lnum = number; pos_bol = 0; pos_cnum = 0 } in
  { Location.loc_start = position; loc_end = position; loc_ghost = true }

let is_waiting (e : Parsetree.expression) =
  match e.pexp_desc with
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, _) ->
    txt = (Syntax.within Units.rebuild "given").txt
  | _ -> false

(* The program with each call that waits changed, by its number in the order of the text. *)
let numbered change program =
  let count = ref 0 in
  let default = Ast_mapper.default_mapper in
  let expr self (e : Parsetree.expression) =
    let e = default.Ast_mapper.expr self e in
    if is_waiting e then (incr count; change !count e) else e
  in
  let mapper = { default with expr } in
  let program = mapper.structure mapper program in
  (program, !count)

let filled env program =
  match numbered (fun number e -> { e with pexp_loc = place number }) program with
  | _, 0 -> program
  | placed, count -> (
    match Type_items.attempt env placed with
    | Failed _ -> failwith "the program that applies predicates does not type"
    | Typed _ ->
      let found = Array.make (count + 1) None in
      let iterator = Tast_iterator.default_iterator in
      let expr self (e : Typedtree.expression) =
        let number = e.exp_loc.loc_start.pos_lnum in
        if e.exp_loc = place number then found.(number) <- Some (written e.exp_env e.exp_type);
        iterator.expr self e
      in
      let visit = { iterator with expr } in
      (match Cmt_format.get_saved_types () with
       | Partial_structure structure :: _ -> visit.structure visit structure
       | _ -> raise Shapeless);
      let fill number (e : Parsetree.expression) =
        match (found.(number), e.pexp_desc) with
        | Some text, Pexp_apply (f, [ _; index ]) ->
          let text = Ast_helper.(Exp.constant (Const.string text)) in
          { e with pexp_desc = Pexp_apply (f, [ (Nolabel, text); index ]) }
        | _ -> raise Shapeless
      in
      fst (numbered fill program))
