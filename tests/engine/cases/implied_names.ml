(* Names that tests share with the standard library, of a problem that has neither a signature nor
   a reference: the code's where the tests do not type with the library's. *)

(* # Exceptions and types of the codes module: however tests mention them: honest code passes, and
   code that raises another does not. *)
(* code: right *)

module Stack = struct
  exception Empty
  exception Full of int
  type 'a t = { mutable items : 'a list; cap : int }
  let create cap = { items = []; cap }
  let push s x =
    if List.length s.items >= s.cap then raise (Full s.cap) else s.items <- x :: s.items
  let pop s = match s.items with [] -> raise Empty | x :: l -> s.items <- l; x
end
(* code: wrong *)

module Stack = struct
  exception Empty
  exception Full of int
  type 'a t = { mutable items : 'a list; cap : int }
  let create cap = { items = []; cap }
  let push s x =
    if List.length s.items >= s.cap then raise (Full s.cap) else s.items <- x :: s.items
  let pop s = match s.items with [] -> raise Not_found | x :: l -> s.items <- l; x
end
(* code: right 2 *)

module Stack : sig
  type 'a t
  exception Empty
  exception Full of int
  val create : int -> 'a t
  val push : 'a t -> 'a -> unit
  val pop : 'a t -> 'a
end = struct
  exception Empty
  exception Full of int
  type 'a t = 'a list ref * int
  let create cap = (ref [], cap)
  let push (items, cap) x =
    if List.length !items >= cap then raise (Full cap) else items := x :: !items
  let pop (items, _) = match !items with [] -> raise Empty | x :: l -> items := l; x
end
(* code: wrong 2 *)

module Stack : sig
  type 'a t
  exception Empty
  exception Full of int
  val create : int -> 'a t
  val push : 'a t -> 'a -> unit
  val pop : 'a t -> 'a
end = struct
  exception Empty
  exception Full of int
  type 'a t = 'a list ref * int
  let create cap = (ref [], cap)
  let push (items, cap) x =
    if List.length !items >= cap then raise (Full cap) else items := x :: !items
  let pop (items, _) = match !items with [] -> raise Not_found | x :: l -> items := l; x
end

(* tests: caught *)
let () =
  let s = Stack.create 1 in
  Stack.push s 1;
  assert (try Stack.push s 2; false with Stack.Full n -> n = 1);
  assert (Stack.pop s = 1);
  assert (try ignore (Stack.pop s); false with Stack.Empty -> true)
(* for right expect checks: 3 passed *)
(* for wrong expect checks: 2 passed, raised *)
(* for right 2 expect checks: 3 passed *)
(* for wrong 2 expect checks: 2 passed, raised *)

(* tests: of a type that is named *)
let () =
  let s : int Stack.t = Stack.create 1 in
  Stack.push s 1;
  assert (try Stack.push s 2; false with Stack.Full n -> n = 1);
  assert (Stack.pop s = 1);
  assert (try ignore (Stack.pop s); false with Stack.Empty -> true)
(* for right expect checks: 3 passed *)
(* for wrong expect checks: 2 passed, raised *)
(* for right 2 expect checks: 3 passed *)
(* for wrong 2 expect checks: 2 passed, raised *)

