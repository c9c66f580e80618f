open Parsetree
open Scoping

type visitor = Ast_iterator.iterator

let default = Ast_iterator.default_iterator

let bindings t (self : visitor) ?item recursive bound =
  let bind_all general =
    List.iter (fun b -> bind ?item t ~general:(general b) b.pvb_pat) bound
  in
  if recursive = Asttypes.Recursive then bind_all (fun _ -> true);
  List.iter (self.value_binding self) bound;
  (* As it is outside, but for what is recursive. *)
  let general = List.map (fun b -> Scoping.general t b.pvb_expr) bound in
  List.iter2 (fun b general -> bind ?item t ~general b.pvb_pat) bound general

let argument t p = bind t ~general:false p

let expr t (self : visitor) e =
  let visit = self.expr self in
  let inside f =
    self.attributes self e.pexp_attributes;
    scoped t f
  in
  match e.pexp_desc with
  | Pexp_let (recursive, bound, body) ->
    inside (fun () -> bindings t self recursive bound; visit body)
  | Pexp_for (p, first, last, _, body) ->
    inside (fun () ->
        self.pat self p;
        visit first;
        visit last;
        argument t p;
        visit body)
  | Pexp_letop { let_; ands; body } ->
    inside (fun () ->
        List.iter (self.binding_op self) (let_ :: ands);
        List.iter (fun b -> argument t b.pbop_pat) (let_ :: ands);
        visit body)
  | _ -> (
    match Scopes.local e with
    | Some (Open o, body) ->
      inside (fun () -> self.open_declaration self o; opening t o.popen_expr; visit body)
    | Some (Module (name, m), body) ->
      inside (fun () ->
          self.module_expr self m;
          bind_module t t.content name.txt;
          visit body)
    | Some (Other, _) -> scoped t (fun () -> default.expr self e)
    | None ->
      let visited = ref false in
      scoped t (fun () -> visited := Functions.visited ~bind:(argument t) self e);
      if !visited then self.attributes self e.pexp_attributes else default.expr self e)

let case t (self : visitor) c =
  scoped t (fun () ->
      self.pat self c.pc_lhs;
      argument t c.pc_lhs;
      Option.iter (self.expr self) c.pc_guard;
      self.expr self c.pc_rhs)

let pat t (self : visitor) p =
  match p.ppat_desc with
  | Ppat_open ({ txt; _ }, _) -> scoped t (fun () -> put t txt; default.pat self p)
  | _ -> default.pat self p

(* ---- modules ------------------------------------------------------------------------ *)

(* What the attributes hold is no content. *)
let leaving t content = t.content <- content

let structure t (self : visitor) items =
  let outside = t.defined in
  t.defined <- nothing;
  scoped t (fun () -> List.iter (self.structure_item self) items);
  leaving t (Some t.defined);
  t.defined <- outside

let parameter t (self : visitor) p visit =
  match p with
  | Unit -> visit ()
  | Named (name, s) ->
    self.module_type self s;
    scoped t (fun () -> bind_module t None name.txt; visit ())

