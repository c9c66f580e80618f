(** Alcotest and QCheck: the real libraries, but for what runs tests, which has our harness do it. *)

open Parsetree

(** The modules that tests may name where these packages are linked. *)
val modules : string list -> string list

(** What such a module holds. *)
val contents : string -> Names.t

(** Is such a module ours alone, which the compiler knows nothing of? *)
val is_ours : string -> bool

(** The modules that tests open or include by name, anywhere. *)
val opened : structure -> Names.Set.t

(** Items that bind these modules, each by the name that [Syntax.aside] gives it. *)
val aside : string list -> structure

(** Values that assert. *)
val asserting : string list

(** Does a name stand for what runs a suite? *)
val runs : string -> bool

(** A function and its arguments: [f x @@ y], [y |> f x] and [(f x) y] are [f x y]. *)
val applied : expression -> expression * (Asttypes.arg_label * expression) list

(** A case of Alcotest's or a test of QCheck's that is written out: what it does when it runs, and
    the whole around that. *)
val case : expression -> (expression * (expression -> expression)) option

(** Does an expression name what makes cases, or hold what only a case does? *)
val makes_case : expression -> bool