(* tests: in fields of the tests' own *)
type case = { s : int Stack.t }
let c = { s = Stack.create 1 }
let () =
  let s = c.s in
  Stack.push s 1;
  assert (try Stack.push s 2; false with Stack.Full n -> n = 1);
  assert (Stack.pop s = 1);
  assert (try ignore (Stack.pop s); false with Stack.Empty -> true)
(* for right expect checks: 3 passed *)
(* for wrong expect checks: 2 passed, raised *)
(* for right 2 expect checks: 3 passed *)
(* for wrong 2 expect checks: 2 passed, raised *)

(* tests: with a field *)
let () =
  let s = Stack.create 1 in
  Stack.push s 1;
  let { Stack.cap; _ } = s in
  assert (s.Stack.cap = cap);
  assert (try Stack.push s 2; false with Stack.Full n -> n = 1);
  assert (Stack.pop s = 1);
  assert (try ignore (Stack.pop s); false with Stack.Empty -> true)
(* for right expect checks: 4 passed *)
(* for wrong expect checks: 3 passed, raised *)

(* tests: opened *)
open Stack
let () =
  let s = create 1 in
  push s 1;
  assert (try push s 2; false with Full n -> n = 1);
  assert (pop s = 1);
  assert (try ignore (pop s); false with Empty -> true)
(* for right expect checks: 3 passed *)
(* for wrong expect checks: 2 passed, raised *)
(* for right 2 expect checks: 3 passed *)
(* for wrong 2 expect checks: 2 passed, raised *)

(* tests: opened in an expression *)
let () = Stack.(
  let s = create 1 in
  push s 1;
  assert (try push s 2; false with Full n -> n = 1);
  assert (pop s = 1);
  assert (try ignore (pop s); false with Empty -> true)
)
(* for right expect checks: 3 passed *)
(* for wrong expect checks: 2 passed, raised *)
(* for right 2 expect checks: 3 passed *)
(* for wrong 2 expect checks: 2 passed, raised *)

(* tests: by another name *)
module S = Stack
let () =
  let s = S.create 1 in
  S.push s 1;
  assert (try S.push s 2; false with S.Full n -> n = 1);
  assert (S.pop s = 1);
  assert (try ignore (S.pop s); false with S.Empty -> true)
(* for right expect checks: 3 passed *)
(* for wrong expect checks: 2 passed, raised *)
(* for right 2 expect checks: 3 passed *)
(* for wrong 2 expect checks: 2 passed, raised *)

(* tests: by values of the tests' own *)
let push = Stack.push
let pop = Stack.pop
let () =
  let s = Stack.create 1 in
  push s 1;
  assert (try push s 2; false with Stack.Full n -> n = 1);
  assert (pop s = 1);
  assert (try ignore (pop s); false with Stack.Empty -> true)
(* for right expect checks: 3 passed *)
(* for wrong expect checks: 2 passed, raised *)
(* for right 2 expect checks: 3 passed *)
(* for wrong 2 expect checks: 2 passed, raised *)

(* tests: handed on *)
let raises e f = match f () with _ -> false | exception found -> found = e
let s = Stack.create 1
let () = Stack.push s 1
let () = assert (raises (Stack.Full 1) (fun () -> Stack.push s 2))
let () = assert (Stack.pop s = 1)
let () = assert (raises Stack.Empty (fun () -> ignore (Stack.pop s)))
(* for right expect checks: 3 passed *)
(* for wrong expect checks: 2 passed, failed *)
(* for right 2 expect checks: 3 passed *)
(* for wrong 2 expect checks: 2 passed, failed *)

(* tests: rebound *)
exception Full = Stack.Full
let () =
  let s = Stack.create 1 in
  Stack.push s 1;
  assert (try Stack.push s 2; false with Full n -> n = 1);
  assert (Stack.pop s = 1);
  assert (try ignore (Stack.pop s); false with Stack.Empty -> true)
(* for right expect checks: 3 passed *)
(* for wrong expect checks: 2 passed, raised *)
(* for right 2 expect checks: 3 passed *)
(* for wrong 2 expect checks: 2 passed, raised *)

(* tests: outside of the module *)
let () =
  let s = Stack.create 1 in
  Stack.push s 1;
  assert (try Stack.push s 2; false with Full n -> n = 1);
  assert (Stack.pop s = 1);
  assert (try ignore (Stack.pop s); false with Empty -> true)
(* code *)
exception Empty
exception Full of int

module Stack = struct
  type 'a t = { mutable items : 'a list; cap : int }
  let create cap = { items = []; cap }
  let push s x =
    if List.length s.items >= s.cap then raise (Full s.cap) else s.items <- x :: s.items
  let pop s = match s.items with [] -> raise Empty | x :: l -> s.items <- l; x
end
(* expect checks: 3 passed *)

(* code *)
exception Empty
exception Full of int

module Stack = struct
  type 'a t = { mutable items : 'a list; cap : int }
  let create cap = { items = []; cap }
  let push s x =
    if List.length s.items >= s.cap then raise (Full s.cap) else s.items <- x :: s.items
  let pop s = match s.items with [] -> raise Not_found | x :: l -> s.items <- l; x
end
(* expect checks: 2 passed, raised *)

(* tests: made by a functor *)
module S = Stack.Make (struct let cap = 1 end)
let () =
  let s = S.create () in
  S.push s 1;
  assert (try S.push s 2; false with S.Full n -> n = 1);
  assert (S.pop s = 1);
  assert (try ignore (S.pop s); false with S.Empty -> true)
