(* Whether what a program defines gives anything that is made of what it is given, as far as
   the text and the types of the libraries tell. *)

open Parsetree

(** The names at the top that give nothing of what they are given: values, and modules in which
    all values are such.  What only raises or never ends gives nothing; nor does what stands
    behind the program's end.  Where the text does not tell, a name is none of these. *)
val idle : structure -> Names.Set.t
