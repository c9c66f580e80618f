(* Finds why ocamlc rejects a unit whose items type, by repeating its next steps, if this
   compiler version is supported. *)

(** How these steps end, except the writing of the result; None if that is unknown. *)
val fault :
  source:string -> unit_name:string -> Env.t -> Parsetree.structure -> (unit, exn) result option
