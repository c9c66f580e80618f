(* Finds why ocamlc rejects a unit whose items type, by repeating its next steps, if this
   compiler version is supported. *)

(** The exception, if known. *)
val fault : source:string -> unit_name:string -> Env.t -> Parsetree.structure -> exn option
