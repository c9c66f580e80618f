(* Links units in memory on top of the runner, with ocamlc's linker's errors. *)

type runner = {
  places : (string, int) Hashtbl.t;  (* of globals *)
  size : int;
  primitives : (string, int) Hashtbl.t;
}

let runner path =
  let globals, size, names = Backend.read_program path in
  let places = Hashtbl.create 997 and primitives = Hashtbl.create 997 in
  (* Every program has Std_exit, and no program can name it. *)
  List.iter
    (fun (name, place) -> if name <> "Std_exit" then Hashtbl.replace places name place)
    globals;
  List.iteri (fun i name -> Hashtbl.replace primitives name i) names;
  { places; size; primitives }

(* The compiler's own words for what its linker does not find. *)
exception Missing of string

(* A unit no other defines: the first by name, and the first unit that needs it. *)
let check_present runner units =
  let defined = Hashtbl.create 4 in
  List.iter
    (fun (_, unit) ->
      List.iter
        (function Backend.Defines name, _ -> Hashtbl.replace defined name () | _ -> ())
        unit.Backend.relocations)
    units;
  let missing (unit_name, unit) =
    let needed =
      List.filter_map
        (function Backend.Needs name, _ -> Some name | _ -> None)
        unit.Backend.relocations
    in
    List.filter_map
      (fun name ->
        if Hashtbl.mem runner.places name || Hashtbl.mem defined name then None
        else Some (name, unit_name))
      (needed @ unit.Backend.required)
  in
  (* A stable sort keeps the order of units among equals. *)
  match
    List.stable_sort (fun (a, _) (b, _) -> compare a b) (List.concat_map missing units)
  with
  | [] -> ()
  | (name, needed_by) :: _ ->
    raise
      (Missing
         (Printf.sprintf "Module `%s' is unavailable (required by `%s')" name needed_by))

(* What runner.ml takes: how many globals there are, literals with their places, and code
   to run in order.  [units] are (name, code) in link order. *)
let image runner units =
  check_present runner units;
  let size = ref runner.size in
  let literals = ref [] in
  let fresh () = let place = !size in incr size; place in
  let defined = Hashtbl.create 4 in
  let place name =
    match Hashtbl.find_opt runner.places name with
    | Some place -> place
    | None -> (
      match Hashtbl.find_opt defined name with
      | Some place -> place
      | None ->
        let place = fresh () in
        Hashtbl.add defined name place;
        place)
  in
  let link (unit_name, unit) =
    let code = unit.Backend.code in
    let bytes = Bytes.init (Misc.LongString.length code) (Misc.LongString.get code) in
    List.iter
      (fun (what, at) ->
        let number =
          match what with
          | Backend.Literal literal ->
            let place = fresh () in
            literals := (place, literal) :: !literals;
            place
          | Needs name | Defines name -> place name
          | Primitive name -> (
            match Hashtbl.find_opt runner.primitives name with
            | Some number -> number
            | None ->
              raise
                (Missing
                   (Printf.sprintf
                      "Error while linking %s.cmo:\n\
                       The external function `%s' is not available"
                      (String.uncapitalize_ascii unit_name) name)))
        in
        Bytes.set_int32_le bytes at (Int32.of_int number))
      unit.Backend.relocations;
    Bytes.unsafe_to_string bytes
  in
  let codes = List.map link units in
  Marshal.to_string (!size, !literals, codes) []
