(* Tests that were compiled against an interface that many completions share need not be
   typed again for each.  What is kept goes with the checker, and saves nothing but time:
   it is what compiling the tests once more would give. *)

(** The bytecode that is kept, by the digest of the tests and the key of the interface. *)
val kept : (string * string, string * Compiled_unit.t) Hashtbl.t

(** The bytecode of tests with this digest, against [signature]; errors are not kept. *)
val compiled :
  digest:string ->
  signature:Types.signature ->
  (unit -> (string * Compiled_unit.t, 'a) result) ->
  (string * Compiled_unit.t, 'a) result

(** The program that tells answers with this digest, beside the types with this key. *)
val linked :
  digest:string -> types:string -> (unit -> (string, 'a) result) -> (string, 'a) result
