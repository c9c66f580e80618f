(* Why ocamlc refuses a unit whose items type: what it does with them next, done once more,
   where its own library is known from there on. *)

(** How that ends, but for writing the result; nothing where that cannot be known. *)
val fault :
  source:string -> unit_name:string -> Env.t -> Parsetree.structure -> (unit, exn) result option
