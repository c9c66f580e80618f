(* Reads all interfaces and compiles a typical program before the first fork. *)

(* The typical program. *)
let program =
  {|
module Strings = Map.Make (String)
module Ints = Set.Make (Int)
type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
type point = { mutable x : int; y : float }
exception Empty of string
let rec insert compare v = function
  | Leaf -> Node (Leaf, v, Leaf)
  | Node (l, w, r) when compare v w < 0 -> Node (insert compare v l, w, r)
  | Node (l, w, r) -> Node (l, w, insert compare v r)
let total = List.fold_left ( + ) 0 [ 1; 2; 3 ]
let words s = List.map String.trim (String.split_on_char ' ' s)
let table : (string, int list) Hashtbl.t = Hashtbl.create 16
let () =
  let p = { x = 1; y = 2. } in
  p.x <- p.x + Array.length (Array.make 3 'c');
  Hashtbl.replace table "a" (List.sort compare [ p.x; int_of_float p.y ]);
  let buffer = Buffer.create 16 in
  Buffer.add_string buffer (Printf.sprintf "%d %s %.2f" total "b" p.y);
  (try ignore (Option.get (Strings.find_opt "c" Strings.empty)) with
   | Not_found | Invalid_argument _ -> ()
   | Empty why -> print_endline why);
  for i = 0 to Bytes.length (Bytes.of_string "d") do
    while i < 0 do ignore (Char.code 'e' land 255, Ints.singleton i, words "f g") done
  done;
  ignore (Queue.create (), Stack.create (), Seq.empty, Fun.id, Result.ok 1, Lazy.from_val 2);
  ignore (Float.of_int 1, Int64.add 1L 2L, Random.int 5, insert compare 1 Leaf)
|}

(* Loads the interfaces of these units and checks programs. *)
let run runner units =
  let env = Lazy.force Names.env in
  List.iter
    (fun name ->
      try ignore (Env.find_module (Path.Pident (Ident.create_persistent name)) env)
      with Not_found | Env.Error _ | Persistent_env.Error _ -> ())
    units;
  let checked code =
    let requested = { Check_request.tests = []; digest = ""; uses = Names.Set.empty } in
    Level_compat.kept (fun () -> Check_request.check runner ~code requested)
  in
  let good = checked program in
  ignore (checked "let f x = x + \"\"");
  ignore (checked "let f x = (");
  match good.stage with
  | Executable _ -> ()
  | _ -> failwith ("the warm-up does not compile: " ^ good.text)
