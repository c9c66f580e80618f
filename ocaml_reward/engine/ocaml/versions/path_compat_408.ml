(* What differs between compiler-libs versions in paths, tuples and modules as values: OCaml 4.08 to 5.3. *)

open Parsetree

let dot a b = Longident.Ldot (a, b)

let rec components = function
  | Longident.Lident name -> [ name ]
  | Longident.Ldot (path, name) -> components path @ [ name ]
  | Longident.Lapply (f, x) -> components f @ components x

let tuple e = match e.pexp_desc with Pexp_tuple parts -> parts | _ -> []
let tuple_of_types t = match t.ptyp_desc with Ptyp_tuple parts -> parts | _ -> []
let tuple_type (desc : Types.type_desc) =
  match desc with Ttuple types -> List.map (fun t -> (None, t)) types | _ -> []

let is_atomic (_ : Types.label_declaration) = false

let packed e = match e.pexp_desc with Pexp_pack m -> Some m | _ -> None
