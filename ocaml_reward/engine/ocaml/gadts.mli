(* GADTs that make any two types equal.

   From [T : ('a X.t, 'a) g] the compilers up to 5.2 conclude that ['a] follows from
   ['a X.t], which is wrong where [X.t] is another name for [unit] (ocaml/ocaml#13579).
   Those up to 4.13 take ['b] for two different types in
   [T : ('a -> 'b) * ('b -> 'a) -> 'a t] (ocaml/ocaml#10907). *)

open Parsetree

(** The types in a GADT constructor's result that need not be injective, as the [plain] are. *)
val weak_indices : (Longident.t -> bool) -> core_type -> string list

(** Does a structure define a GADT, or may it use one of the standard library's?  That of
    formats is reached by taking one apart. *)
val present : structure -> bool

(** The type variables that occur in a tree, but for those that its types bind themselves. *)
val variables_in : (Ast_iterator.iterator -> unit) -> Names.Set.t

(** Likewise of one type. *)
val variables : core_type -> Names.Set.t

(** Constructors that hide a type beside one that they show, in an extension too. *)
val hiding : structure -> Names.Set.t

(** The labels whose values are of many types at once, [{ f : 'a. 'a t }]. *)
val general_labels : structure -> Names.Set.t

(** The patterns within one that stand for the value of such a label. *)
val of_labels : Names.Set.t -> pattern -> pattern list

(** Names that a [let] gives to what need not be the result of a call, and those that a
    pattern gives to what is of many types. *)
val named : Names.Set.t -> structure -> Names.Set.t

(** How the scan words what takes such a value apart. *)
val taken_out : string
