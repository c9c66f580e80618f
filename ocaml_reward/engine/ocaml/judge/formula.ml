(* Formulas over returned values and expected values; formulas.py reads their text. *)

type term =
  | Returned of int
  | Expected of int
  | Applied of int * int list
    (* the result of a predicate of the tests on returned values *)
  | Argument of int * int  (* an argument of the exception with this number *)
  | Apply of string * term list

(* True if a check passes. *)
type t =
  | Always of bool
  | And of t * t
  | Or of t * t
  | Not of t
  | Is of term
  | Done of term  (* no exception was raised *)
  | Compare of string * term * term  (* [=], [<] and their like *)
  | Order of string * term * term  (* [compare a b = 0] and its like *)
  | Raises of int * term  (* ends with this exception *)
  | Handles of int * ((term option * term option list) list * t) list
    (* ends with an exception: the formula of the first case that has its constructor (or any)
       and these arguments *)

(* The text of a list of words: "(a b c)". *)
let words parts = "(" ^ String.concat " " parts ^ ")"

(* The text of a term. *)
let rec term = function
  | Returned number -> words [ "returned"; string_of_int number ]
  | Expected number -> words [ "expected"; string_of_int number ]
  | Applied (number, values) -> words ("applied" :: List.map string_of_int (number :: values))
  | Argument (number, place) ->
    words [ "argument"; string_of_int number; string_of_int place ]
  | Apply (f, arguments) -> words ("apply" :: f :: List.map term arguments)

(* The text of a term, "_" for None. *)
let optional = function None -> "_" | Some t -> term t

(* The text of a formula. *)
let rec to_string = function
  | Always holds -> words [ string_of_bool holds ]
  | And (a, b) -> words [ "and"; to_string a; to_string b ]
  | Or (a, b) -> words [ "or"; to_string a; to_string b ]
  | Not a -> words [ "not"; to_string a ]
  | Is a -> words [ "is"; term a ]
  | Done a -> words [ "done"; term a ]
  | Compare (operator, a, b) -> words [ "compare"; operator; term a; term b ]
  | Order (operator, a, b) -> words [ "order"; operator; term a; term b ]
  | Raises (number, a) -> words [ "raises"; string_of_int number; term a ]
  | Handles (number, cases) ->
    let pattern (constructor, arguments) =
      words (optional constructor :: List.map optional arguments)
    in
    let case (patterns, formula) = words [ words (List.map pattern patterns); to_string formula ] in
    words ("handles" :: string_of_int number :: List.map case cases)
