type typed = {
  structure : Typedtree.structure;
  coercion : Typedtree.module_coercion;
  signature : Types.signature;
  whole : Types.signature;
}

let type_items env program =
  Cmt_format.clear ();
  Env.reset_required_globals ();
  Typecore.reset_delayed_checks ();
  Whole.type_items env program

let close_unit ~source ~shown env program items =
  let whole = Whole.simplified items in
  let all = Whole.coercion ~source ~marks:true env items whole in
  Whole.check_closed items whole;
  Signatures.normalize whole;
  Typecore.force_delayed_checks ();
  Linkage.note_alerts program;
  let seen = Signatures.only shown whole in
  let hidden = List.compare_lengths seen whole < 0 in
  let coercion =
    if hidden then Whole.coercion ~source ~marks:false env items seen else all
  in
  { structure = Whole.structure items; coercion; signature = seen; whole }

let close_alone items =
  ignore (Whole.simplified items);
  Typecore.force_delayed_checks ();
  let signature = Whole.signature items in
  { structure = Whole.structure items; coercion = Tcoerce_none; signature; whole = signature }

let bytecode unit_name { structure; coercion; _ } =
  let program = Translmod.transl_implementation unit_name (structure, coercion) in
  let code, relocations = Emitting.bytecode (Simplif.simplify_lambda program.code) in
  {
    Objects.code;
    relocations;
    required = List.map Ident.name (Ident.Set.elements program.required_globals);
  }

let read_program path =
  let input = open_in_bin path in
  let globals, primitives, data = Emitting.sections input in
  close_in input;
  { Objects.globals; size = Obj.size data; primitives = Objects.words primitives }
