(* Prints of each program the place that the compiler names, where its mistakes may be
   (errors/blame.ml), and the milliseconds of processor time that the search took.

   blame_each ITEMS FOLDER... *)

let read path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

let () =
  match Array.to_list Sys.argv with
  | _ :: items :: folders ->
    ignore (Initial_env.prepare_compiler folders);
    let env = Lazy.force Names.env in
    Initial_env.collect_rarely ();
    List.iter
      (fun code ->
        let first, text, spent =
          match Syntax.parse_text Parse.implementation "solution.ml" code with
          | exception _ -> ("", "", 0.)
          | program ->
            Location.input_name := "solution.ml";
            Typing_compat.set_unit "Solution";
            let first =
              match Without_warnings.run (fun () -> Type_items.undo env program) with
              | Failed (Some failure) -> Blame.text [ [ failure.at ] ]
              | _ -> ""
            in
            let started = Sys.time () in
            let found = Without_warnings.run (fun () -> Blame.places env program) in
            let spent = Sys.time () -. started in
            Type_items.reset ();
            (first, Blame.text found, spent)
        in
        print_string (Netstring.encode_all [ first; text; Printf.sprintf "%.3f" (1e3 *. spent) ]))
      (Netstring.decode_all (read items))
  | _ -> exit 2
