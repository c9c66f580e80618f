(* What differs between compiler-libs versions around a unit: OCaml 5.3 and later. *)

(* Makes the compiler look interfaces up with [find]. *)
let load_interfaces find =
  let open Persistent_env.Persistent_signature in
  load :=
    fun ~allow_hidden:_ ~unit_name ->
      match find unit_name with
      | Some (filename, cmi) -> Some { filename; cmi; visibility = Load_path.Visible }
      | None -> None

let note_alerts program = ignore (Builtin_attributes.alerts_of_str ~mark:true program)
let warn_unused = Builtin_attributes.warn_unused

let loadable code =
  Obj.repr (Bigarray.Array1.init Char C_layout (Bytes.length code) (Bytes.get code))

let unavailable missing =
  let dependencies = Linkdeps.create ~complete:true in
  List.iter
    (fun (compunit, requires) ->
      Linkdeps.add dependencies ~filename:(Compiled_unit.file compunit) ~compunit ~requires
        ~provides:[ compunit ])
    (List.rev missing);
  Option.map (fun error -> Bytelink.Error (Link_error error)) (Linkdeps.check dependencies)
