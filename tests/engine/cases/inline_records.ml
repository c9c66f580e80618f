(* Tests may look into an exception that carries a record of its own. *)

(* # Tests may match an exception with a record of its own: code passes such a check by the record
   in its exception, and only by that. *)
(* code: wrong *)
exception Bad of { line : int; word : string }
module Inner = struct exception Deep of { mutable depth : int } end
let f line = raise (Bad { line = line + 1; word = "w" })
let g depth = raise (Inner.Deep { depth = depth + 1 })
(* code: right *)
exception Bad of { line : int; word : string }
module Inner = struct exception Deep of { mutable depth : int } end
let f line = raise (Bad { line; word = "w" })
let g depth = raise (Inner.Deep { depth })

(* tests *) let () = assert (try f 3; false with Bad { line; _ } -> line = 3)
(* for wrong expect checks: failed *)

(* tests *) let () = assert (try f 3; false with Bad r -> r.line = 3 && r.word <> {||})
(* for wrong expect checks: failed *)

(* tests *) let () = assert (match f 3 with () -> false | exception Bad { line = 3; _ } -> true)
(* for wrong expect checks: raised *)

(* tests *) let () = try f 3; assert false with Bad { line; _ } -> assert (line = 3)
(* for wrong expect checks: failed *)

(* tests *) let () = assert (try g 3; false with Inner.Deep { depth } -> depth = 3)
(* for wrong expect checks: failed *)

(* tests *)
open Inner
let () = assert (try g 3; false with Deep { depth } -> depth = 3)
(* for wrong expect checks: failed *)

(* tests *)
open OUnit2
let () = run_test_tt_main ("s" >:: fun _ -> assert_raises (Bad { line = 3; word = "w" }) (fun () -> f 3))
(* for wrong expect checks: failed *)

(* tests *) let () = assert (try f 3; false with Bad { line; _ } -> line = 3)
(* reference or none: right *)
(* for right expect checks: passed *)

(* tests *) let () = assert (try f 3; false with Bad r -> r.line = 3 && r.word <> {||})
(* for right expect checks: passed *)

(* tests *) let () = assert (match f 3 with () -> false | exception Bad { line = 3; _ } -> true)
(* for right expect checks: passed *)

(* tests *) let () = try f 3; assert false with Bad { line; _ } -> assert (line = 3)
(* for right expect checks: passed *)

(* tests *) let () = assert (try g 3; false with Inner.Deep { depth } -> depth = 3)
(* for right expect checks: passed *)

(* tests *)
open Inner
let () = assert (try g 3; false with Deep { depth } -> depth = 3)
(* for right expect checks: passed *)

(* tests *)
open OUnit2
let () = run_test_tt_main ("s" >:: fun _ -> assert_raises (Bad { line = 3; word = "w" }) (fun () -> f 3))
(* for right expect checks: passed *)
