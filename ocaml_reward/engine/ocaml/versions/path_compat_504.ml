(* What differs between compiler-libs versions in paths, tuples and modules as values: OCaml 5.4 and later. *)

open Parsetree

let dot a b = Longident.Ldot (Location.mknoloc a, Location.mknoloc b)

let rec components = function
  | Longident.Lident name -> [ name ]
  | Longident.Ldot (path, name) -> components path.txt @ [ name.txt ]
  | Longident.Lapply (f, x) -> components f.txt @ components x.txt

let tuple e = match e.pexp_desc with Pexp_tuple parts -> List.map snd parts | _ -> []
let tuple_of_types t =
  match t.ptyp_desc with
  | Ptyp_tuple parts when List.for_all (fun (label, _) -> label = None) parts -> List.map snd parts
  | _ -> []

let tuple_type (desc : Types.type_desc) = match desc with Ttuple parts -> parts | _ -> []

let is_atomic (field : Types.label_declaration) = field.ld_atomic = Asttypes.Atomic

let packed e = match e.pexp_desc with Pexp_pack (m, _) -> Some m | _ -> None
