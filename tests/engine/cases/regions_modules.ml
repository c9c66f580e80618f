(* Regions of modules: where one breaks its signature, and where items in it do not parse. *)

(* # The signature is wrong where the structure passes: a definition of which checks show that it
   does what it should is not blamed for a signature that asks for something else: that line alone
   is. *)
(* tests *)
let () = assert (M.get (M.make 1) = "2")
let () = assert (M.get (M.next (M.make 1)) = "7")
(* code *)
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get : t -> int
end
module M : S = struct
  type t = int
  let make x = x + 1
  let next t = t + 5
  let get t = string_of_int t
end
(* expect verdict: type_error
   regions:
   | 1 passing 2/2 S: module type S = sig type t val make : int -> t val next : t -> t
   | 5 error 2/2 S: val get : t -> int
   | 6 passing 2/2 S: end
   | 7 passing 2/2 M: module M : S = struct
   | 8 untested 0/0: type t = int
   | 9 passing 2/2 M.make: let make x = x + 1
   | 10 passing 1/1 M.next: let next t = t + 5
   | 11 passing 2/2 M.get: let get t = string_of_int t
   | 12 passing 2/2 M: end *)

(* code *)
module type S = sig
  type t
  val make : int -> t
  val next : t -> t -> t
  val get : t -> string
end
module M : S = struct
  type t = int
  let make x = x + 1
  let next t = t + 5
  let get t = string_of_int t
end
(* expect verdict: type_error
   regions:
   | 1 passing 2/2 S: module type S = sig type t val make : int -> t
   | 4 error 2/2 S: val next : t -> t -> t
   | 5 passing 2/2 S: val get : t -> string end
   | 7 passing 2/2 M: module M : S = struct
   | 8 untested 0/0: type t = int
   | 9 passing 2/2 M.make: let make x = x + 1
   | 10 passing 1/1 M.next: let next t = t + 5
   | 11 passing 2/2 M.get: let get t = string_of_int t
   | 12 passing 2/2 M: end *)

(* # The definition is wrong where checks do not pass: what breaks the signature and gives the
   tests another type is what is wrong, and nothing else of the structure. *)
(* tests *)
let () = assert (M.get (M.make 1) = "2")
let () = assert (M.get (M.next (M.make 1)) = "7")
(* code *)
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get : t -> string
end
module M : S = struct
  type t = int
  let make x = x + 1
  let next t = t + 5
  let get t = t
end
(* expect verdict: type_error
   regions:
   | 1 untested 0/0 S: module type S = sig type t val make : int -> t val next : t -> t val get : t -> string end
   | 7 untested 0/0 M: module M : S = struct
   | 8 untested 0/0: type t = int
   | 9 untested 0/0 M.make: let make x = x + 1
   | 10 untested 0/0 M.next: let next t = t + 5
   | 11 holds_error 0/0 M.get: let get t = t
   | 12 untested 0/0 M: end *)

