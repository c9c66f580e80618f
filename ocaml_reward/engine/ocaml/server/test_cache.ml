(* Caches compiled tests by digest and interface, for as long as the checker lives. *)

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

(* Compiled tests, by their digest and the key of the interface. *)
let kept : (string * string, string * Compiled_unit.t) Hashtbl.t = Hashtbl.create most
let images : (string * string, string) Hashtbl.t = Hashtbl.create most

(* Errors are not cached. *)
let compiled ~digest ~signature compile =
  match Interface_key.key signature with
  | None -> compile ()
  | Some key -> once kept (digest, key) compile

(* An oracle program, by its digest and the key of the types. *)
let linked ~digest ~types link = once images (digest, types) link
