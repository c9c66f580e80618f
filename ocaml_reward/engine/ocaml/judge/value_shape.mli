(* What a value of some type looks like in memory, written down: for rebuild.ml, so that a
   value which the code handed out is checked before it is rebuilt for a predicate of the
   tests, and for literals.py, so that it can be read as OCaml.

   Shapes are numbered, the first is the whole value's:
   u                any value: a predicate that is general in its type cannot look into it
   i c              an integer; a character
   s d l L N        a string, a float, an int32, an int64, a nativeint
   T 1 2            a tuple with parts of shapes 1 and 2
   R 1:x 2:y        a record, with its labels
   A 1              an array
   E  E x y         an array of floats; a record of floats alone
   V A,B 1::C 2,3:x,y:D
                    a variant: its constant constructors, and those of each tag; an inline
                    record has labels
   P 5:A 6:B:1      a polymorphic variant: by their numbers the names that are known, and
                    the shapes of what they hold
   x                an exception
   ?                abstract, a function, an object: nothing that can be rebuilt, as are the
                    two above *)

open Parsetree

(** The program that tells what the code is compared with, where it says of which shape each
    value is that it tells, or applies a predicate to: for the calls of [given] as they are
    needed (see rebuild.mli), else as far as they are known.  Raises Shapeless where a value
    cannot be rebuilt, or Failure where such a program does not type. *)
val filled : Env.t -> structure -> structure
