(* Predicates of the tests' own: where they are applied, and that they mean what they say. *)

(* # A call that the tests make as they like is made there: where a call stands inside a function
   or a handler, its exception meets the handlers. *)
(* code: raising *) let f (_ : int) : int = invalid_arg "no"
(* code: raising 2 *) let f (_ : int) : int = raise Not_found

(* tests: an exception *)
module T = struct
  let invalid g = match g () with exception Invalid_argument _ -> true | _ -> false
  let failing g = match g () with exception Failure _ -> true | _ -> false
  let forced l = try Lazy.force l = 1 with Invalid_argument _ -> true
end
let rec times n g = n = 0 || (g () && times (n - 1) g)
let is x = let rec same y = x = y in same
let () = assert (T.invalid (fun () -> f 1))
(* reference or none: raising *)
(* for raising expect checks: passed *)
(* for raising 2 expect checks: raised *)

(* tests: a failure *)
module T = struct
  let invalid g = match g () with exception Invalid_argument _ -> true | _ -> false
  let failing g = match g () with exception Failure _ -> true | _ -> false
  let forced l = try Lazy.force l = 1 with Invalid_argument _ -> true
end
let rec times n g = n = 0 || (g () && times (n - 1) g)
let is x = let rec same y = x = y in same
let () = assert (T.failing (fun () -> f 1))
(* reference or none, and code *) let f (_ : int) : int = failwith "no"
(* expect checks: passed *)
(* for raising expect checks: raised *)

(* tests: a lazy value *)
module T = struct
  let invalid g = match g () with exception Invalid_argument _ -> true | _ -> false
  let failing g = match g () with exception Failure _ -> true | _ -> false
  let forced l = try Lazy.force l = 1 with Invalid_argument _ -> true
end
let rec times n g = n = 0 || (g () && times (n - 1) g)
let is x = let rec same y = x = y in same
let () = assert (T.forced (lazy (f 1)))
(* reference or none: raising *)
(* for raising expect checks: passed *)
(* for raising 2 expect checks: raised *)

(* tests: a handler *)
module T = struct
  let invalid g = match g () with exception Invalid_argument _ -> true | _ -> false
  let failing g = match g () with exception Failure _ -> true | _ -> false
  let forced l = try Lazy.force l = 1 with Invalid_argument _ -> true
end
let rec times n g = n = 0 || (g () && times (n - 1) g)
let is x = let rec same y = x = y in same
let () = assert (is true (try f 1 = 2 with Invalid_argument _ -> true))
(* for raising expect checks: passed *)
(* for raising 2 expect checks: raised *)

(* # A call is made as often as the tests make it: code that is right on its first call only does
   not pass. *)
(* tests *)
module T = struct
  let invalid g = match g () with exception Invalid_argument _ -> true | _ -> false
  let failing g = match g () with exception Failure _ -> true | _ -> false
  let forced l = try Lazy.force l = 1 with Invalid_argument _ -> true
end
let rec times n g = n = 0 || (g () && times (n - 1) g)
let is x = let rec same y = x = y in same
let () = assert (times 3 (fun () -> f 3 = 9))
(* code *) let n = ref 0 let f x = incr n; if !n = 1 then x * x else 0
(* expect checks: failed *)
(* code *) let f x = x * x
(* expect checks: passed *)

(* # A copy is told from what it is a copy of: what looks at identity, or writes, looks at the
   code's own values. *)
(* code: right *) let copy = Array.copy
(* code: wrong *) let copy a = a

(* tests: two results *) let () = assert (copy [|1|] != copy [|1|])
(* reference or none: right *)
(* for right expect checks: passed *)

(* code *) let c = [|1|] let copy _ = c
(* expect checks: failed *)

(* tests: of a name *) let a = [|1|] let () = assert (not (copy a == a))
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: not the same *) let a = [|1|] let () = assert (copy a != a)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: the same *) let l = [1] let () = assert (copy l == l)
(* reference or none: wrong *)
(* for wrong expect checks: passed *)

(* code *) let copy l = List.map Fun.id l
(* expect checks: failed *)

(* tests: by a helper *)
let same = ( == ) let rec p a b = not (same a b)
let a = [|1|] let () = assert (p a (copy a))
(* reference or none: right *)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: in a module *)
module M = struct let rec p a b = not (a == b) end
let a = [|1|] let () = assert (M.p a (copy a))
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: in an open module *)
module M = struct let rec p a b = not (a == b) end open M
let a = [|1|] let () = assert (p a (copy a))
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: in a list *)
let rec distinct = function a :: t -> not (List.memq a t) && distinct t | [] -> true
let () = assert (distinct (copy ()))
(* reference or none, and code *) let copy () = [ref 1; ref 1]
(* expect checks: passed *)

