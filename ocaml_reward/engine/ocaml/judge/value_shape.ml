(* Describes how a value of a type is represented, so that rebuild.ml can check a returned value
   before rebuilding it, and literals.py can print it as OCaml.

   Shapes are numbered, the first is the whole value's:
   u                any value: a predicate that is general in its type cannot look into it
   i c              an integer; a character
   s d l L N        a string, a float, an int32, an int64, a nativeint
   T 1 2            a tuple with parts of shapes 1 and 2
   R 1:x 2:y        a record, with its labels
   A 1              an array
   E  E x y         an array of floats; a record of floats alone
   V A,B 1::C 2,3:x,y:D
                    a variant: its constant constructors, and those of each tag; an inline
                    record has labels
   P 5:A 6:B:1      a polymorphic variant: by their numbers the names that are known, and
                    the shapes of what they hold
   x                an exception
   ?                abstract, a function, an object: nothing that can be rebuilt, as are the
                    two above *)

open Types

(* Values of this type cannot be rebuilt: abstract, a function, an object. *)
exception Shapeless

type table = {
  mutable next : int;
  mutable shapes : (int * string) list;
  mutable known : (type_expr * int) list;
}

(* The shape of what cannot be rebuilt. *)
let unknown = "?"

(* The most types in one shape. *)
let most_shapes = 200

(* The shape of a built-in type; None for other types. *)
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
  | "exn" -> Some "x"
  | _ -> None

(* The number of a type's shape, which is added to the table. *)
let rec shape t env ty =
  let ty = Ctype.expand_head env ty in
  let is_known (other, _) =
    Type_compat.id other = Type_compat.id ty || Ctype.is_equal env false [ ty ] [ other ]
  in
  let is_variable = match Type_compat.desc ty with Tvar _ | Tunivar _ -> true | _ -> false in
  match List.find_opt is_known t.known with
  | Some (_, number) when not is_variable -> number
  | _ ->
    let number = t.next in
    t.next <- number + 1;
    if not is_variable then t.known <- (ty, number) :: t.known;
    let text =
      if number > most_shapes then unknown
      else match described t env ty with text -> text | exception _ -> unknown
    in
    t.shapes <- (number, text) :: t.shapes;
    number

(* The text of this number. *)
and part t env ty = string_of_int (shape t env ty)

(* The text of a type's shape. *)
and described t env ty =
  match Type_compat.desc ty with
  | Tvar _ | Tunivar _ -> "u"
  | Tpoly (ty, []) -> described t env (Ctype.expand_head env ty)
  | Ttuple _ as tuple ->
    let types = List.map snd (Path_compat.tuple_type tuple) in
    String.concat " " ("T" :: List.map (part t env) types)
  | Tvariant row -> String.concat " " ("P" :: List.filter_map (tag t env) (Type_compat.tags row))
  | Tconstr (path, arguments, _) -> (
    match builtin path with
    | Some word -> word
    | None when Path.name path = "array" -> (
      let element = Ctype.expand_head env (List.hd arguments) in
      match Type_compat.desc element with
      | Tconstr (p, _, _) when Path.name p = "float" -> "E"
      | Tvar _ -> "u"
      | _ -> "A " ^ part t env element)
    | None -> declared t env arguments (Env.find_type path env))
  | _ -> unknown

(* The text of a tag of a polymorphic variant; None if the tag holds several types. *)
and tag t env (name, held) =
  let number = Btype.hash_variant name in
  match held with
  | [] -> Some (Printf.sprintf "%d:%s" number name)
  | [ ty ] -> Some (Printf.sprintf "%d:%s:%s" number name (part t env ty))
  | _ -> None

(* The text of the shape of a declared type. *)
and declared t env arguments d =
  let instance ty = part t env (Ctype.apply env d.type_params ty arguments) in
  let labels = List.map (fun l -> Ident.name l.ld_id) in
  match d.type_kind with
  | Type_record (fields, Record_regular) ->
    String.concat " "
      ("R" :: List.map (fun l -> instance l.ld_type ^ ":" ^ Ident.name l.ld_id) fields)
  | Type_record (fields, Record_float) -> String.concat " " ("E" :: labels fields)
  | Type_variant (constructors, kind) when List.for_all (fun c -> c.cd_res = None) constructors ->
    (match (constructors, kind) with
     | [ { cd_args = Cstr_tuple [ _ ]; _ } ], Variant_unboxed -> unknown
     | _ ->
       let constants, blocks = List.partition (fun c -> c.cd_args = Cstr_tuple []) constructors in
       let name c = Ident.name c.cd_id in
       let block c =
         let types, labels =
           match c.cd_args with
           | Cstr_tuple types -> (types, [])
           | Cstr_record fields -> (List.map (fun l -> l.ld_type) fields, labels fields)
         in
         let commas = String.concat "," in
         Printf.sprintf "%s:%s:%s" (commas (List.map instance types)) (commas labels) (name c)
       in
       String.concat " "
         ("V" :: String.concat "," (List.map name constants) :: List.map block blocks))
  | _ -> unknown

(* The shapes of a type in the order of their numbers. *)
let written env ty =
  let t = { next = 0; shapes = []; known = [] } in
  ignore (shape t env ty);
  List.sort compare t.shapes |> List.map snd

(* ---- calls that wait for a shape ----------------------------------------------------- *)

(* A location that no other expression has. *)
let place number =
  let position = { Lexing.pos_fname = "rebuilt"; pos_lnum = number; pos_bol = 0; pos_cnum = 0 } in
  { Location.loc_start = position; loc_end = position; loc_ghost = true }

type call = Rebuilt | Sent

(* Which call waits for a shape; None for other expressions. *)
let call (e : Parsetree.expression) =
  match e.pexp_desc with
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt; _ }; _ }, _) ->
    let is unit name = txt = (Syntax.within unit name).txt in
    if is Units.rebuild "returned_value" then Some Rebuilt
    else if is Units.harness "send_value" || is Units.harness "send_whole_value" then Some Sent
    else None
  | _ -> None

