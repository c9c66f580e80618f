(* Where code stands that a problem gives, amid a completion's. *)

(** Ranges of bytes in their order: the first and the one behind the last. *)
type t = (int * int) list

(** Reads the numbers of a request. *)
val of_words : string list -> t

(** What is left of a range. *)
val outside : t -> int * int -> (int * int) list

(** The items that begin elsewhere. *)
val own : t -> Parsetree.structure -> Parsetree.structure