(* # A type that makes the difference is wrong: where all would match with another type behind the
   signature's, it is that type. *)
(* tests *)
let () = assert (M.get (M.make 1) = "2")
let () = assert (M.get (M.next (M.make 1)) = "7")
(* code *)
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get : t -> string
end
module M : S = struct
  type t = string
  let make x = x + 1
  let next t = t + 5
  let get t = string_of_int t
end
(* expect verdict: type_error
   regions:
   | 1 passing 2/2 S: module type S = sig type t val make : int -> t val next : t -> t val get : t -> string end
   | 7 passing 2/2 M: module M : S = struct
   | 8 error 0/0: type t = string
   | 9 passing 2/2 M.make: let make x = x + 1
   | 10 passing 1/1 M.next: let next t = t + 5
   | 11 passing 2/2 M.get: let get t = string_of_int t
   | 12 passing 2/2 M: end *)

(* # What a structure lacks is missing in its own words: the definitions that are there are known;
   a type that lacks makes none of them wrong. *)
(* tests *)
let () = assert (M.get (M.make 1) = "2")
let () = assert (M.get (M.next (M.make 1)) = "7")
(* code *)
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get : t -> string
end
module M : S = struct
  type t = int
  let make x = x + 1
  let get t = string_of_int t
end
(* expect verdict: type_error
   regions:
   | 1 passing 1/1 S: module type S = sig type t val make : int -> t val next : t -> t val get : t -> string end
   | 7 holds_error 1/1 M: module M : S = struct
   | 8 untested 0/0: type t = int
   | 9 passing 1/1 M.make: let make x = x + 1
   | 10 passing 1/1 M.get: let get t = string_of_int t
   | 11 holds_error 1/1 M: end *)

(* code *)
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get : t -> string
end
module M : S = struct
  let make x = x + 1
  let next t = t + 5
  let get t = string_of_int t
end
(* expect verdict: type_error
   regions:
   | 1 passing 2/2 S: module type S = sig type t val make : int -> t val next : t -> t val get : t -> string end
   | 7 holds_error 2/2 M: module M : S = struct
   | 8 passing 2/2 M.make: let make x = x + 1
   | 9 passing 1/1 M.next: let next t = t + 5
   | 10 passing 2/2 M.get: let get t = string_of_int t
   | 11 holds_error 2/2 M: end *)

(* # What nobody takes is asked for in vain: a value that the signature asks for, and neither the
   structure nor the tests have, is the signature's mistake. *)
(* tests *)
let () = assert (M.get (M.make 1) = "2")
let () = assert (M.get (M.next (M.make 1)) = "7")
(* code *)
module type S = sig
  type t
  val more : t -> t
  val make : int -> t
  val next : t -> t
  val get : t -> string
end
module M : S = struct
  type t = int
  let make x = x + 1
  let next t = t + 5
  let get t = string_of_int t
end
(* expect verdict: type_error
   regions:
   | 1 passing 2/2 S: module type S = sig type t
   | 3 error 2/2 S: val more : t -> t
   | 4 passing 2/2 S: val make : int -> t val next : t -> t val get : t -> string end
   | 8 passing 2/2 M: module M : S = struct
   | 9 untested 0/0: type t = int
   | 10 passing 2/2 M.make: let make x = x + 1
   | 11 passing 1/1 M.next: let next t = t + 5
   | 12 passing 2/2 M.get: let get t = string_of_int t
   | 13 passing 2/2 M: end *)

(* # Items in a module that do not parse: they are wrong from the line on that they begin in, and
   checks tell of the others. *)
(* tests *)
let () = assert (M.get (M.make 1) = "2")
let () = assert (M.get (M.next (M.make 1)) = "7")
(* code *)
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get : t -> string
end
module M : S = struct
  type t = int
  let make x = x + 1
  let next t -> t + 5
  let get t = string_of_int t
end
(* expect verdict: syntax_error
   regions:
   | 1 untested 0/0 S: module type S = sig type t val make : int -> t val next : t -> t val get : t -> string end
   | 7 passing 1/1 M: module M : S = struct
   | 8 untested 0/0: type t = int
   | 9 passing 1/1 M.make: let make x = x + 1
   | 10 unparsed 0/0 M.next: let next t
   | 10 error 0/0 M.next: ->
   | 10 unparsed 0/0 M.next: t + 5
   | 11 passing 1/1 M.get: let get t = string_of_int t
   | 12 passing 1/1 M: end *)

(* code *)
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get : t -> string
end
module M : S = struct
  type t : int
  let make x = x + 1
  let next t = t + 5
  let get t = string_of_int t
end
(* expect verdict: syntax_error
   regions:
   | 1 untested 0/0 S: module type S = sig type t val make : int -> t val next : t -> t val get : t -> string end
   | 7 passing 2/2 M: module M : S = struct
   | 8 unparsed 2/2 M: type t
   | 8 error 2/2 M: :
   | 8 unparsed 2/2 M: int
   | 9 passing 2/2 M.make: let make x = x + 1
   | 10 passing 1/1 M.next: let next t = t + 5
   | 11 passing 2/2 M.get: let get t = string_of_int t
   | 12 passing 2/2 M: end *)

(* code: val make *)
module type S = sig
  type t
  vall make : int -> t
  val next : t -> t
  val get : t -> string
end
module M : S = struct
  type t = int
  let make x = x + 1
  let next t = t + 5
  let get t = string_of_int t
end
(* expect verdict: syntax_error
   regions:
   | 1 untested 0/0 S: module type S = sig type t
   | 3 unparsed 0/0 make: vall make : int -> t
   | 4 untested 0/0 S: val next : t -> t val get : t -> string end
   | 7 passing 2/2 M: module M : S = struct
   | 8 untested 0/0: type t = int
   | 9 passing 2/2 M.make: let make x = x + 1
   | 10 passing 1/1 M.next: let next t = t + 5
   | 11 passing 2/2 M.get: let get t = string_of_int t
   | 12 passing 2/2 M: end *)

(* code *)
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get = t -> string
end
module M : S = struct
  type t = int
  let make x = x + 1
  let next t = t + 5
  let get t = string_of_int t
end
(* expect verdict: syntax_error
   regions:
   | 1 untested 0/0 S: module type S = sig type t val make : int -> t val next : t -> t
   | 5 unparsed 0/0 get: val get
   | 5 error 0/0 get: =
   | 5 unparsed 0/0 get: t -> string
   | 6 untested 0/0 S: end
   | 7 passing 2/2 M: module M : S = struct
   | 8 untested 0/0: type t = int
   | 9 passing 2/2 M.make: let make x = x + 1
   | 10 passing 1/1 M.next: let next t = t + 5
   | 11 passing 2/2 M.get: let get t = string_of_int t
   | 12 passing 2/2 M: end *)

(* # A module in a module is looked into: to any usual depth; where the words around do not parse
   it is wrong as a whole. *)
(* tests *) let () = assert (A.B.f 1 = 1); assert (A.B.g 1 = 1)
(* code *)
module A = struct
  module B = struct
    let f x = x
    let g x -> x
  end
end
(* expect verdict: syntax_error
   regions:
   | 1 passing 1/1 A: module A = struct
   | 2 passing 1/1: module B = struct
   | 3 passing 1/1 A.B.f: let f x = x
   | 4 unparsed 0/0 A.B.g: let g x
   | 4 error 0/0 A.B.g: ->
   | 4 unparsed 0/0 A.B.g: x
   | 5 passing 1/1: end
   | 6 passing 1/1 A: end *)

(* code *)
module A - struct
  module B = struct
    let f x = x
    let g x -> x
  end
end
(* expect verdict: syntax_error
   regions:
   | 1 unparsed 0/0 f: module A
   | 1 error 0/0 f: -
   | 1 unparsed 0/0 f: struct module B = struct let f x = x let g x -> x end end *)

(* # A path leads into the file that a module is: a check of `M.f` tells of `f`, and one of what
   does not parse too, where the code is M. *)
(* tests *)
let () = assert (M.f 1 = 1)
let () = assert (M.g 1 = 2)
let () = assert (M.h 1 = 1)
(* code *)
let f x = x
let h x -> x
let g x = x
(* expect verdict: syntax_error
   regions:
   | 1 passing 1/1 f: let f x = x
   | 2 unparsed 0/0 h: let h x
   | 2 error 0/0 h: ->
   | 2 unparsed 0/0 h: x
   | 3 failing 0/1 g: let g x = x *)

(* code *)
module M = struct
  let f x = x
  let h x -> x
  let g x = x
end
(* expect verdict: syntax_error
   regions:
   | 1 both 1/2 M: module M = struct
   | 2 passing 1/1 M.f: let f x = x
   | 3 unparsed 0/0 M.h: let h x
   | 3 error 0/0 M.h: ->
   | 3 unparsed 0/0 M.h: x
   | 4 failing 0/1 M.g: let g x = x
   | 5 both 1/2 M: end *)

(* # The share of items that parse stays: no reward depends on what is found in a module, which does
   not parse as a whole. *)
(* tests *)
let () = assert (M.get (M.make 1) = "2")
let () = assert (M.get (M.next (M.make 1)) = "7")
(* code *)
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get : t -> string
end
module M : S = struct
  type t = int
  let make x = x + 1
  let next t -> t + 5
  let get t = string_of_int t
end
(* expect stage: syntax_error
   parsed share: 0.50 *)

(* code *)
module type S = sig
  type t
  val make : int -> t
  val next : t -> t
  val get : t -> string
end
module M - S = struct
  type t = int
  let make x = x + 1
  let next t = t + 5
  let get t = string_of_int t
end
(* expect stage: syntax_error
   parsed share: 0.50 *)
