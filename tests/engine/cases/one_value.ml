(* Checks that say several things of one value: of one answer, whatever the process claims. *)

(* # What has one name is one answer: a process that says one thing for each question says nothing
   that holds together. *)
(* code: right *) let f l = List.sort compare l

(* tests: a list *)
let rec sorted = function a :: (b :: _ as t) -> a <= b && sorted t | _ -> true
let () = assert (let s = f [3;1;2] in sorted s && List.length s = 3 && List.mem 2 s)
(* reference or none: right *)
(* for right expect checks: passed
   in process: 0 *)

(* reference *)
(* code *)
external note : string -> string -> unit = "ocaml_reward_note"
let () = note "begin 0" ""; note "value 0 0" " a"; note "value 0 1" " i3"; note "value 0 2" " i1"; note "end 0 0 0 0" ""
let f l = List.sort compare l
(* expect checks: raised
   in process: 0 *)

(* tests: a name around the check *)
let rec sorted = function a :: (b :: _ as t) -> a <= b && sorted t | _ -> true
let () = let s = f [3;1;2] in assert (sorted s && List.length s = 3)
(* reference or none: right *)
(* for right expect checks: passed
   in process: 0 *)

(* reference *)
(* code *)
external note : string -> string -> unit = "ocaml_reward_note"
let () = note "begin 0" ""; note "value 0 0" " i0"; note "value 0 1" " i3"; note "end 0 0 0 0" ""
let f l = List.sort compare l
(* expect checks: failed
   in process: 0 *)

(* tests: a helper's argument *)
let rec sorted = function a :: (b :: _ as t) -> a <= b && sorted t | _ -> true
let good s = sorted s && List.length s = 3
let () = assert (good (f [3;1;2]))
(* reference or none: right *)
(* for right expect checks: passed
   in process: 0 *)

(* reference *)
(* expect checks: failed
   in process: 0 *)

(* tests: numbers *) let () = assert (let r = f 10 in r * r <= 10 && (r + 1) * (r + 1) > 10)
(* reference or none, and code *) let f n = int_of_float (sqrt (float n))
(* expect checks: passed
   in process: 0 *)

(* reference *)
(* code *)
external note : string -> string -> unit = "ocaml_reward_note"
let () = note "begin 0" ""; note "value 0 0" " i0"; note "value 0 1" " i100"; note "end 0 0 0 0" ""
let f n = int_of_float (sqrt (float n))
(* expect checks: failed
   in process: 0 *)

(* tests: parts *) let () = assert (let (a, b) = f 10 in a * b = 10 && a < b && a > 1)
(* reference or none, and code *) let f _ = (2, 5)
(* expect checks: passed
   in process: 0 *)

(* reference *)
(* code *)
external note : string -> string -> unit = "ocaml_reward_note"
let () = note "begin 0" ""; note "value 0 0" " i10"; note "value 0 1" " i1"; note "value 0 2" " i2"; note "end 0 0 0 0" ""
let f _ = (2, 5)
(* expect checks: raised
   in process: 0 *)

(* tests: a suite *)
open OUnit2
let rec sorted = function a :: (b :: _ as t) -> a <= b && sorted t | _ -> true
let () = run_test_tt_main ("s" >::: ["a" >:: fun _ -> let s = f [3;1;2] in assert_equal 3 (List.length s); assert_bool "sorted" (sorted s)])
(* reference or none: right *)
(* for right expect checks: passed
   in process: 0 *)

(* reference *)
(* code *)
external note : string -> string -> unit = "ocaml_reward_note"
let () = note "begin 0" ""; note "value 0 0" " i3"; note "value 0 1" " i0"; note "end 0 0 0 0" ""
let f l = List.sort compare l
(* expect checks: raised
   in process: 0 *)

(* # What cannot leave the process is looked at there: right code passes whatever its values are,
   with a reference and without. *)
(* tests *) let () = assert (let h = f 1 in Hashtbl.length h = 1 && Hashtbl.mem h 1)
(* reference or none, and code *) let f x = let h = Hashtbl.create 3 in Hashtbl.add h x x; h
(* expect checks: passed *)

(* tests *) let () = assert (let s = f 1 in List.of_seq s = [1] && s () != Seq.Nil)
(* reference or none, and code *) let f x = Seq.return x
(* expect checks: passed *)

(* tests *) let () = assert (let g = f 1 in g 2 = 3 && g 3 = 4)
(* reference or none, and code *) let f x y = x + y
(* expect checks: passed *)

(* tests *) let () = assert (let a = f 1 in a.(0) = 1 && (a.(0) <- 2; f 3 = [|3|]) && a.(0) = 2)
(* reference or none, and code *) let f x = [|x|]
(* expect checks: passed *)

(* tests *)
let rec p a b = a <> b && (a = a || p a b)
let () = assert (p (f 1) (f 2))
(* expect checks: passed *)

(* # A value with a name has a type: what a process hands out as a list is one. *)
(* tests *) let () = assert (let s = f 1 in List.length s < 9 && s <> [])
(* code *)
external note : string -> string -> unit = "ocaml_reward_note"
let () = note "begin 0" ""; note "value 0 0" " i5"; note "end 0 0 0 0" ""
let f x = [x]
(* expect checks: raised *)

(* code *)
external note : string -> string -> unit = "ocaml_reward_note"
let () = note "begin 0" ""; note "value 0 0" " (0:1 i5"; note "end 0 0 0 0" ""
let f x = [x]
(* expect checks: raised *)

(* code *)
external note : string -> string -> unit = "ocaml_reward_note"
let () = note "begin 0" ""; note "value 0 0" " s1:61"; note "end 0 0 0 0" ""
let f x = [x]
(* expect checks: raised *)

(* code: d3ff0000000000000 *)
external note : string -> string -> unit = "ocaml_reward_note"
let () = note "begin 0" ""; note "value 0 0" " d3ff0000000000000"; note "end 0 0 0 0" ""
let f x = [x]
(* expect checks: raised *)

(* # A value too long to leave the process is looked at there: with a reference it is known that it is. *)
(* tests *)
let () = assert (let l = f 2_000_000 in List.length l = 2_000_000 && List.hd l = 0)
(* reference and code *) let f n = List.init n Fun.id
(* expect checks: passed *)
