(* Caches compiled tests by digest and interface, for as long as the checker lives. *)

(* The most entries of a cache. *)
let most = 256

(* What [kept] has for a key, or what [make] makes. *)
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

(* Images of oracle programs and judges, by digest and the key of the types. *)
let images : (string * string, string) Hashtbl.t = Hashtbl.create most

(* The compiled tests, by their digest and the key of the interface if it has one, from the cache or
   by [compile].  Errors are not cached. *)
let compiled ~digest ~key compile =
  match key with None -> compile () | Some key -> once kept (digest, key) compile

(* The compiled tests in the cache. *)
let found ~digest ~key =
  Option.bind key (fun key -> Hashtbl.find_opt kept (digest, key))

(* The image of an oracle program, by its digest and the key of the types, from the cache or by
   [link]. *)
let linked ~digest ~types link = once images (digest, types) link
