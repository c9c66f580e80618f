(* Compiles a typed tree to bytecode, as ocamlc does without an interface. *)

type typed = {
  structure : Typedtree.structure;
  coercion : Typedtree.module_coercion;
  signature : Types.signature;  (* what other units see *)
  whole : Types.signature;
}

(* The first half of typing a unit: types its items.  Raises the error of an item. *)
let type_items env program =
  Cmt_format.clear ();
  Env.reset_required_globals ();
  Typecore.reset_delayed_checks ();
  Implementation_compat.type_items env program

(* The second half: the typed unit.  Raises an error of the whole.  Other units see only the values
   that are [shown]. *)
let close_unit ~source ~shown env program items =
  let whole = Implementation_compat.simplified items in
  let all = Implementation_compat.coercion ~source ~marks:true env items whole in
  Implementation_compat.check_closed items whole;
  Inferred_signatures.normalize whole;
  Typecore.force_delayed_checks ();
  Unit_compat.note_alerts program;
  let seen = Inferred_signatures.only shown whole in
  let hidden = List.compare_lengths seen whole < 0 in
  let coercion =
    if hidden then Implementation_compat.coercion ~source ~marks:false env items seen else all
  in
  { structure = Implementation_compat.structure items; coercion; signature = seen; whole }

(* The typed unit with an empty interface, which lets types stay open. *)
let close_alone items =
  ignore (Implementation_compat.simplified items);
  Typecore.force_delayed_checks ();
  let signature = Implementation_compat.signature items in
  {
    structure = Implementation_compat.structure items;
    coercion = Tcoerce_none;
    signature;
    whole = signature;
  }

(* Whether a unit ticks (ticks.ml): the tests' own does not, and of one that has code and tests only
   the code. *)
type ticking = Silent | Of_code | Ticking

(* Simplified as with -g: without, what other units see decides which functions are inlined, and so
   after how many steps code overflows the stack. *)
let simplified code =
  Misc.protect_refs [ R (Clflags.debug, true) ] (fun () -> Simplif.simplify_lambda code)

(* The unit's Lambda code, and the units that must be there. *)
let translated ticking unit_name { structure; coercion; _ } =
  let program = Translmod.transl_implementation unit_name (structure, coercion) in
  let code =
    match ticking with
    | Silent -> Simplif.simplify_lambda program.code
    | Of_code -> simplified (Ticks.added ~merged:true program.code)
    | Ticking -> simplified (Ticks.added ~merged:false program.code)
  in
  (code, program.required_globals)

(* The unit's bytecode. *)
let bytecode ticking unit_name typed =
  let lambda, required = translated ticking unit_name typed in
  let code, relocations = Bytecode_compat.bytecode lambda in
  {
    Compiled_unit.code;
    relocations;
    required = List.map Ident.name (Ident.Set.elements required);
  }

(* Reads a linked program's globals and primitives from its file. *)
let read_program path =
  let input = open_in_bin path in
  let globals, primitives, data = Bytecode_compat.sections input in
  close_in input;
  { Compiled_unit.globals; size = Obj.size data; primitives = Compiled_unit.strings_of_section primitives }
