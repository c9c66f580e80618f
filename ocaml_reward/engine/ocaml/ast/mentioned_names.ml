(* An iterator that adds the names in patterns, types, classes and signatures to the needs of the
   current part. *)

open Parsetree
open Program_parts

let default = Ast_iterator.default_iterator

let iterator s =
  let pat self p =
    (match p.ppat_desc with
     | Ppat_construct (path, _) -> used s Member path
     | Ppat_record (fields, _) -> List.iter (fun (path, _) -> used s Member path) fields
     | Ppat_type path -> used s Type path
     | _ -> ());
    default.pat self p
  in
  let typ self t =
    (match t.ptyp_desc with
     | Ptyp_constr (path, _) -> used s Type path
     | Ptyp_class (path, _) -> used s Class path
     | _ -> ());
    default.typ self t
  in
  let class_expr self c =
    (match c.pcl_desc with Pcl_constr (path, _) -> used s Class path | _ -> ());
    default.class_expr self c
  in
  let class_type self c =
    (match c.pcty_desc with Pcty_constr (path, _) -> used s Class path | _ -> ());
    default.class_type self c
  in
  let module_type self t =
    (match t.pmty_desc with
     | Pmty_ident path -> used s Module_type path
     | Pmty_alias path -> used ~whole:true s Module path
     | _ -> ());
    default.module_type self t
  in
  let extension_constructor self c =
    (match c.pext_kind with Pext_rebind path -> used s Member path | _ -> ());
    default.extension_constructor self c
  in
  (* Attributes belong to no part. *)
  let attribute _ a =
    let p = part s (start_of a.attr_loc) (stop_of a.attr_loc) in
    p.needs <- Ints.empty
  in
  let attributes self = List.iter (self.Ast_iterator.attribute self) in
  { default with pat; typ; class_expr; class_type; module_type; extension_constructor;
    attribute; attributes }
