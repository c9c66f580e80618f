(* Sets up the compiler as ocamlc would, with every interface in memory. *)

(* The interfaces in these folders, by their units, with their files. *)
let interfaces folders =
  let found = Hashtbl.create 97 in
  List.iter
    (fun folder ->
      Array.iter
        (fun name ->
          if Filename.check_suffix name ".cmi" then begin
            let unit_name = String.capitalize_ascii (Filename.chop_suffix name ".cmi") in
            let path = Filename.concat folder name in
            if not (Hashtbl.mem found unit_name) then
              Hashtbl.add found unit_name (path, Cmi_format.read_cmi path)
          end)
        (Sys.readdir folder))
    folders;
  found

(* Sets up the compiler; returns the names of the units in the folders. *)
let prepare_compiler folders =
  (* In ocamlc's order. *)
  let own = List.filter (( <> ) Config.standard_library) folders in
  Clflags.include_dirs := List.rev own;
  Clflags.dont_write_files := true;
  Clflags.error_style := Some Misc.Error_style.Short;
  Clflags.color := Some Misc.Color.Never;
  ignore (Warnings.parse_options false "-24");
  Location.formatter_for_warnings := Check_request.text;
  let found = interfaces (own @ [ Config.standard_library ]) in
  (* A missing unit is not the program's fault. *)
  List.iter
    (fun unit -> if not (Hashtbl.mem found unit) then failwith (unit ^ " is missing"))
    [ Units.harness; Units.pristine; Units.suites; Units.ounit ];
  Unit_compat.load_interfaces (Hashtbl.find_opt found);
  ignore (Names.standard ());
  Hashtbl.fold (fun name _ names -> name :: names) found []

(* Gives the process a minor heap with room for several requests, and hardly any major collection in
   a checker's short life. *)
let collect_rarely () =
  Gc.compact ();
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20; space_overhead = 1000 }
