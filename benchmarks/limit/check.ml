(* Checks every item of a file in this one process: no fork, no jail, no other language.
   Prints milliseconds per round; the images of the last round go to a file.  HOW is
   "each", all tests anew for each item, or "once", as the engine does.

   check HOW RUNNER ITEMS IMAGES ROUNDS FOLDER... *)

let read path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

let () =
  match Array.to_list Sys.argv with
  | _ :: (("each" | "once") as how) :: runner :: items :: images :: rounds :: folders ->
    let runner = Link_units.runner runner in
    let units = Initial_env.prepare_compiler folders in
    Warm_up.run runner units;
    Initial_env.collect_rarely ();
    let item text =
      match Netstring.decode_all text with
      | [ code; tests; uses ] ->
        let uses = Names.Set.of_list (String.split_on_char ' ' uses) in
        (code, { Check_request.tests = Stored_trees.of_binary tests; digest = Digest.string tests; uses })
      | _ -> failwith "malformed item"
    in
    let items = List.map item (Netstring.decode_all (read items)) in
    let found = ref [] in
    for _ = 1 to int_of_string rounds do
      found := [];
      let started = Unix.gettimeofday () in
      List.iter
        (fun (code, requested) ->
          if how = "each" then Hashtbl.reset Test_cache.kept;
          (match (Check_request.check runner ~code requested).stage with
           | Executable image -> found := image :: !found
           | _ -> ());
          Gc.minor ())
        items;
      Printf.printf "%.3f\n%!" ((Unix.gettimeofday () -. started) *. 1e3)
    done;
    let out = open_out_bin images in
    List.iter (fun image -> Marshal.to_channel out (image : string) []) (List.rev !found);
    close_out out
  | _ -> exit 2