(* A functor's content is that of the modules it makes. *)
let module_expr t (self : visitor) m =
  let content =
    match m.pmod_desc with
    | Pmod_ident { txt; _ } -> Option.bind (names txt) (Scoping.content t.scope)
    | Pmod_structure items -> self.structure self items; t.content
    | Pmod_constraint (m, s) ->
      self.module_expr self m;
      let content = t.content in
      t.asked <- content;
      self.module_type self s;
      content
    | Pmod_functor (p, body) ->
      parameter t self p (fun () -> self.module_expr self body);
      t.content
    | Pmod_apply (f, m) ->
      self.module_expr self f;
      let content = t.content in
      self.module_expr self m;
      content
    | _ -> default.module_expr self m; None
  in
  self.attributes self m.pmod_attributes;
  leaving t content

let module_binding t (self : visitor) b =
  self.module_expr self b.pmb_expr;
  let content = t.content in
  self.attributes self b.pmb_attributes;
  leaving t content

let module_type t (self : visitor) s =
  let asked = t.asked and outside = t.promised in
  t.asked <- None;
  t.promised <- (match s.pmty_desc with Pmty_signature _ -> asked | _ -> None);
  (match s.pmty_desc with
   | Pmty_functor (p, result) ->
     self.attributes self s.pmty_attributes;
     parameter t self p (fun () -> self.module_type self result)
   | _ -> default.module_type self s);
  t.promised <- outside

let structure_item t (self : visitor) i =
  match i.pstr_desc with
  | Pstr_value (recursive, bound) -> bindings t self ~item:true recursive bound
  | Pstr_primitive v ->
    default.structure_item self i;
    bind_value ~item:true t true v.pval_name.txt
  | Pstr_module b ->
    self.module_binding self b;
    bind_module ~item:true t t.content b.pmb_name.txt
  | Pstr_recmodule bound ->
    List.iter (fun b -> bind_module ~item:true t None b.pmb_name.txt) bound;
    let visit b = self.module_binding self b; (t.content, b.pmb_name.txt) in
    let found = List.map visit bound in
    List.iter (fun (content, name) -> bind_module ~item:true t content name) found
  | Pstr_open o -> default.structure_item self i; opening t o.popen_expr
  | Pstr_include m -> default.structure_item self i; including t m.pincl_mod
  | _ -> default.structure_item self i

let signature t (self : visitor) items =
  scoped t (fun () -> List.iter (self.signature_item self) items)

let signature_item t (self : visitor) i =
  (match i.psig_desc with
   | Psig_recmodule declared ->
     List.iter (fun d -> bind_module t None d.pmd_name.txt) declared
   | _ -> ());
  default.signature_item self i;
  match i.psig_desc with
  | Psig_module d -> bind_module t None d.pmd_name.txt
  | Psig_modsubst s -> bind_module t None (Some s.pms_name.txt)
  | Psig_open o -> put t o.popen_expr.txt
  | Psig_include _ -> forget t
  | _ -> ()

(* ---- classes ------------------------------------------------------------------------ *)

let class_expr t (self : visitor) c =
  let inside f =
    self.attributes self c.pcl_attributes;
    scoped t f
  in
  match c.pcl_desc with
  | Pcl_fun (_, by_default, p, body) ->
    inside (fun () ->
        Option.iter (self.expr self) by_default;
        self.pat self p;
        argument t p;
        self.class_expr self body)
  | Pcl_let (recursive, bound, body) ->
    inside (fun () -> bindings t self recursive bound; self.class_expr self body)
  | Pcl_open (o, body) ->
    inside (fun () ->
        self.open_description self o;
        put t o.popen_expr.txt;
        self.class_expr self body)
  | _ -> default.class_expr self c

let class_type t (self : visitor) c =
  match c.pcty_desc with
  | Pcty_open (o, body) ->
    self.attributes self c.pcty_attributes;
    scoped t (fun () ->
        self.open_description self o;
        put t o.popen_expr.txt;
        self.class_type self body)
  | _ -> default.class_type self c

(* What a field starts with, and what is inherited, is worked out outside of the object. *)
let class_structure t (self : visitor) { pcstr_self; pcstr_fields } =
  let outer f = match f.pcf_desc with Pcf_val _ | Pcf_inherit _ -> true | _ -> false in
  let before, within = List.partition outer pcstr_fields in
  self.pat self pcstr_self;
  List.iter (self.class_field self) before;
  let name f =
    match f.pcf_desc with
    | Pcf_val ({ txt; _ }, _, _) | Pcf_inherit (_, _, Some { txt; _ }) -> bind_value t false txt
    | _ -> ()
  in
  scoped t (fun () ->
      argument t pcstr_self;
      List.iter name before;
      List.iter (self.class_field self) within)

let iterator t =
  { default with
    expr = expr t; case = case t; pat = pat t; structure = structure t;
    module_expr = module_expr t; module_binding = module_binding t;
    module_type = module_type t; structure_item = structure_item t; signature = signature t;
    signature_item = signature_item t; class_expr = class_expr t; class_type = class_type t;
    class_structure = class_structure t }
