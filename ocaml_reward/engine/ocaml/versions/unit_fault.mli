(* Why ocamlc refuses a unit whose items type: what it does with them next, done once more,
   where its own library is known from there on. *)

(** The exception that ends it, if there is one that can be known. *)
val fault : source:string -> unit_name:string -> Env.t -> Parsetree.structure -> exn option
