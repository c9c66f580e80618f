open Parsetree

type t =
  | Never
  | Known of int
  | Text of string
  | Block of string * t list
  | Function of t
  | Constant
  | Chosen
  | Given
  | Natural
  | Made

let rec is_made = function
  | Made | Natural | Given -> true
  | Block (_, parts) -> List.exists is_made parts
  | Function result -> is_made result
  | Never | Known _ | Text _ | Constant | Chosen -> false

let rec is_chosen = function
  | Chosen -> true
  | Block (_, parts) -> List.exists is_chosen parts
  | Function result -> is_chosen result
  | _ -> false

let asks v = is_made v || is_chosen v

let rec untouched = function
  | Given -> true
  | Function result -> untouched result
  | v -> not (is_made v || is_chosen v)

let blurred ~made ~chosen = if made then Made else if chosen then Chosen else Constant

let blur = function
  | Never -> Never
  | v -> blurred ~made:(is_made v) ~chosen:(is_chosen v)

let rec choose = function
  | Constant -> Chosen
  | Given -> Made
  | Block (name, parts) -> Block (name, List.map choose parts)
  | Function result -> Function (choose result)
  | v -> v

let rec join a b =
  match (a, b) with
  | Never, x | x, Never -> x
  | Block (m, xs), Block (n, ys) when m = n && List.compare_lengths xs ys = 0 ->
    Block (m, List.map2 join xs ys)
  | Function x, Function y -> Function (join x y)
  | Natural, Known n | Known n, Natural when n >= 0 -> Natural
  | _ when a = b -> a
  | Given, v when untouched v -> Given
  | v, Given when untouched v -> Given
  | _ -> blurred ~made:(is_made a || is_made b) ~chosen:(is_chosen a || is_chosen b)

let all = List.fold_left join Never

let looped asked body =
  match body with
  | Known _ | Text _ | Constant | Block (_, []) -> Constant
  | _ -> if asks asked then Chosen else Constant

let built values =
  if List.mem Never values then Never else blur (List.fold_left join Constant values)

(* A value that doubles itself has no end. *)
let largest = 60

let rec size = function
  | Block (_, parts) -> List.fold_left (fun n part -> n + size part) 1 parts
  | Function result -> 1 + size result
  | _ -> 1

let bounded v = if size v > largest then blur v else v

let block name parts =
  if List.mem Never parts then Never else bounded (Block (name, parts))

let rec func arity result =
  if arity <= 0 then result else bounded (Function (func (arity - 1) result))

let rec applied f arguments =
  match (f, arguments) with
  | Never, _ -> Never
  | _, [] -> f
  | Function result, _ :: rest -> applied result rest
  | _ -> built (f :: arguments)

(* Not by [Pprintast.string_of_expression]: that throws away what the compiler is about to say. *)
let written e = Format.asprintf "%a" Pprintast.expression e

let constant e =
  match e.pexp_desc with
  | Pexp_constant c -> (
    match int_of_string_opt (Constants.integer c) with
    | Some n -> Known n
    | None -> (
      (* The printer writes equal ones alike, but for those between bars. *)
      match written e with
      | text when text <> "" && (text.[0] = '"' || text.[0] = '\'') -> Text text
      | _ -> Constant))
  | _ -> Constant

let nameless = "*"

let record fields =
  let name (({ txt; _ } : Longident.t Location.loc), _) = Syntax.last_name txt in
  "{" ^ String.concat ";" (List.map name fields)

let field path v =
  match v with
  | Block (name, parts) when name <> "" && name.[0] = '{' -> (
    let names = String.split_on_char ';' (String.sub name 1 (String.length name - 1)) in
    match List.assoc_opt (Syntax.last_name path) (List.combine names parts) with
    | Some part -> part
    | None -> blur v)
  | v -> blur v

let rec equal a b =
  match (a, b) with
  | Known a, Known b -> Some (a = b)
  | Text a, Text b -> Some (a = b)
  | (Natural, Known n | Known n, Natural) when n < 0 -> Some false
  | Block (m, xs), Block (n, ys) ->
    if m <> n || List.compare_lengths xs ys <> 0 then Some false
    else
      let found = List.map2 equal xs ys in
      if List.mem (Some false) found then Some false
      else if List.mem None found then None
      else Some true
  | _ -> None

