(* Which names the tests take from the code: those that nothing in them binds. *)
(* engines: warm stock *)

(* # What binds a name keeps it from the code, whatever it is: a loop, an object, a class, a functor,
   a pattern, a module.  What stands in a module is out of scope behind it, unless that is opened or
   included. *)
(* tests *) let () = for n = 1 to 3 do assert (f n = n) done
(* expect needs: f *)
(* tests *) let () = for n = f 0 to n do assert (f n = n) done
(* expect needs: f n *)
(* tests *)
let o = object val v = 1 method m = v end
let () = assert (f o#m = 1)
(* expect needs: f *)
(* tests *)
let o = object (self) method a = 1 method b = self#a end
let () = assert (f o#b = 1)
(* expect needs: f *)
(* tests *)
class d = object method a = 1 end
class c = object inherit d as up method b = up#a end
let () = assert (f (new c)#b = 1)
(* expect needs: f *)
(* tests *)
class c k = let d = k + 1 in object method m = d end
let () = assert (f (new c 1)#m = 1)
(* expect needs: f *)
(* tests *)
module G (X : sig val x : int end) = struct let y = X.x end
module H = G (struct let x = 1 end)
let () = assert (f H.y = 1)
(* expect needs: f *)
(* tests *)
module G (X : sig val x : int end) = struct let () = assert (f X.x = 1) end
module H = G (struct let x = 1 end)
(* expect needs: f *)
(* tests *)
let run (module M : Set.OrderedType with type t = int) = M.compare 1 2
let () = assert (f (run (module Int)) = 1)
(* expect needs: f *)
(* tests *)
module T = struct let f x = x let k = 1 end
let () = assert (f T.k = 1)
(* expect needs: f *)
(* tests *)
module T = struct let k = 1 end
open T
let () = assert (f k = 1)
(* expect needs: f *)
(* tests *)
module T = struct let k = 1 end
let () = T.(assert (f k = 1))
(* expect needs: f *)
(* tests *)
module T = struct let k = 1 end
include T
let () = assert (f k = 1)
(* expect needs: f *)
(* tests *)
open struct let k = 1 end
let () = assert (f k = 1)
(* expect needs: f *)
(* tests *)
include struct let k = 1 end
let () = assert (f k = 1)
(* expect needs: f *)
(* tests *)
module rec A : sig val a : int end = struct let a = 1 let _ = fun () -> A.a end
let () = assert (f A.a = 1)
(* expect needs: f *)
(* tests *)
open M
let () = assert (f 1 = 1)
(* expect needs: M f *)
