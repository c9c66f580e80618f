open Parsetree
open Values
open Origins

(* An object that is written out, by what its methods give. *)
let an_object = "object"

let of_name s name = cell s Location.none ("#" ^ name)
let of_class s name = cell s Location.none ("new " ^ name)

let sent s env receiver name =
  if receiver = Never then Never
  else if not (Names.Set.mem name s.methods) then if is_made receiver then Made else s.unknown
  else begin
    let found = of_name s name in
    take s found ~driven:env.driven [];
    match receiver with
    | Block (name, [ inside ]) when name = an_object && untouched inside -> found.value
    | _ -> if is_made receiver then Made else found.value
  end

let made_new s path =
  match path with
  | Longident.Lident name when Hashtbl.mem s.cells (key Location.none ("new " ^ name)) ->
    (of_class s name).value
  | _ -> s.unknown

let assign s env name v =
  match meaning env [ name ] with
  | Own cell ->
    (* What is called often may count how often. *)
    assigned s (if env.driven then Made else v) cell;
    if env.driven || is_made v || blur v = v then act s
  | _ -> act s

let rec obj (flow : Supply.flow) s env structure =
  let env = bind_pattern s env structure.pcstr_self Constant in
  let add env field =
    match field.pcf_desc with
    | Pcf_val ({ txt; loc }, _, Cfk_concrete (_, e)) ->
      let found = cell s loc txt in
      raise_to s found (flow.value s env e);
      bind env txt found
    | _ -> env
  in
  let env = List.fold_left add env structure.pcstr_fields in
  let gives field =
    match field.pcf_desc with
    | Pcf_method ({ txt; _ }, _, Cfk_concrete (_, e)) ->
      let found = of_name s txt and e = plain e in
      let inside = { env with driven = found.driven; asking = false } in
      let given = List.init (arity e) (fun _ -> Made) in
      raise_to s found (func (List.length given) (flow.func s inside given e));
      found.value
    | Pcf_initializer e -> ignore (flow.value s { env with driven = true } e); Never
    | Pcf_inherit (_, c, _) -> of_expression flow s env c
    | _ -> Never
  in
  let gives = all (Constant :: List.map gives structure.pcstr_fields) in
  if untouched gives then block an_object [ gives ] else blur gives

(* What a class makes, or a function of as many arguments that does. *)
and of_expression flow s env c =
  match c.pcl_desc with
  | Pcl_structure structure -> obj flow s env structure
  | Pcl_fun (_, by_default, pattern, c) ->
    Option.iter (fun e -> ignore (flow.value s env e)) by_default;
    func 1 (of_expression flow s (bind_pattern s env pattern Made) c)
  | Pcl_constraint (c, _) -> of_expression flow s env c
  | Pcl_apply ({ pcl_desc = Pcl_constr ({ txt; _ }, _); _ }, arguments) ->
    List.iter (fun (_, e) -> lose s env e) arguments;
    applied (made_new s txt) (List.map (fun _ -> Constant) arguments)
  | Pcl_constr ({ txt; _ }, _) -> made_new s txt
  | _ ->
    lose_within s env (fun self -> self.class_expr self c);
    Made

let classes flow s env declared =
  List.iter
    (fun { pci_name; pci_expr; _ } ->
      let found = of_class s pci_name.txt in
      raise_to s found (of_expression flow s env pci_expr))
    declared
