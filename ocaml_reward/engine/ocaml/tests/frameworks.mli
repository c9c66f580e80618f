(** Alcotest and QCheck: the real libraries, with runners that report to our harness. *)

open Parsetree

(** The modules of these packages. *)
val modules : string list -> string list

val contents : string -> Names.t

(** Whether the module exists only here. *)
val is_ours : string -> bool

(** The modules that tests open or include. *)
val opened : structure -> Names.Set.t

(** Binds these modules under the names of [Syntax.aside]. *)
val aside : string list -> structure

val asserting : string list

(** Whether a function of this name runs a suite. *)
val runs : string -> bool

(** A function and its arguments: [f x @@ y], [y |> f x] and [(f x) y] are [f x y]. *)
val applied : expression -> expression * (Asttypes.arg_label * expression) list

(** The body of a test case, and a function that puts another body into the case. *)
val case : expression -> (expression * (expression -> expression)) option

(** Whether an expression creates test cases. *)
val makes_case : expression -> bool
