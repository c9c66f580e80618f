(* Which names each check takes from the code: those that nothing in the tests binds. *)
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

(* # A check takes what its names stand for: by itself, by definitions of the tests, by a statement before
   it that shares a name with it; of a module one value, where it is named by its path. *)
(* tests *) assert (f 1 = 2);; assert (g 1 = f 2)
(* expect needs: f | f g *)
(* tests *)
let x = f 1
let () = assert (x = 2); assert (g 1 = 1)
(* expect needs: f | g *)
(* tests *)
let twice y = f (f y)
let () = assert (twice 1 = g 1)
(* expect needs: f g *)
(* tests *)
let rec down n = if n = 0 then f 0 else down (n - 1)
let () = assert (down 3 = 1)
(* expect needs: f *)
(* tests *) let () = List.iter (fun (x, y) -> assert (f x = y)) [1, 2; g 2, 3]
(* expect needs: f | f g *)
(* tests *)
let f x = x + 1
let () = assert (f 1 = g 2)
(* expect needs: g *)
(* tests *) let () = let f = 3 in assert (f = g 2)
(* expect needs: g *)
(* tests *) let () = match f 1 with x -> assert (x = 2)
(* expect needs: f *)
(* tests *) let () = let s = make () in push s 1; assert (pop s = 1)
(* expect needs: make pop push *)
(* tests *)
let s = make ()
let () = fill s
let () = assert (size s = 1)
(* expect needs: fill make size *)
(* tests *) assert (Q.push 1 Q.empty = [1]);; assert (Q.(size empty) = 0)
(* expect needs: Q.empty Q.push | Q empty size *)
(* tests *)
module T = struct let x = f 1 end
let () = assert (T.x = g 1)
(* expect needs: f g *)
(* tests *)
open Q
let () = assert (f 1 = 2)
(* expect needs: Q f *)
(* tests *) let () = assert (1 + 1 = 2); assert (f 1 = 2)
(* expect needs: f *)
(* tests *) let () = assert (( +! ) 1 2 = 3)
(* expect needs: +! *)

(* # Cases of a suite are told apart; what only running tells, and what a function is handed, is not
   known. *)
(* tests *)
open OUnit2
let suite = "s" >::: [
  "one" >:: (fun _ -> assert_equal 2 (f 1));
  "two" >:: (fun ctxt -> ignore ctxt; assert_bool "g" (g 1)) ]
let () = run_test_tt_main suite
(* expect needs: f | g *)

(* reference *) let f x = x
(* tests *)
open OUnit2
let case y = "s" >:: (fun _ -> assert_equal y (f y))
let () = run_test_tt_main ("s" >::: List.map case [1; 2])
(* expect needs: unknown | unknown *)

(* # Cases of a program take nothing by name. *)
(* input *) 1
(* output *) 2
(* expect needs: unknown *)
