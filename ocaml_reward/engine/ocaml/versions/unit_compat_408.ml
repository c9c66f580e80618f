(* What differs between compiler-libs versions around a unit: OCaml 4.08 to 5.2. *)

(* Makes the compiler look interfaces up with [find]. *)
let load_interfaces find =
  Persistent_env.Persistent_signature.load :=
    fun ~unit_name ->
      match find unit_name with
      | Some (filename, cmi) -> Some { Persistent_env.Persistent_signature.filename; cmi }
      | None -> None

(* Nothing, as these versions do not check for unused attributes. *)
let note_alerts _ = ()
let warn_unused () = ()

let loadable code = Obj.repr [| code |]

let unavailable missing =
  let pairs = List.concat_map (fun (by, names) -> List.map (fun n -> (n, by)) names) missing in
  (* The first by name; a stable sort keeps the order of units among equals. *)
  match List.stable_sort (fun (a, _) (b, _) -> compare a b) pairs with
  | [] -> None
  | (name, by) :: _ -> Some (Bytelink.Error (Required_module_unavailable (name, by)))
