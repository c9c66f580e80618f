(* Links units in memory on top of the runner, with ocamlc's linker's errors. *)

open Objects

type runner = {
  places : (string, int) Hashtbl.t;  (* of globals *)
  size : int;
  primitives : (string, int) Hashtbl.t;
}

let runner path =
  let program = Backend.read_program path in
  let places = Hashtbl.create 997 and primitives = Hashtbl.create 997 in
  (* Every program has Std_exit, and no program can name it. *)
  List.iter
    (fun (name, place) -> if name <> "Std_exit" then Hashtbl.replace places name place)
    program.globals;
  List.iteri (fun i name -> Hashtbl.replace primitives name i) program.primitives;
  { places; size = program.size; primitives }

(* Raises Bytelink.Error for what no unit defines. *)
let check_present runner units =
  let defined = Hashtbl.create 4 in
  List.iter
    (fun (_, unit) ->
      List.iter
        (function Defines name, _ -> Hashtbl.replace defined name () | _ -> ())
        unit.relocations)
    units;
  let missing (unit_name, unit) =
    let needed =
      List.filter_map (function Needs name, _ -> Some name | _ -> None) unit.relocations
    in
    ( unit_name,
      List.filter
        (fun name -> not (Hashtbl.mem runner.places name || Hashtbl.mem defined name))
        (needed @ unit.required) )
  in
  Option.iter raise (Backend.unavailable (List.map missing units))

(* What runner.ml takes: how many globals there are, literals with their places, and code
   to run in order.  [units] are (name, code) in link order; they are patched in place. *)
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
    List.iter
      (fun (what, at) ->
        let number =
          match what with
          | Literal literal ->
            let place = fresh () in
            literals := (place, literal) :: !literals;
            place
          | Needs name | Defines name -> place name
          | Primitive name -> (
            match Hashtbl.find_opt runner.primitives name with
            | Some number -> number
            | None ->
              let error = Symtable.Unavailable_primitive name in
              raise (Bytelink.Error (Symbol_error (file unit_name, error))))
        in
        Bytes.set_int32_le unit.code at (Int32.of_int number))
      unit.relocations;
    Backend.loadable unit.code
  in
  let codes = List.map link units in
  Marshal.to_string (!size, !literals, codes) []
