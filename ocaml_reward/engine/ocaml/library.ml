let path_of names =
  List.fold_left Compat.dot (Longident.Lident (List.hd names)) (List.tl names)

let has_module path =
  match Env.find_module_by_name (path_of path) (Lazy.force Names.env) with
  | _ -> true
  | exception _ -> false

let type_of path =
  match Env.find_value_by_name (path_of path) (Lazy.force Names.env) with
  | _, { Types.val_type; _ } -> Some val_type
  | exception _ -> None

let rec variables t =
  match Views.desc t with
  | Tvar _ -> [ Views.id t ]
  | Tarrow (_, a, b, _) -> variables a @ variables b
  | Tconstr (_, arguments, _) -> List.concat_map variables arguments
  | Ttuple _ as desc -> List.concat_map (fun (_, t) -> variables t) (Compat.tuple_type desc)
  | Tpoly (t, _) -> variables t
  | _ -> []

let rec arrows t =
  match Views.desc t with
  | Tarrow (label, a, b, _) ->
    let more, result = arrows b in
    ((label, a) :: more, result)
  | _ -> ([], t)

let fits (label : Asttypes.arg_label) (given : Asttypes.arg_label) =
  match (label, given) with
  | Nolabel, Nolabel -> true
  | (Labelled a | Optional a), (Labelled b | Optional b) -> a = b
  | _ -> false

let matched parameters arguments =
  let rec without label before = function
    | (l, t) :: after when fits l label -> Some (t, List.rev_append before after)
    | first :: after -> without label (first :: before) after
    | [] -> None
  in
  let give (found, waiting, left) (label, argument) =
    match without label [] waiting with
    | Some (t, waiting) -> ((t, argument) :: found, waiting, left)
    | None -> (found, waiting, argument :: left)
  in
  let found, waiting, left = List.fold_left give ([], parameters, []) arguments in
  let is_asked (label, _) = match label with Asttypes.Optional _ -> false | _ -> true in
  (List.rev found, List.filter is_asked waiting, List.rev left)

let is_unit t =
  match Views.desc t with
  | Tconstr (path, [], _) -> Path.same path Predef.path_unit
  | _ -> false

let may_change t =
  match Views.desc t with
  | Tconstr (path, _, _) ->
    not
      (List.mem (Path.name path)
         [ "int"; "char"; "string"; "float"; "bool"; "unit"; "list"; "option"; "exn"; "int32";
           "int64"; "nativeint" ])
  | _ -> false

let is_format t =
  match Views.desc t with
  | Tconstr (path, _, _) -> List.mem (Path.last path) [ "format"; "format4"; "format6" ]
  | _ -> false

let is_channel t =
  match Views.desc t with
  | Tconstr (path, _, _) -> List.mem (Path.last path) [ "out_channel"; "formatter" ]
  | _ -> false

let reads path =
  List.mem
    (List.nth path (List.length path - 1))
    [ "stdin"; "stdib"; "read_line"; "read_int"; "read_int_opt"; "read_float"; "read_float_opt";
      "scanf" ]
