(* What a value of some type looks like in memory, written down for rebuild.ml: before a
   value that the code handed out is rebuilt for a predicate of the tests, it is checked.

   Shapes are numbered, the first is the whole value's:
   u               any value: a predicate that is general in its type cannot look into it
   i c             an integer; a character
   s d l L N       a string, a float, an int32, an int64, a nativeint
   T 1 2           a block of tag 0 with fields of shapes 1 and 2
   A 1             an array
   E               an array of floats, or a record of any number of them
   V 2 0:1,2 1:3   a variant with 2 constant constructors, and blocks by tag *)

open Parsetree

(** Puts shapes where [program] waits for them, in the calls of [given] (see rebuild.mli);
    raises Shapeless, or Failure where it does not type. *)
val filled : Env.t -> structure -> structure
