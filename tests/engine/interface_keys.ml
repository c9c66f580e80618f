(* Writes the key of each program's interface, all of it shown: a netstring for each, empty
   where there is none.

   interface_keys PROGRAMS FOLDER... *)

let read path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

let key env program =
  let { Codegen.signature; _ }, _ =
    Check_request.compiled ~source:Check_request.source ~unit_name:Check_request.unit_name env
      (Check_request.parsed program)
  in
  Option.value (Interface_key.key signature) ~default:""

let () =
  match Array.to_list Sys.argv with
  | _ :: programs :: folders ->
    ignore (Initial_env.prepare_compiler folders);
    let env = Lazy.force Names.env in
    List.iter
      (fun program ->
        print_string (Netstring.encode (key env program));
        Type_items.reset ())
      (Netstring.decode_all (read programs))
  | _ -> exit 2
