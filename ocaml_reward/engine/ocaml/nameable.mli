(* By how many names the tests can call an exception of the code's, or a constructor of an
   extensible type.  Two that are one do no harm where the tests have a name for one only. *)

open Parsetree

(** The standard library's modules that have exceptions. *)
val library : Names.Set.t

(** What a program's modules hold, as far as they are written out, and by which paths. *)
type t

(** Modules that double themselves have no end. *)
exception Too_many

(** Of such a program, for such tests; with what tells that a signature hides all exceptions. *)
val of_structure : hides:(module_type -> bool) -> structure -> tests:structure -> t

(** The module that is named there, to be included or to have another name, or the constructor
    that gets another: has all of it one name in the tests at most, as far as that can be
    told? *)
val is_harmless : t -> Location.t -> bool
