open Compiled_unit

type runner = {
  places : (string, int) Hashtbl.t;  (* of globals *)
  size : int;
  primitives : (string, int) Hashtbl.t;
}

let runner path =
  let program = Codegen.read_program path in
  let places = Hashtbl.create 997 and primitives = Hashtbl.create 997 in
  (* Every program has Std_exit, and no program can name it. *)
  List.iter
    (fun (name, place) -> if name <> "Std_exit" then Hashtbl.replace places name place)
    program.globals;
  List.iteri (fun i name -> Hashtbl.replace primitives name i) program.primitives;
  { places; size = program.size; primitives }

(* Raises Bytelink.Error for an undefined global. *)
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
  Option.iter raise (Unit_compat.unavailable (List.map missing units))

(* Whether a literal is a value that OCaml source can denote: through [Obj.with_tag] the
   compiler makes literals of any tag. *)
let is_sound literal =
  let operations v = Obj.raw_field v 0 in
  let numbers = List.map operations [ Obj.repr 0l; Obj.repr 0L; Obj.repr 0n ] in
  let rec all = function
    | [] -> true
    | v :: rest when Obj.is_int v -> all rest
    | v :: rest ->
      let tag = Obj.tag v and size = Obj.size v in
      if tag = Obj.string_tag then
        (* The last byte is the padding of the last word. *)
        let length = String.length (Obj.obj v) in
        length >= 0 && (length / (Sys.word_size / 8)) + 1 = size && all rest
      else if tag = Obj.double_tag then size = 64 / Sys.word_size && all rest
      else if tag = Obj.double_array_tag then all rest
      else if tag = Obj.custom_tag then List.mem (operations v) numbers && all rest
      else tag < Obj.lazy_tag && all (List.rev_append (List.init size (Obj.field v)) rest)
  in
  all [ literal ]

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
            if not (is_sound literal) then invalid_arg "output_value: abstract value (Abstract)";
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
    Unit_compat.loadable unit.code
  in
  let codes = List.map link units in
  Marshal.to_string (!size, !literals, codes) []
