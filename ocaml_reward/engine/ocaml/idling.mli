(* Whether what a program defines gives anything that is made of what it is given, as far as
   the text and the types of the libraries tell. *)

open Parsetree

(** What is idle in a program.  [names] are those at the top that give nothing of what they are
    given: values, and modules in which all values are such.  What only raises or never ends
    gives nothing; nor does what stands behind the program's end.  [printed]: it prints
    nothing of what it reads, nor as that decides.  [untouched]: those that give a constant, what
    they are given as it is, or nothing, and ask for nothing.  [apart]: the same if what nobody
    knows has nothing to do with what is given, where nothing is done with that, if only in
    vain.  Where the text does not tell, nothing is. *)
type t = {
  names : Names.Set.t;
  untouched : Names.Set.t;
  apart : Names.Set.t;
  printed : bool;
}

(** What is idle in this one; [whole] asks for what is [printed], too. *)
val idle : whole:bool -> structure -> t
