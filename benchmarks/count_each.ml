(* Times the count of every type error against the plain type check, program by program,
   in this one process.  Prints a line for each: how many errors (0: it types), then the
   fewest microseconds that parsing, typing up to the first error, and counting took, and
   typing all of its repaired version (0: there is none).

   A plain check warns as the engine's and ocamlc do; a count is silent, as it always is.

   An item holds a program and its repaired version, or an empty one.

   count_each ITEMS ROUNDS FOLDER... *)

let read path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

let timed work =
  let started = Unix.gettimeofday () in
  let found = work () in
  (found, (Unix.gettimeofday () -. started) *. 1e6)

let fewest rounds work =
  let rec go n least =
    if n = 0 then least
    else begin
      Gc.minor ();
      go (n - 1) (Float.min least (work ()))
    end
  in
  go rounds infinity

let measured rounds env code fixed =
  let parse code = Syntax.parse_text Parse.implementation "solution.ml" code in
  let check program =
    Location.input_name := "solution.ml";
    Typing_compat.set_unit "Solution";
    Level_compat.kept (fun () -> Type_items.attempt env program)
  in
  match parse code with
  | exception _ -> None
  | program -> (
    let checked program () =
      let found, spent = timed (fun () -> check program) in
      ignore (Check_request.printed ());
      Type_items.reset ();
      (found, spent)
    in
    match checked program () with
    | Type_items.Typed _, _ -> Some (0, 0., 0., 0., 0.)
    | Failed _, _ ->
      let count () =
        match check program with
        | Type_items.Typed _ -> failwith "a program types only now and then"
        | Failed failed ->
          timed (fun () ->
              match Count.of_code ?failed ~uses:Names.Set.empty ~env program with
              | count :: _ -> int_of_string count
              | [] -> failwith "no count")
      in
      let typing program = fewest rounds (fun () -> snd (checked program ())) in
      let parsing = fewest rounds (fun () -> snd (timed (fun () -> parse code))) in
      let counting = fewest rounds (fun () -> snd (count ())) in
      let whole =
        match parse fixed with [] | (exception _) -> 0. | fixed -> typing fixed
      in
      Some (fst (count ()), parsing, typing program, counting, whole))

let () =
  match Array.to_list Sys.argv with
  | _ :: items :: rounds :: folders ->
    ignore (Initial_env.prepare_compiler folders);
    let env = Lazy.force Names.env in
    Initial_env.collect_rarely ();
    let rounds = int_of_string rounds in
    List.iter
      (fun item ->
        let code, fixed =
          match Netstring.decode_all item with
          | [ code; fixed ] -> (code, fixed)
          | _ -> failwith "malformed item"
        in
        match measured rounds env code fixed with
        | None -> print_endline "-"
        | Some (count, parsing, typing, counting, whole) ->
          Printf.printf "%d %.1f %.1f %.1f %.1f\n%!" count parsing typing counting whole)
      (Netstring.decode_all (read items))
  | _ -> exit 2