(* code *)
module Stack = struct
module Make (X : sig val cap : int end) = struct

  exception Empty
  exception Full of int
  type 'a t = { mutable items : 'a list; cap : int }
  let create () = { items = []; cap = X.cap }
  let push s x =
    if List.length s.items >= s.cap then raise (Full s.cap) else s.items <- x :: s.items
  let pop s = match s.items with [] -> raise Empty | x :: l -> s.items <- l; x
end

end
(* expect checks: 3 passed *)

(* code *)
module Stack = struct
module Make (X : sig val cap : int end) = struct

  exception Empty
  exception Full of int
  type 'a t = { mutable items : 'a list; cap : int }
  let create () = { items = []; cap = X.cap }
  let push s x =
    if List.length s.items >= s.cap then raise (Full s.cap) else s.items <- x :: s.items
  let pop s = match s.items with [] -> raise Not_found | x :: l -> s.items <- l; x
end

end
(* expect checks: 2 passed, raised *)

(* tests: of an object *)
let () =
  let s = new Stack.stack 1 in
  s#push 1;
  assert (try s#push 2; false with Stack.Full n -> n = 1);
  assert (s#pop = 1);
  assert (try ignore (s#pop); false with Stack.Empty -> true)
(* code *)

module Stack = struct
  exception Empty
  exception Full of int
  class ['a] stack cap = object
    val mutable items : 'a list = []
    method push x =
      if List.length items >= cap then raise (Full cap) else items <- x :: items
    method pop = match items with [] -> raise Empty | x :: l -> items <- l; x
  end
end
(* expect checks: 3 passed *)

(* code *)

module Stack = struct
  exception Empty
  exception Full of int
  class ['a] stack cap = object
    val mutable items : 'a list = []
    method push x =
      if List.length items >= cap then raise (Full cap) else items <- x :: items
    method pop = match items with [] -> raise Not_found | x :: l -> items <- l; x
  end
end
(* expect checks: 2 passed, raised *)

(* # The codes is meant: right code passes, and code without the name lacks it. *)
(* code: other *)
let make () = []
let elements q = q

(* tests: a module's value that the library lacks *)
let () = assert (Queue.to_list (Queue.push 2 (Queue.push 1 Queue.empty)) = [ 1; 2 ])
(* for other expect stage: interface_error *)

(* code *)
module Queue = struct
  let empty = []
  let push x q = q @ [ x ]
  let to_list q = q
end
(* expect checks: passed *)

(* tests: a module whose functions have other types *)
let () = assert (Stack.push 1 (Stack.create 3) = [ 1; 3 ])
(* for other expect stage: interface_error *)

(* code *)
module Stack = struct
  let create x = [ x ]
  let push x s = x :: s
end
(* expect checks: passed *)

(* tests: a module that goes on from the library's *)
let () = assert (Option.map2 ( + ) (Some 1) (Option.some 2) = Some 3)
(* for other expect stage: interface_error *)

(* code *)
module Option = struct
  include Option
  let map2 f a b =
    match (a, b) with Some x, Some y -> Some (f x y) | _ -> None
end
(* expect checks: passed *)

(* tests: a function of more arguments *) let () = assert (max 1 2 3 = 3)
(* for other expect stage: interface_error *)

(* code *) let max a b c = Stdlib.max a (Stdlib.max b c)
(* expect checks: passed *)

(* tests: beside names of the code's own *)
let q = make ()
let () = assert (List.sum (elements q) = 6)
(* for other expect stage: interface_error *)

(* code *)
let make () = [ 1; 2; 3 ]
let elements q = q
module List = struct
  include List
  let sum = fold_left ( + ) 0
end
(* expect checks: passed *)

(* # The librarys is meant where the tests type with it: code that redefines what tests use of the
   library does not change what they say. *)
(* tests *)
let () = assert (List.length (f 3) = 3)
let () = assert (abs (g 2) = 2)
(* code *)
let f _ = [ 1 ]
let g _ = 7
let abs _ = 2
module List = struct
  let length _ = 3
end
(* expect checks: 2 failed *)

(* # A signature decides where there is one: it names what the code owns: `List` is not among it,
   whatever the tests use. *)
(* tests *) let () = assert (List.sum (f 3) = 6)
(* code *)
let f _ = [ 1; 2; 3 ]
module List = struct
  include List
  let sum = fold_left ( + ) 0
end
(* expect checks: passed *)

(* signature *) val f : int -> int list
(* expect stage: interface_error *)
