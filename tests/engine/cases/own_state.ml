(* Tests share no state of the library's with the code, and nothing of the code's runs but where
   they call it. *)
(* engines: warm stock *)

(* # The tests draw their own numbers: code that sets its generator chooses nothing that the tests
   are made of. *)
(* code: wrong *)
let good = let rec go s = Random.init s; if Random.int 20 < 2 then s else go (s + 1) in go 0
let srt l = Random.init good; l
let () = Random.init good
(* code: right *) let srt l = List.sort compare l

(* tests *)
let drawn () = List.init (Random.int 20) (fun _ -> Random.int 100)
let () = for _ = 1 to 50 do let l = drawn () in assert (srt l = List.sort compare l) done
(* for wrong expect checks: failed *)
(* for right expect checks: passed *)

(* tests *)
let () = Random.init 42
let drawn () = List.init (Random.int 20) (fun _ -> Random.int 100)
let () = for _ = 1 to 50 do let l = drawn () in assert (srt l = List.sort compare l) done
(* for wrong expect checks: failed *)
(* for right expect checks: passed *)

(* tests *)
let () = Random.self_init ()
let drawn () = List.init (Random.int 20) (fun _ -> Random.int 100)
let () = for _ = 1 to 50 do let l = drawn () in assert (srt l = List.sort compare l) done
(* for wrong expect checks: failed *)
(* for right expect checks: passed *)

(* # Tests may seed the code: two calls behind the same seed draw the same. *)
(* tests *)
let () = Random.init 7; let a = roll () in Random.init 7; assert (roll () = a); Random.full_init [| 1; 2 |]; let s = Random.get_state () in let b = (Random.int 9, Random.float 1., Random.bool (), Random.bits ()) in Random.set_state s; assert (b = (Random.int 9, Random.float 1., Random.bool (), Random.bits ()))
(* code *) let roll () = Random.int 1_000_000
(* expect checks: 2 passed *)

(* # Nothing runs between two looks: what the runtime would call while the tests allocate is never
   called. *)
(* tests *)
let is_sorted a =
  let ok = ref true in
  for i = 0 to Array.length a - 2 do if a.(i) > a.(i + 1) then ok := false done; !ok
let same a b = List.sort compare (Array.to_list a) = List.sort compare (Array.to_list b)
let () = let a = [| 3; 1; 2 |] in let b = Array.copy a in srt b; assert (is_sorted b && same a b)
(* code *)
let srt b =
  let old = Array.copy b and n = ref 0 in
  Array.fill b 0 (Array.length b) 0;
  Gc.Memprof.start ~sampling_rate:1.0 ~callstack_size:0 { Gc.Memprof.null_tracker with
    alloc_minor = (fun _ -> incr n; if !n > 6 then Array.blit old 0 b 0 (Array.length b); None) }
(* expect checks: failed *)

(* code *)
let srt b =
  let old = Array.copy b in
  Array.fill b 0 (Array.length b) 0;
  let rec again () =
    let v = ref 0 in
    Gc.finalise (fun _ -> Array.blit old 0 b 0 (Array.length b); again ()) v in
  for _ = 1 to 1000 do again () done;
  ignore (Gc.create_alarm (fun () -> Array.blit old 0 b 0 (Array.length b)))
(* expect checks: failed *)

(* # The runtime calls nothing: neither where memory is taken nor where it is given back, and so
   not beside the tests. *)
(* tests *) let () = assert (called () = 0)
(* code *)
let called () =
  let n = ref 0 in
  ignore (Gc.Memprof.start ~sampling_rate:1.0 ~callstack_size:0 { Gc.Memprof.null_tracker with
    alloc_minor = (fun _ -> incr n; None) });
  ignore (Sys.opaque_identity (List.init 1000 Fun.id));
  Gc.Memprof.stop ();
  !n
(* expect checks: passed *)

(* code *)
let called () =
  let n = ref 0 in
  Gc.finalise (fun _ -> incr n) (ref 0);
  Gc.finalise_last (fun _ -> incr n) (ref 0);
  Gc.full_major ();
  !n
(* expect checks: passed *)

(* # A printer of the code makes no exception another: wrong code does not pass by what it
   registers, nor does right code fail by it. *)
(* code: right *) let f _ = Exit
(* code: wrong *)
let () = Printexc.register_printer (fun _ -> Some "")
let f _ = Not_found
(* code: wrong 2 *)
let () = Printexc.register_printer (fun _ -> Some "Stdlib.Exit")
let f _ = Not_found
(* code: wrong 3 *)
exception Other of int
let f _ = Not_found

(* tests: of the library *) let () = assert (Printexc.to_string (f 1) = Printexc.to_string Exit)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for wrong 2 expect checks: failed *)
(* for wrong 3 expect checks: failed *)

