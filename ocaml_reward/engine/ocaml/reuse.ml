(* Tests that were compiled against an interface that many completions share need not be
   typed again for each.  What is kept goes with the checker, and saves nothing but time:
   it is what compiling the tests once more would give. *)

let most = 256

let once kept key make =
  match Hashtbl.find_opt kept key with
  | Some made -> Ok made
  | None ->
    let result = make () in
    Result.iter
      (fun made ->
        if Hashtbl.length kept >= most then Hashtbl.reset kept;
        Hashtbl.add kept key made)
      result;
    result

let kept : (string * string, string * Objects.t) Hashtbl.t = Hashtbl.create most
let images : (string * string, string) Hashtbl.t = Hashtbl.create most

(* The bytecode of tests with this digest, against [signature]; errors are not kept. *)
let compiled ~digest ~signature compile =
  match Interface.key signature with
  | None -> compile ()
  | Some key -> once kept (digest, key) compile

(* The program that tells answers with this digest, beside the types with this key. *)
let linked ~digest ~types link = once images (digest, types) link