(* code *) let copy () = let r = ref 1 in [r; r]
(* expect checks: failed *)

(* tests: what is written *) let () = let a = [|1;2;3|] in assert (let b = copy a in b.(0) <- 9; a <> b)
(* reference or none: right *)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: what is written by a statement *)
let () = let a = [|1;2;3|] in assert (let b = copy a in let () = b.(0) <- 9 in a <> b)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)

(* tests: rows *)
let rec t m = if false then t m else (m.(0).(0) <- 7; m.(1).(0) = 0)
let () = assert (t (copy 2 3))
(* reference or none, and code *) let copy r c = Array.init r (fun _ -> Array.make c 0)
(* expect checks: passed *)

(* code *) let copy r c = Array.make r (Array.make c 0)
(* expect checks: failed *)

(* # A predicate that tells no copies apart is applied outside: it may write into what it has made
   itself. *)
(* code: right *) let f x = [x]

(* tests: what it has made itself *)
let rec p l = let n = ref 0 in List.iter (fun x -> n := !n + x) l; !n = 3 && p l
let () = assert (not (p (f 1)))
(* for right expect checks: passed
   in process: 0 *)

(* tests: a table of its own *)
let rec p l = let t = Hashtbl.create 3 in List.iter (fun x -> Hashtbl.add t x 1) l; Hashtbl.length t = 7 || (l <> [] && p [])
let () = assert (not (p (f 1)))
(* for right expect checks: passed
   in process: 0 *)

(* tests: a board of its own *)
let rec p l = let b = Array.make_matrix 3 3 false in List.iter (fun x -> b.(0).(x) <- true) l; b.(0).(1) && (l <> [] || p l)
let () = assert (p (f 1))
(* for right expect checks: passed
   in process: 0 *)

(* tests: a copy *)
let rec p l = let a = Array.of_list l in Array.sort compare a; a.(0) = 1 || (l = [] && p l)
let () = assert (p (f 1))
(* for right expect checks: passed
   in process: 0 *)

(* tests: a constant *)
let rec p l = List.length l == 1 || p []
let () = assert (p (f 1))
(* for right expect checks: passed
   in process: 0 *)

(* tests: a function that calls nothing *)
let rec p n l = n > 0 && List.for_all (fun x -> x = n) l
let () = assert (p 1 (f 1))
(* for right expect checks: passed
   in process: 0 *)

(* # A later call may write into an earlier result: a predicate of two results looks at them when
   both are there. *)
(* tests *)
let rec p a b = a <> b && (a = a || p a b)
let () = assert (p (f 1) (f 2))
(* code *)
let a = [|0|]
let f x = a.(0) <- x; a
(* expect checks: failed *)

(* # Each predicate takes values of its own type: whatever other checks of the same tests take,
   before it or behind it. *)
(* code: right *) let f _ = 4 let g _ = "a" let l x = [x] let p x = (x, 'a') let o _ = Some 1.

(* tests: int and string *)
let () = assert (match f 1 with 4 -> true | _ -> false)
let () = assert (match g 1 with "a" -> true | _ -> false)
(* for right expect checks: 2 passed *)

(* tests: a list before a pair *)
let () = assert (match l 1 with [_] -> true | _ -> false)
let () = assert (match p 1 with (1, 'a') -> true | _ -> false)
(* for right expect checks: 2 passed *)

(* tests: two in one check *)
let () = assert (let rec is n s = n = 4 && s = "a" || is n s in is (f 1) (g 1))
let () = assert (match o 1 with Some 1. -> true | _ -> false)
(* for right expect checks: 2 passed *)

(* tests: int and string *)
let () = assert (match g 1 with "a" -> true | _ -> false)
let () = assert (match f 1 with 4 -> true | _ -> false)
(* for right expect checks: 2 passed *)

(* tests: a list before a pair *)
let () = assert (match p 1 with (1, 'a') -> true | _ -> false)
let () = assert (match l 1 with [_] -> true | _ -> false)
(* for right expect checks: 2 passed *)

(* tests: two in one check *)
let () = assert (match o 1 with Some 1. -> true | _ -> false)
let () = assert (let rec is n s = n = 4 && s = "a" || is n s in is (f 1) (g 1))
(* for right expect checks: 2 passed *)