(* tests: by its path *) let () = assert (Stdlib.Printexc.to_string (f 1) = Stdlib.Printexc.to_string Exit)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for wrong 2 expect checks: failed *)
(* for wrong 3 expect checks: failed *)

(* tests: by names of the tests' own *)
module P = Printexc
let show = P.to_string
let right = show Exit
let () = assert (show (f 1) = right)
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for wrong 2 expect checks: failed *)
(* for wrong 3 expect checks: failed *)

(* tests: of the code *) let () = assert (Printexc.to_string (f 1) = Printexc.to_string (Mine 1))
(* code *)
exception Mine of int
let f n = Mine n
(* expect checks: passed *)

(* code *)
let () = Printexc.register_printer (fun _ -> Some "")
exception Mine of int
let f n = Mine (n + 1)
(* expect checks: failed *)

(* code *)
let () = Printexc.register_printer (fun _ -> Some "Stdlib.Exit")
exception Mine of int
let f n = Mine (n + 1)
(* expect checks: failed *)

(* code *)
exception Other of int
exception Mine of int
let f n = Mine (n + 1)
(* expect checks: failed *)

(* tests: in lists *)
let show = List.map Printexc.to_string
let () = assert (show [f 1; f 1] = show [Exit; Exit])
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for wrong 2 expect checks: failed *)
(* for wrong 3 expect checks: failed *)

(* tests: that are raised *)
let text f = match f () with exception e -> Printexc.to_string e | _ -> ""
let () = assert (text (fun () -> f 1) = text (fun () -> failwith "no"))
(* code *) let f _ = failwith "no"
(* expect checks: passed *)

(* code *)
let () = Printexc.register_printer (fun _ -> Some "")
let f _ = failwith "yes"
(* expect checks: failed *)

(* code *)
let () = Printexc.register_printer (fun _ -> Some "Stdlib.Exit")
let f _ = failwith "yes"
(* expect checks: failed *)

(* code *)
exception Other of int
let f _ = failwith "yes"
(* expect checks: failed *)

(* tests: by a hook of the tests' own *)
let () = Printexc.register_printer (function Exit -> Some "" | _ -> None)
let () = assert (Printexc.to_string (f 1) = "")
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for wrong 2 expect checks: failed *)
(* for wrong 3 expect checks: failed *)

(* tests: written out *) let () = assert (Printexc.to_string (f 1) = "Stdlib.Exit")
(* for right expect checks: passed *)
(* for wrong expect checks: failed *)
(* for wrong 2 expect checks: failed *)
(* for wrong 3 expect checks: failed *)

(* # Printers that are asked for: what the code prints its exceptions as, and those of the
   library, is its answer. *)
(* tests *)
let () = assert (Printexc.to_string (f 1) = "mine")
let () = assert (Printexc.to_string (f 2) = "mine" && Printexc.to_string Exit = "x")
let () = assert (Printexc.to_string (f 2) = Printexc.to_string (f 2))
(* code *)
exception Mine of int
let f n = Mine n
let () = Printexc.register_printer (function Mine _ -> Some "mine" | Exit -> Some "x" | _ -> None)
(* expect checks: 3 passed *)

(* # The buffer of format is the tests own: code cannot turn away what the tests write; what it
   writes itself is read, too. *)
(* tests *)
let text n = Format.(fprintf str_formatter {|%d|} n; flush_str_formatter ())
let () = assert (text (f 2) = text 4)
(* code *)
let () =
  let out = Format.pp_get_formatter_out_functions Format.str_formatter () in
  Format.pp_set_formatter_out_functions Format.str_formatter
    { out with Format.out_string = (fun _ _ _ -> ()) }
let f n = n
(* expect checks: failed *)

(* code *) let f n = n * 2
(* expect checks: passed *)

(* tests *) let () = print 3; assert (Format.flush_str_formatter () = "3")
(* code *) let print n = Format.(fprintf str_formatter "%d" n)
(* expect checks: passed *)