let truth b = Known (Bool.to_int b)

let rec folded name a b =
  match (name, a, b) with
  | ("/" | "mod"), _, Known 0 -> Some Never
  | ("*" | "land"), Known 0, _ | ("*" | "land"), _, Known 0 | "mod", _, Known 1 -> Some (Known 0)
  | "min", Natural, Known n | "min", Known n, Natural when n <= 0 -> Some (Known n)
  | "max", Natural, Known n | "max", Known n, Natural when n <= 0 -> Some Natural
  | "+", Known x, Known y -> Some (Known (x + y))
  | "-", Known x, Known y -> Some (Known (x - y))
  | "*", Known x, Known y -> Some (Known (x * y))
  | ("+" | "*"), (Natural | Known _), (Natural | Known _) when join a b = Natural -> Some Natural
  | "=", _, _ -> Option.map truth (equal a b)
  | "<>", _, _ -> Option.map (fun same -> truth (not same)) (equal a b)
  | "<", Known x, Known y -> Some (truth (x < y))
  | "<", Natural, Known n when n <= 0 -> Some (truth false)
  | "<", Known n, Natural when n < 0 -> Some (truth true)
  | ">", _, _ -> folded "<" b a
  | ">=", _, _ -> opposite (folded "<" a b)
  | "<=", _, _ -> opposite (folded "<" b a)
  | _ -> None

and opposite = function Some (Known n) -> Some (Known (1 - n)) | _ -> None

type fit = No | Maybe | Yes

let of_bool b = if b then Yes else No

let both fits = if List.mem No fits then No else if List.mem Maybe fits then Maybe else Yes

let literal c = constant (Ast_helper.Exp.constant c)

let rec fits p v =
  match (p.ppat_desc, v) with
  | (Ppat_any | Ppat_var _), _ -> Yes
  | (Ppat_alias (p, _) | Ppat_constraint (p, _) | Ppat_open (_, p)), _ -> fits p v
  | Ppat_or (a, b), _ -> (
    match (fits a v, fits b v) with
    | Yes, _ | _, Yes -> Yes
    | No, No -> No
    | _ -> Maybe)
  | Ppat_constant c, _ -> (
    match equal (literal c) v with Some same -> of_bool same | None -> Maybe)
  | Ppat_construct ({ txt = Longident.Lident (("true" | "false") as name); _ }, _), Known n ->
    of_bool (Bool.to_int (name = "true") = n)
  | Ppat_construct ({ txt = Longident.Lident "()"; _ }, _), _ -> Yes
  | Ppat_construct ({ txt; _ }, _), Block (name, inside) ->
    if Syntax.last_name txt <> name then No else fit_all (Syntax.sub_patterns p) inside
  | Ppat_variant (label, _), Block (name, inside) ->
    if "`" ^ label <> name then No else fit_all (Syntax.sub_patterns p) inside
  | Ppat_tuple _, Block ("", inside) -> fit_all (Syntax.sub_patterns p) inside
  | Ppat_tuple _, _ -> both (List.map (fun p -> fits p (blur v)) (Syntax.sub_patterns p))
  | _ -> Maybe

and fit_all patterns values =
  if List.compare_lengths patterns values <> 0 then Maybe else both (List.map2 fits patterns values)

let rec parts p v =
  match (p.ppat_desc, v) with
  | Ppat_var { txt; _ }, _ -> [ (txt, v) ]
  | Ppat_alias (p, { txt; _ }), _ -> (txt, v) :: parts p v
  | (Ppat_constraint (p, _) | Ppat_open (_, p)), _ -> parts p v
  | Ppat_or (a, b), _ -> parts a v @ parts b v
  | (Ppat_construct _ | Ppat_variant _ | Ppat_tuple _), Block (_, inside)
    when List.compare_lengths (Syntax.sub_patterns p) inside = 0 ->
    List.concat (List.map2 parts (Syntax.sub_patterns p) inside)
  | Ppat_record (fields, _), _ ->
    List.concat_map (fun (({ txt; _ } : _ Location.loc), p) -> parts p (field txt v)) fields
  | _ -> List.map (fun name -> (name, blur v)) (Names.Set.elements (Names.pattern_names p))
