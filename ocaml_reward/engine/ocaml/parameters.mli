(* Types that are declared without the parameters that they are made of, as
   [type tree = Leaf | Node of 'a tree * 'a * 'a tree]. *)

open Parsetree

(** Such a declaration, with the parameters. *)
val of_declarations : Location.t list -> structure -> Slips.suspect list
