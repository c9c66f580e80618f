(* Small pieces of syntax that the rewriting of tests reads and writes. *)

open Parsetree

(** Tests that cannot be turned into checks: the line, and the construct. *)
exception Unsupported of int * string

(** The harness's unit.  This name and those below cannot be written in source: the code under
    test can neither define nor shadow them.  Our units go by their own names, for an alias
    would cost the type checker a copy of the unit; the code goes by one that can stand for a
    module inside the tests. All begin like a module's: the compiler takes the record of an
    exception for a type's constructor otherwise, and stops. *)
val harness : string

(** The pristine library's unit. *)
val pristine : string

(** The module that the code is inside the tests. *)
val solution : string

(** A path in it. *)
val in_solution : Longident.t -> Longident.t

(** The name under which tests keep a library at hand. *)
val aside : string -> string

(** The unit that runs the cases of a framework's suites. *)
val suites : string

(** The unit that stands in for OUnit2. *)
val ounit : string

(** A name or path at no place. *)
val nowhere : 'a -> 'a Location.loc

(** A name alone as a path. *)
val lident : string -> Longident.t Location.loc

(** A name in a module as a path. *)
val within : string -> string -> Longident.t Location.loc

(** The value that a path names. *)
val value : ?loc:Location.t -> Longident.t Location.loc -> expression

(** A function on arguments without labels. *)
val call : ?loc:Location.t -> expression -> expression list -> expression

(** An integer. *)
val int : int -> expression

(** [fun () -> e] *)
val thunk : expression -> expression

(** [ignore e], by the pristine library's name. *)
val ignored : expression -> expression

(** [()] *)
val unit_pattern : unit -> pattern

(** The line that a place starts on. *)
val line_of : Location.t -> int

(** The last name of a path; of an application of functors, the empty one. *)
val last_name : Longident.t -> string

(** Modules of frameworks for tests that are not known here. *)
val unknown_frameworks : string list

(** Does any expression satisfy [holds] in what an iterator is sent through, or any module that is
    named there [names_module]?  With [now] not in what is only evaluated once something calls or
    forces it. *)
val somewhere :
  ?now:bool ->
  ?names_module:(Longident.t -> bool) ->
  (expression -> bool) ->
  (Ast_iterator.iterator -> unit) ->
  bool

(** Does any sub-expression satisfy [holds]? *)
val exists : (expression -> bool) -> expression -> bool

(** Is an expression a value with one of those as its last name? *)
val is_named : string list -> expression -> bool

(** May a pattern not match? *)
val is_refutable : pattern -> bool

(** Is a pattern there to match, or else to fail: [4]? *)
val asserts_by_pattern : pattern -> bool

(** Functions that end by raising. *)
val raising : string list

(** An expression that judges: it asserts, or calls a function that does.  [exit 0] only
    ends the tests. *)
val judges : string list -> expression -> bool

(** Likewise for all that an iterator is sent through; with [now] but for what is only evaluated
    once something calls or forces it.  Without [raises] it is no judging just to raise. *)
val judged : ?now:bool -> ?raises:bool -> string list -> (Ast_iterator.iterator -> unit) -> bool

(** Operators that compare any two values. *)
val comparisons : string list

(** Is an expression one of these operators? *)
val is_comparison : expression -> bool

(** The elements of a list that is written out. *)
val literal_list : expression -> expression list option

(** Is an expression this constant constructor? *)
val is_constructor : string -> expression -> bool

(** How often a structure mentions a bare value name. *)
val count_mentions : structure -> string -> int

(** The patterns that stand right inside a pattern. *)
val sub_patterns : pattern -> pattern list

(** The parts of a tuple's pattern; none of any other. *)
val tuple_patterns : pattern -> pattern list

(** Puts [other] first names in the place of those that paths to values, modules and types have. *)
val with_roots : (string -> string option) -> Ast_mapper.mapper

(** Parses a text as the file of that name; raises what the parser does. *)
val parse_text : (Lexing.lexbuf -> 'a) -> string -> string -> 'a
