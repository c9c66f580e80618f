(* An iterator that adds the names in patterns, types, classes and signatures to the needs of the
   current part. *)

open Parsetree
open Program_parts

(* The iterator that notes the names in the state. *)
let iterator s =
  let pat p =
    match p.ppat_desc with
    | Ppat_construct (path, _) -> used s Member path
    | Ppat_record (fields, _) -> List.iter (fun (path, _) -> used s Member path) fields
    | Ppat_type path -> used s Type path
    | _ -> ()
  in
  let typ t =
    match t.ptyp_desc with
    | Ptyp_constr (path, _) -> used s Type path
    | Ptyp_class (path, _) -> used s Class path
    | _ -> ()
  in
  let module_type t =
    match t.pmty_desc with
    | Pmty_ident path -> used s Module_type path
    | Pmty_alias path -> used ~whole:true s Module path
    | _ -> ()
  in
  let class_expr c = match c.pcl_desc with Pcl_constr (path, _) -> used s Class path | _ -> () in
  let class_type c = match c.pcty_desc with Pcty_constr (path, _) -> used s Class path | _ -> () in
  let extension c = match c.pext_kind with Pext_rebind path -> used s Member path | _ -> () in
  let extended t = used s Type t.ptyext_path in
  (* Attributes belong to no part. *)
  let attribute _ a =
    let p = part s (start_of a.attr_loc) (stop_of a.attr_loc) in
    p.needs <- Ints.empty
  in
  let attributes self = List.iter (self.Ast_iterator.attribute self) in
  let open Visit in
  { (each ~pat ~typ ~module_type ()) with
    class_expr = before class_expr default.class_expr;
    class_type = before class_type default.class_type;
    extension_constructor = before extension default.extension_constructor;
    type_extension = before extended default.type_extension;
    attribute;
    attributes }
