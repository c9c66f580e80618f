(* What is known of a value from the text alone: whether it is made of what is given, and what
   it looks like.  What it looks like tells which branches are never taken. *)

open Parsetree

(** [Never]: there is none, for the expression raises, leaves or goes round.  [Known]: that
    number, or false or true as 0 or 1.  [Text]: that string or character, as source has it.
    [Block]: a constructor, a tuple ("") or a record with these parts.  [Function]: what gives
    this, whatever it takes.  [Chosen]: not made of what is given, which may yet decide which of
    several it is.  [Given]: what is given, as it is, or a constant.  [Natural]: made of what is
    given, and no number below 0.  [Made]: it may be made of what is given. *)
type t =
  | Never
  | Known of int
  | Text of string
  | Block of string * t list
  | Function of t
  | Constant
  | Chosen
  | Given
  | Natural
  | Made

(** May it be made of what is given, or have a part that is? *)
val is_made : t -> bool

(** May what is given decide which of several it is? *)
val is_chosen : t -> bool

(** Does such a condition ask for what is given? *)
val asks : t -> bool

(** Is it a constant, what is given as it is, or none, whatever is given? *)
val untouched : t -> bool

(** The same where what is given decides whether it is this. *)
val choose : t -> t

(** The same without what it looks like. *)
val blur : t -> t

(** What is known of a value that may be either. *)
val join : t -> t -> t

(** What is known of one that may be any of these; never any of none. *)
val all : t list -> t

(** What a loop gives that may end in its body, by its condition and that. *)
val looped : t -> t -> t

(** What is known of a value that is worked out from these. *)
val built : t list -> t

(** A constructor's value, a tuple's or a record's. *)
val block : string -> t list -> t

(** A function of so many arguments. *)
val func : int -> t -> t

(** What such a value gives for these arguments. *)
val applied : t -> t list -> t

(** An expression as source. *)
val written : expression -> string

(** What a literal is. *)
val constant : expression -> t

(** A name that no module has. *)
val nameless : string

(** What a record of these fields is called. *)
val record : (Longident.t Location.loc * 'a) list -> string

(** The field of a record. *)
val field : Longident.t -> t -> t

(** Two values are equal, or are not, as far as that is known. *)
val equal : t -> t -> bool option

(** What an arithmetic or comparing operator gives, as far as that is known. *)
val folded : string -> t -> t -> t option

(** Does a value match a pattern? *)
type fit = No | Maybe | Yes

(** As far as that is known. *)
val fits : pattern -> t -> fit

(** What the names of a pattern stand for; a name may occur twice. *)
val parts : pattern -> t -> (string * t) list
