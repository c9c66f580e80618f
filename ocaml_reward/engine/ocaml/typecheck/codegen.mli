(* From a tree to bytecode, as ocamlc does it for an implementation without an interface. *)

(** A unit that has typed. *)
type typed = {
  structure : Typedtree.structure;
  coercion : Typedtree.module_coercion;
  signature : Types.signature;  (* what other units see *)
  whole : Types.signature;
}

(** The first half of typing a unit: raises what is wrong with one of its items. *)
val type_items : Env.t -> Parsetree.structure -> Implementation_compat.items

(** The second: raises what is wrong with the whole.  Other units see no more of its values
    than those that are [shown]. *)
val close_unit :
  source:string ->
  shown:(string -> bool) ->
  Env.t ->
  Parsetree.structure ->
  Implementation_compat.items ->
  typed

(** Likewise with an empty interface, which lets types stay open. *)
val close_alone : Implementation_compat.items -> typed

(** The code of a unit of this name. *)
val bytecode : string -> typed -> Compiled_unit.t

(** What the file of a linked program says of it. *)
val read_program : string -> Compiled_unit.program
