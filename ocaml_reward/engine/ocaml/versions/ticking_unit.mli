(* Compiles a unit that ticks (ticks.ml), if this compiler version is supported. *)

(** Writes the object file of a unit that ocamlc has accepted, [merged] if the tests are part of it,
    [alone] if its interface is empty.  Raises the compiler's exceptions. *)
val write :
  source:string -> unit_name:string -> merged:bool -> alone:bool -> Env.t ->
  Parsetree.structure -> unit
