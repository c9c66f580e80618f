(* The scope at the end of the code, in which the tests run: modules that the code opened, and
   modules that it defines, which are not its file (code_file.ml).  If the problem has an
   interface, its types are not shadowed. *)

open Parsetree

(** The opened modules, the modules in scope, and the types of the code. *)
type t

(** The scope of code that opens nothing and defines nothing. *)
val nothing : t

(** The scope at the end of this code. (sauravbhattacharya001/Ocaml-sample-code test_rope.ml) *)
val of_code : structure -> t

(** The same of source, if it matters for [tests]; empty if it does not parse.
    (sauravbhattacharya001/Ocaml-sample-code crdt.ml) *)
val of_text : code:string -> tests:structure -> t

(** An item that declares these types to be the interface's. *)
val declaring : structure -> structure

(** The tests in that scope. *)
val before : t -> structure -> structure

(** A key of what [before] changes: "" if it changes nothing. *)
val key : t -> structure -> string
