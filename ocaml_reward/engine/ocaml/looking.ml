open Parsetree

(* Does a program assign to fields or to references, and which methods does it define? *)
let over program =
  let assigns = ref false and methods = ref Names.Set.empty in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    (match e.pexp_desc with
     | Pexp_setfield _ -> assigns := true
     | Pexp_ident { txt; _ } when List.mem (Syntax.last_name txt) [ ":="; "incr"; "decr" ] ->
       assigns := true
     | _ -> ());
    default.Ast_iterator.expr self e
  in
  let class_field self f =
    (match f.pcf_desc with
     | Pcf_method ({ txt; _ }, _, Cfk_concrete _) -> methods := Names.Set.add txt !methods
     | _ -> ());
    default.class_field self f
  in
  let iterator = { default with expr; class_field } in
  iterator.structure iterator program;
  (!assigns, !methods)