(* The program with [change] applied to each call that waits for a shape, with its number in the
   order of the text; and the number of calls. *)
let numbered change program =
  let count = ref 0 in
  let expr self (e : Parsetree.expression) =
    let e = Visit.mapper.expr self e in
    match call e with
    | Some kind ->
      incr count;
      change !count kind e
    | None -> e
  in
  let program = Visit.map program { Visit.mapper with expr } in
  (program, !count)

(* The type of the value that a call rebuilds or sends. *)
let type_of kind (e : Typedtree.expression) =
  (* From OCaml 5.5 on a parameter's type is a scheme without variables. *)
  let plain ty = match Type_compat.desc ty with Tpoly (ty, []) -> ty | _ -> ty in
  let arrow ty =
    match Type_compat.desc ty with Tarrow (_, a, b, _) -> (plain a, b) | _ -> raise Shapeless
  in
  match (kind, e.exp_desc) with
  | Rebuilt, _ -> e.exp_type
  | Sent, Texp_apply (f, _) ->
    let thunk = f.exp_type |> arrow |> snd |> arrow |> fst in
    snd (arrow thunk)
  | Sent, _ -> raise Shapeless

(* Whether a value of a shape can be rebuilt. *)
let is_rebuilt text = text <> unknown && text.[0] <> 'P' && text.[0] <> 'x'

(* The call with its shapes.  Raises Shapeless if its value cannot be rebuilt. *)
let filled_in kind shapes (e : Parsetree.expression) =
  let text = Ast_helper.(Exp.constant (Const.string (String.concat ";" shapes))) in
  match (kind, e.pexp_desc) with
  | Rebuilt, Pexp_apply (f, [ _; index ]) when List.for_all is_rebuilt shapes ->
    { e with pexp_desc = Pexp_apply (f, [ (Nolabel, text); index ]) }
  | Sent, Pexp_apply (_, (_, number) :: _) ->
    let says = Syntax.(call (value (within Units.harness "shaped")) [ number; text ]) in
    Ast_helper.Exp.sequence says e
  | _ -> raise Shapeless

(* The program with the shape of each value that it sends or applies a predicate to.  Raises
   Shapeless if a value for a predicate cannot be rebuilt, Failure if such a program does not
   type. *)
let filled env program =
  let given = ref false in
  let placed, count =
    numbered
      (fun number kind e ->
        if kind = Rebuilt then given := true;
        { e with pexp_loc = place number })
      program
  in
  let found = Array.make (count + 1) None in
  let iterator = Tast_iterator.default_iterator in
  let expr self (e : Typedtree.expression) =
    let number = e.exp_loc.loc_start.pos_lnum in
    if e.exp_loc = place number then found.(number) <- Some e;
    iterator.expr self e
  in
  let visit = { iterator with expr } in
  (match if count = 0 then Type_items.Failed None else Type_items.attempt env placed with
   | Failed _ -> if !given then failwith "the program that applies predicates does not type"
   | Typed _ -> (
     match Cmt_format.get_saved_types () with
     | Partial_structure structure :: _ -> visit.structure visit structure
     | _ -> ()));
  let fill number kind e =
    match Option.map (fun e -> written e.Typedtree.exp_env (type_of kind e)) found.(number) with
    | Some shapes -> filled_in kind shapes e
    | None | (exception _) -> if kind = Rebuilt then raise Shapeless else e
  in
  fst (numbered fill program)
