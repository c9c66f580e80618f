(* Tests that were compiled against an interface that many completions share need not be
   typed again for each.  What is kept goes with the checker, and saves nothing but time:
   it is what compiling the tests once more would give. *)

let most = 256
let kept : (string * string, string * Objects.t) Hashtbl.t = Hashtbl.create most

(* The bytecode of tests with this digest, against [signature]; errors are not kept. *)
let compiled ~digest ~signature compile =
  match Interface.key signature with
  | None -> compile ()
  | Some key -> (
    match Hashtbl.find_opt kept (digest, key) with
    | Some code -> Ok code
    | None ->
      let result = compile () in
      Result.iter
        (fun code ->
          if Hashtbl.length kept >= most then Hashtbl.reset kept;
          Hashtbl.add kept (digest, key) code)
        result;
      result)
