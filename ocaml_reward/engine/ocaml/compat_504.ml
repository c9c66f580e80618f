(* What differs between compiler-libs versions: OCaml 5.4 and later. *)

open Parsetree

let dot a b = Longident.Ldot (Location.mknoloc a, Location.mknoloc b)

let parameter pattern =
  { pparam_loc = pattern.ppat_loc; pparam_desc = Pparam_val (Asttypes.Nolabel, None, pattern) }

let lambda pattern body =
  Ast_helper.Exp.function_ [ parameter pattern ] None (Pfunction_body body)

(* The patterns that a function node binds itself (its cases are visited apart). *)
let parameters e =
  match e.pexp_desc with
  | Pexp_function (parameters, _, _) ->
    List.filter_map
      (fun p -> match p.pparam_desc with Pparam_val (_, _, pattern) -> Some pattern | _ -> None)
      parameters
  | _ -> []

let is_function e = match e.pexp_desc with Pexp_function _ -> true | _ -> false

(* [fun () -> body] or [fun _ -> body]. *)
let unit_function_body e =
  match e.pexp_desc with
  | Pexp_function
      ( [ { pparam_desc =
              Pparam_val
                ( Asttypes.Nolabel, None,
                  { ppat_desc =
                      ( Ppat_any
                      | Ppat_construct ({ txt = Longident.Lident "()"; _ }, None) );
                    _ } );
            _ } ],
        _, Pfunction_body body ) ->
    Some body
  | _ -> None
