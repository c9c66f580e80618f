(* How data travels between our programs: netstrings ("5:hello,"), any bytes, no escaping. *)

(** One text as a netstring. *)
val encode : string -> string

(** Texts as netstrings, one behind the other. *)
val encode_all : string list -> string

(** The texts that netstrings hold; raises Failure, Not_found or Invalid_argument where the
    whole is not made of them. *)
val decode_all : string -> string list
