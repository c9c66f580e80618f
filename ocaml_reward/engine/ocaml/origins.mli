(* What is known of values as they are followed through a program, and what its names mean. *)

open Parsetree

(** What is known by a name: the value, or what the function gives; what that takes; and what
    the value was made from. *)
type cell = {
  mutable value : Values.t;
  mutable takes : Values.t list;
  mutable driven : bool;  (* what is given may decide whether it is called *)
  mutable acts : bool;  (* who calls it has something done, besides what it gives *)
  sources : cell list;
  arity : int;  (* 0 of what is no function *)
  omits : bool;  (* some of its arguments may be left out *)
  outlives : bool;  (* it may be there before the function that it is used in, or behind it *)
  alias : (string list * Types.type_expr) option;  (* the library's function that it is *)
}

(** What is in scope. *)
type env = {
  names : (cell * int) Names.Map.t;  (* by their paths, as "M.f", and since when *)
  opens : (string list * int) list;  (* of the library's modules *)
  blind : int;  (* since then a module of the program's own may hide any name *)
  now : int;
  own : string list;  (* modules of the program's own *)
  within : cell list;  (* functions in whose definitions this is *)
  driven : bool;  (* what is given decides whether this is done *)
  asking : bool;  (* the same, in the function itself that this is in *)
}

(** Nothing but the library. *)
val empty : env

(** Nobody writes such a program, and the stack has an end. *)
exception Lost

(** What was found out so far, round after round. *)
type state = {
  cells : (int * int * string, cell) Hashtbl.t;
  mutable changed : bool;
  mutable depth : int;
  mutable steps : int;
  mutable prints : bool;  (* something of what is given goes to standard output *)
  (* In the definition that is looked at something is changed that outlives it, or printed. *)
  mutable acting : bool;
  mutates : bool;  (* fields or references are assigned to somewhere in the program *)
  methods : Names.Set.t;  (* that the program defines *)
  (* What is in scope behind such a module in an expression, where it can be followed. *)
  mutable local_module : state -> env -> string -> module_expr -> env option;
  unknown : Values.t;  (* what nobody knows *)
  mutable works : bool;  (* something is done with what is given, if only in vain *)
  mutable reads : bool;  (* input is read somewhere *)
  whole : bool;  (* nobody else calls its functions, and its input has an end *)
  mutable layer : string;  (* what is followed apart, at the same places, has cells of its own *)
}

(** Nothing so far, of this program.  What nobody knows may be made of what is given, unless it
    is said to be [unknown] otherwise; what reads may go on for ever, and others may call what
    is defined, but for a [whole] program. *)
val start : ?unknown:Values.t -> ?whole:bool -> structure -> state

(** Counts a step; raises Lost where there are too many. *)
val step : state -> unit

(** A cell's value may be this as well. *)
val raise_to : state -> cell -> Values.t -> unit

(** A function takes these as well, one for each parameter and behind them [rest], which may be
    anything unless given; where that is [driven]. *)
val take : state -> cell -> driven:bool -> ?rest:Values.t -> Values.t list -> unit

(** The same of nobody in particular, who has not called it. *)
val offer : state -> cell -> driven:bool -> ?rest:Values.t -> Values.t list -> unit

(** Looks at a definition: what it does is done by what it stands in, unless at the [top]. *)
val apart : state -> top:bool -> (unit -> 'a) -> 'a

(** What a name stands for that was just bound to a value, with what is assigned to it. *)
val kept : env -> pattern -> Values.t -> Values.t

(** Hears what a function gives, and whether who calls it has something done. *)
val heard : state -> cell -> (Values.t -> unit) -> unit

(** Looks at the body of a function, and hears what it gives: what it does is done by its
    callers. *)
val attributed : state -> cell -> (unit -> Values.t) -> (Values.t -> unit) -> unit

(** What a name at a place has its cell by. *)
val key : Location.t -> string -> int * int * string

(** The cell of a name at a place, the same one in each round. *)
val cell :
  state ->
  ?arity:int ->
  ?omits:bool ->
  ?outlives:bool ->
  ?sources:cell list ->
  ?alias:string list * Types.type_expr ->
  Location.t ->
  string ->
  cell

(** With a name in scope. *)
val bind : env -> string -> cell -> env

(** With a module opened. *)
val opening : env -> module_expr -> env

(** What a name may mean: something of the program's, or of the library's, by its path and
    type. *)
type meaning = Own of cell | Standard of string list * Types.type_expr | Unknown

(** What a path means. *)
val meaning : env -> string list -> meaning

(** What an expression means that is a name. *)
val identifier : env -> expression -> meaning option

(** Something is done with this. *)
val take_up : state -> Values.t -> unit

(** What a name gives of which nobody knows what it means. *)
val of_unknown : state -> env -> expression -> Values.t

(** The program's values that are named in an expression, whatever for. *)
val mentioned : state -> env -> expression -> cell list

(** This is assigned to a value, or to a part of it, and so to what that is a part of. *)
val assigned : state -> Values.t -> cell -> unit

(** Is this an operator of which that may be told? *)
val is_folded : string -> bool

(** What an operator of the library gives, whatever is given, if that can be told. *)
val folded : env -> string -> expression -> expression -> Values.t * Values.t -> Values.t option

(** An expression whose value is asked for, or what is known of it. *)
type argument = Expression of expression | Value of Values.t

(** An expression without the types around it. *)
val plain : expression -> expression

(** The name that a pattern is, and its place. *)
val variable : pattern -> (string * Location.t) option

(** How many arguments a function takes; 0 of what is none. *)
val arity : expression -> int

(** May some of a function's arguments be left out? *)
val omits : expression -> bool

(** With this value deciding what is done. *)
val driven : env -> Values.t -> env

(** Binds the names of a pattern to what is matched. *)
val bind_pattern :
  state -> ?outlives:bool -> ?sources:cell list -> env -> pattern -> Values.t -> env

(** Whatever is named in there may be made of anything. *)
val lose : state -> env -> expression -> unit

(** Likewise in the expressions of what is visited. *)
val lose_within : state -> env -> (Ast_iterator.iterator -> unit) -> unit

(** Something is done with what is given, besides giving a value. *)
val act : state -> unit

(** The same, and it may be that something is printed. *)
val print : state -> unit

(** These are given to somebody who may write such values into them; it is no act of his where
    that is told elsewhere. *)
val written : state -> ?acts:bool -> env -> Values.t list -> argument list -> unit

(** A function takes these values, without a look at its body. *)
val feed : state -> env -> expression -> Values.t list -> unit
