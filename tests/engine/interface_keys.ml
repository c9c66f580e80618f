(* Writes the key of each program's interface, all of it shown: a netstring for each, empty
   where there is none.

   interface_keys PROGRAMS FOLDER... *)

let read path =
  let channel = open_in_bin path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  text

let key env program =
  let { Backend.signature; _ }, _ =
    Checking.compiled ~source:Checking.source ~unit_name:Checking.unit_name env
      (Checking.parsed program)
  in
  Option.value (Interface.key signature) ~default:""

let () =
  match Array.to_list Sys.argv with
  | _ :: programs :: folders ->
    ignore (Loading.prepare_compiler folders);
    let env = Lazy.force Names.env in
    List.iter
      (fun program ->
        print_string (Netstring.encode (key env program));
        Typing.reset ())
      (Netstring.decode_all (read programs))
  | _ -> exit 2
