(* Functions that cannot answer, by the tree alone. *)

(* # A stub: its body mentions no parameter, or it only raises. *)
(* tests *) let () = assert (f = f)
(* code *) let f _ = 0
(* expect stubs: f *)
(* code *) let f x = 0
(* expect stubs: f *)
(* code *) let f x y = [1; 2]
(* expect stubs: f *)
(* code *) let f = fun x -> None
(* expect stubs: f *)
(* code *) let f = function _ -> []
(* expect stubs: f *)
(* code *) let f x = function _ -> 0
(* expect stubs: f *)
(* code *) let f x = function [] -> raise Exit | _ -> failwith x
(* expect stubs: f *)
(* code *) let f x = let y = 3 in y + 1
(* expect stubs: f *)
(* code *) let f x = raise Exit
(* expect stubs: f *)
(* code *) let f x = failwith ("no " ^ x)
(* expect stubs: f *)
(* code *) let f x = assert false
(* expect stubs: f *)
(* code *) let f (x : int) : int = 0
(* expect stubs: f *)
(* code *) let rec f x = f 1
(* expect stubs: f *)

(* code *)
let f x = match x with _ -> invalid_arg x
let f x = 0
(* expect stubs: f *)

(* code *) let f (type a) (x : a) = 0
(* expect stubs: f *)
(* code *) let f (type a b) (x : a) : b = raise Exit
(* expect stubs: f *)

(* code *)
module type S = sig end
let f (module M : S) x = 0
(* expect stubs: f *)

(* # An attempt: whatever looks at a parameter may answer, right or wrong. *)
(* tests *) let () = assert (f = f)
(* code *) let f x = x
(* expect stubs: none *)
(* code *) let f x y = y + 1
(* expect stubs: none *)
(* code *) let f _ y = y
(* expect stubs: none *)
(* code *) let f x = function [] -> 0 | y :: _ -> y
(* expect stubs: none *)
(* code *) let f () = 0
(* expect stubs: none *)
(* code *) let f = List.length
(* expect stubs: none *)
(* code *) let f x = ignore x; 0
(* expect stubs: none *)
(* code *) let f = function [] -> 0 | _ -> 1
(* expect stubs: none *)
(* code *) let f x = if x then 1 else 2
(* expect stubs: none *)

(* code *)
let f x = 0
let f x = x + 1
(* expect stubs: none *)

(* code *) let f x = match x with 0 -> raise Exit | n -> n
(* expect stubs: none *)

(* code *) let f (type a) (x : a) = x
(* expect stubs: none *)

(* code *)
module type S = sig val x : int end
let f (module M : S) = M.x
(* expect stubs: none *)

(* code *)
module type S = sig val x : int end
let f (module M : S) = function _ -> M.x
(* expect stubs: none *)
