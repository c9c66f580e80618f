(* A stand-in for learn-ocaml's Test_lib and Report, over flat code and a module Solution.

   Learn-ocaml looks values up by name and type while tests run; here `[%ty: t] "f"` was
   rewritten to a [Ty.ty] that holds both of them.  What tests make is a report; what decides
   are its messages, and a call of a function is put off so that it can be a test of its own. *)

module Learn_ocaml = struct
  (* What the code redefines is its own. *)
  open Stdlib

  module Report = struct
    type t = item list
    and item =
      | Section of text * t
      | SectionMin of text * t
      | Message of text * status
      | Later of string * (unit -> t)
    and status =
      | Success of int
      | Penalty of int
      | Failure
      | Warning
      | Informative
      | Important
    and text = inline list
    and inline =
      | Text of string
      | Break
      | Code of string
      | Output of string
      | Link of string
      | Image of string

    type report = t

    (* The points, and whether something is wrong: wrong answers may have no points, too. *)
    let rec result report =
      List.fold_left
        (fun (points, failed) item ->
          match item with
          | Section (_, items) | SectionMin (_, items) ->
            let more, worse = result items in
            (points + more, failed || worse)
          | Later (_, items) ->
            let more, worse = result (items ()) in
            (points + more, failed || worse)
          | Message (_, Success n) -> (points + n, failed || n <= 0)
          | Message (_, Penalty n) -> (points - n, true)
          | Message (_, Failure) -> (points, true)
          | Message (_, (Warning | Informative | Important)) -> (points, failed))
        (0, false) report

    let failure ~message = Message ([ Text message ], Failure)
    let success ~points ~message = Message ([ Text message ], Success points)
    let warning ~message = Message ([ Text message ], Warning)
    let message ~message = Message ([ Text message ], Important)
    let info ~message = Message ([ Text message ], Informative)
    let section ~title items = Section ([ Text title ], items)
  end

  module Learnocaml_report = Report

  module Ty = struct
    type 'a ty = { code : unit -> 'a; solution : unit -> 'a }

    let none () = raise Not_found
    let bare = { code = none; solution = none }
    let of_both code solution = { code; solution }
  end

  (* The same draws each time, whatever the code does with the library's generator. *)
  module Random = struct
    include Stdlib.Random

    let state = Stdlib.Random.State.make [| 27 |]
    let self_init () = ()
    let init (_ : int) = ()
    let full_init (_ : int array) = ()
    let bits () = Stdlib.Random.State.bits state
    let int n = Stdlib.Random.State.int state n
    let float x = Stdlib.Random.State.float state x
    let bool () = Stdlib.Random.State.bool state
    let int32 n = Stdlib.Random.State.int32 state n
    let int64 n = Stdlib.Random.State.int64 state n
    let nativeint n = Stdlib.Random.State.nativeint state n

    let get_state () = State.copy state
    let set_state (_ : State.t) = ()
  end

  module Pervasives = Stdlib

  (* What is printed of values only stands in messages. *)
  module Introspection = struct
    let get_printer (_ : 'a Ty.ty) ppf (_ : 'a) = Format.pp_print_string ppf "_"
  end

  let code_ast = ()
  let set_progress (_ : string) = ()

  (* What tests see nothing of. *)
  module Inside = struct
    open Report
    open Ty

    (* Set where tests look into the reports of their calls, which are made at once then. *)
    let at_once = ref false
    let put_off name items = if !at_once then items () else [ Later (name, items) ]
    let made : Report.t ref = ref []
    let result f = match f () with value -> Ok value | exception error -> Error error

    let told equal got expected =
      if equal got expected then [ Message ([ Text "correct" ], Success 1) ]
      else [ Message ([ Text "wrong" ], Failure) ]

    let same (_ : 'a ty) (got : ('a, exn) Stdlib.result) (expected : ('a, exn) Stdlib.result) =
      told ( = ) got expected

    let nothing _ = ()
    let no_more _ _ _ = []

    (* [code] and [reference] find what is compared, which no test may take for a result. *)
    let compared name ?(test = same) ?(after = no_more) arg code reference =
      put_off name (fun () ->
          let code = code () and reference = reference () in
          let expected = result reference in
          let got = result code in
          let more =
            match (got, expected) with
            | Ok got, Ok expected -> after arg (got, "", "") (expected, "", "")
            | _ -> []
          in
          test bare got expected @ more)

    (* Of each call: the argument, a tuple where there are several, and what is right. *)
    let calls name ?test ?(before = nothing) ?after code cases =
      List.concat_map
        (fun (arg, reference) ->
          let call () =
            let f = code () in
            fun () ->
              before arg;
              f arg
          in
          compared name ?test ?after arg call reference)
        cases

    let against name ?gen ?test ?(before_reference = nothing) ?before_user ?after ?sampler ?drawn
        code reference args =
      let gen = match gen with Some n -> n | None -> max 5 (10 - List.length args) in
      let draw =
        match (sampler, drawn) with
        | Some draw, _ | None, Some draw -> draw
        | None, None -> fun () -> failwith "no sampler"
      in
      let case arg =
        ( arg,
          fun () ->
            let f = reference () in
            fun () ->
              before_reference arg;
              f arg )
      in
      calls name ?test ?before:before_user ?after code
        (List.map case (args @ List.init gen (fun _ -> draw ())))

    (* A property of the results alone. *)
    let holds name ?gen ?(before_user = nothing) ?after ?sampler ?drawn code property args =
      let gen = match gen with Some n -> n | None -> max 5 (10 - List.length args) in
      let draw = match sampler with Some _ -> sampler | None -> drawn in
      let draw = Option.value draw ~default:(fun () -> failwith "no sampler") in
      List.concat_map
        (fun arg ->
          put_off name (fun () ->
              let f = code () in
              before_user arg;
              let got = result (fun () -> f arg) in
              let more =
                match (got, after) with Ok got, Some after -> after arg (got, "", "") | _ -> []
              in
              property arg bare got @ more))
        (args @ List.init gen (fun _ -> draw ()))

    let two f (a, b) = f a b
    let three f (a, b, c) = f a b c
    let four f (a, b, c, d) = f a b c d
    let some = Option.map

    let rec cases name report =
      List.concat_map
        (function
          | Section (_, items) | SectionMin (_, items) -> cases name items
          | Later (name, items) ->
            [ OUnit2.( >:: ) name (fun _ ->
                  OUnit2.assert_bool name (not (snd (Report.result (items ()))))) ]
          | Message (_, (Warning | Informative | Important)) -> []
          | Message _ as item ->
            [ OUnit2.( >:: ) name (fun _ ->
                  OUnit2.assert_bool name (not (snd (Report.result [ item ])))) ])
        report

    let suite () = OUnit2.( >::: ) "tests" (cases "message" !made)
  end

  module Test_lib = struct
    open Report
    open Ty
    open Inside

    type nonrec 'a result = ('a, exn) result
    type 'a tester = 'a ty -> 'a result -> 'a result -> Report.t

    let set_result report = made := report
    let ast_sanity_check ?modules:(_ : string list option) () tests = tests ()
    let run_timeout ?time:(_ : int option) f = f ()
    let result = result
    let exec f = Result.map (fun value -> (value, "", "")) (result f)

    module Tester = struct
      let test = same
      let test_eq equal (_ : 'a ty) got expected = told equal got expected

      let test_eq_ok equal =
        test_eq (fun a b -> match (a, b) with Ok a, Ok b -> equal a b | _ -> a = b)

      let test_eq_exn equal =
        test_eq (fun a b -> match (a, b) with Error a, Error b -> equal a b | _ -> a = b)

      let test_canon canon ty got expected = test ty (canon got) (canon expected)
      let test_canon_ok canon = test_canon (Result.map canon)
      let test_canon_error canon = test_canon (Result.map_error canon)

      let test_ignore (_ : 'a ty) (got : 'a result) (expected : 'a result) =
        match (got, expected) with
        | Ok _, Ok _ | Error _, Error _ -> []
        | _ -> [ Message ([ Text "an exception on one side only" ], Failure) ]

      let test_translate convert test ty _ got expected =
        test ty (Result.map convert got) (Result.map convert expected)
    end

    include Tester

    module Mutation = struct
      type 'arg arg_mutation_test_callbacks = {
        before_reference : 'arg -> unit;
        before_user : 'arg -> unit;
        test : 'ret. ?test_result:'ret tester -> 'ret tester;
      }

      (* The reference changes the argument first; what it was is put back for the code. *)
      let arg_mutation_test_callbacks ?(test = Tester.test) ~dup ~blit ty =
        let before = ref None and wanted = ref None and got = ref None in
        let held place = match !place with Some value -> value | None -> raise Not_found in
        {
          before_reference = (fun arg -> before := Some (dup arg));
          before_user =
            (fun arg ->
              wanted := Some (dup arg);
              got := Some arg;
              Option.iter (fun was -> blit was arg) !before);
          test =
            (fun ?(test_result = Tester.test_ignore) of_result a b ->
              let seen place = Result.map (fun _ -> held place) in
              test_result of_result a b @ test ty (seen got a) (seen wanted b));
        }

      let array_arg_mutation_test_callbacks ?test ty =
        let blit was arg = Array.blit was 0 arg 0 (Array.length arg) in
        arg_mutation_test_callbacks ?test ~dup:Array.copy ~blit ty

      let ref_arg_mutation_test_callbacks ?test ty =
        arg_mutation_test_callbacks ?test
          ~dup:(fun arg -> ref !arg)
          ~blit:(fun was arg -> arg := !was)
          ty
    end

    include Mutation

    module Sampler = struct
      type 'a sampler = unit -> 'a

      let sample_int () = Random.int 11 - 5
      let sample_float () = Random.float 10. -. 5.
      let sample_bool () = Random.bool ()

      let sample_char () =
        Char.chr (Char.code (if Random.bool () then 'a' else 'A') + Random.int 26)

      let sample_string () = String.init (Random.int 10) (fun _ -> sample_char ())
      let sample_unit () = ()
      let sample_cases cases () = List.nth cases (Random.int (List.length cases))
      let sample_alternatively samplers () = sample_cases samplers () ()
      let sample_option sample () = if Random.bool () then Some (sample ()) else None

      let sample_list ?(min_size = 0) ?(max_size = 10) ?(dups = true) ?(sorted = false) sample () =
        let size = min_size + Random.int (max_size - min_size + 1) in
        (* A type may have fewer values than are wanted. *)
        let rec drawn found tries =
          if List.length found = size || tries = 0 then found
          else
            let one = sample () in
            if (not dups) && List.mem one found then drawn found (tries - 1)
            else drawn (one :: found) tries
        in
        let found = drawn [] 1000 in
        if sorted then List.sort compare found else found

      let sample_array ?min_size ?max_size ?dups ?sorted sample () =
        Array.of_list (sample_list ?min_size ?max_size ?dups ?sorted sample ())

      let printable_fun (_ : string) f = f
    end

    include Sampler

    module Test_functions_function = struct
      let test_function_1 ?test ?before ?after ty name tests =
        calls name ?test ?before ?after ty.code
          (List.map (fun (a, r, _, _) -> (a, fun () () -> r)) tests)

      open struct
        let against_1 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn
            ty name reference args =
          against name ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty.code
            reference args
      end

      let test_function_1_against ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn
          ty name reference args =
        against_1 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty name
          (fun () -> reference)
          args

      let test_function_1_against_postcond ?gen ?before_reference:_ ?before_user ?after ?sampler ?drawn
          property ty name args =
        holds name ?gen ?before_user ?after ?sampler ?drawn ty.code
          property args

      let test_function_1_against_solution ?gen ?test ?before_reference ?before_user ?after ?sampler
          ?drawn ty name args =
        against_1 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty name
          ty.solution args

      let test_function_2 ?test ?before ?after ty name tests =
        calls name ?test ?before:(some two before) ?after:(some two after)
          (fun () -> two (ty.code ()))
          (List.map (fun (a, b, r, _, _) -> ((a, b), fun () () -> r)) tests)

      open struct
        let against_2 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty name
            reference args =
          against name ?gen ?test
            ?before_reference:(some two before_reference)
            ?before_user:(some two before_user) ?after:(some two after) ?sampler ?drawn
            (fun () -> two (ty.code ()))
            (fun () -> two (reference ()))
            args
      end

      let test_function_2_against ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn
          ty name reference args =
        against_2 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty name
          (fun () -> reference)
          args

      let test_function_2_against_postcond ?gen ?before_reference:_ ?before_user ?after ?sampler ?drawn
          property ty name args =
        holds name ?gen ?before_user:(some two before_user) ?after:(some two after) ?sampler ?drawn (fun () -> two (ty.code ()))
          (two property) args

      let test_function_2_against_solution ?gen ?test ?before_reference ?before_user ?after ?sampler
          ?drawn ty name args =
        against_2 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty name
          ty.solution args

      let test_function_3 ?test ?before ?after ty name tests =
        calls name ?test ?before:(some three before) ?after:(some three after)
          (fun () -> three (ty.code ()))
          (List.map (fun (a, b, c, r, _, _) -> ((a, b, c), fun () () -> r)) tests)

      open struct
        let against_3 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty name
            reference args =
          against name ?gen ?test
            ?before_reference:(some three before_reference)
            ?before_user:(some three before_user) ?after:(some three after) ?sampler ?drawn
            (fun () -> three (ty.code ()))
            (fun () -> three (reference ()))
            args
      end

      let test_function_3_against ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn
          ty name reference args =
        against_3 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty name
          (fun () -> reference)
          args

      let test_function_3_against_postcond ?gen ?before_reference:_ ?before_user ?after ?sampler ?drawn
          property ty name args =
        holds name ?gen ?before_user:(some three before_user) ?after:(some three after) ?sampler ?drawn (fun () -> three (ty.code ()))
          (three property) args

      let test_function_3_against_solution ?gen ?test ?before_reference ?before_user ?after ?sampler
          ?drawn ty name args =
        against_3 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty name
          ty.solution args

      let test_function_4 ?test ?before ?after ty name tests =
        calls name ?test ?before:(some four before) ?after:(some four after)
          (fun () -> four (ty.code ()))
          (List.map (fun (a, b, c, d, r, _, _) -> ((a, b, c, d), fun () () -> r)) tests)

      open struct
        let against_4 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty name
            reference args =
          against name ?gen ?test
            ?before_reference:(some four before_reference)
            ?before_user:(some four before_user) ?after:(some four after) ?sampler ?drawn
            (fun () -> four (ty.code ()))
            (fun () -> four (reference ()))
            args
      end

      let test_function_4_against ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn
          ty name reference args =
        against_4 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty name
          (fun () -> reference)
          args

      let test_function_4_against_postcond ?gen ?before_reference:_ ?before_user ?after ?sampler ?drawn
          property ty name args =
        holds name ?gen ?before_user:(some four before_user) ?after:(some four after) ?sampler ?drawn (fun () -> four (ty.code ()))
          (four property) args

      let test_function_4_against_solution ?gen ?test ?before_reference ?before_user ?after ?sampler
          ?drawn ty name args =
        against_4 ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn ty name
          ty.solution args
    end

    include Test_functions_function

    (* What looks at the code's syntax says nothing here. *)
    type syntax = Syntax

    let find_binding _ (_ : string) (_ : syntax -> Report.t) : Report.t = []
    let forbid _ _ _ _ : Report.t = []
    let restrict _ _ _ _ : Report.t = []
    let require _ _ _ _ : Report.t = []

    let ast_check_expr ?on_expression:_ ?on_pattern:_ ?on_structure_item:_ ?on_external:_
        ?on_include:_ ?on_open:_ ?on_module_occurence:_ ?on_variable_occurence:_
        ?on_function_call:_ _ : Report.t =
      []

    let ast_check_structure = ast_check_expr

    module Of_many = struct
      type ('arrow, 'uarrow, 'ret) args =
        | Last : 'a -> ('a -> 'ret, 'a -> unit, 'ret) args
        | Arg :
            'a * ('ar -> 'row, 'ar -> 'urow, 'ret) args
            -> ('a -> 'ar -> 'row, 'a -> 'ar -> 'urow, 'ret) args

      let last value = Last value
      let arg value more = Arg (value, more)
      let ( !! ) = last
      let ( @: ) = arg
      let ( @:!! ) value another = Arg (value, Last another)

      let rec apply : type arrow uarrow ret. arrow -> (arrow, uarrow, ret) args -> ret =
       fun f -> function Last value -> f value | Arg (value, more) -> apply (f value) more

      let test_function_against_solution ?gen ?test ?before_reference ?before_user ?after ?sampler
          ?drawn ty name args =
        against name ?gen ?test ?before_reference ?before_user ?after ?sampler ?drawn
          (fun () -> apply (ty.code ()))
          (fun () -> apply (ty.solution ()))
          args
    end

    include Of_many

    module Test_functions_generic = struct
      type 'a lookup =
        unit -> [ `Found of string * Report.t * 'a | `Unbound of string * Report.t ]

      let result = result
      let exec = exec
      let found name value () = `Found (name, [], value)
      let lookup_student ty name () = `Found (name, [], ty.code ())
      let lookup_solution ty name () = `Found (name, [], ty.solution ())
      let name lookup = match lookup () with `Found (name, _, _) | `Unbound (name, _) -> name

      let test_value (lookup : 'a lookup) tests =
        put_off "value" (fun () ->
            match lookup () with
            | `Found (_, report, value) -> report @ tests value
            | `Unbound (_, report) -> report)
    end

    include Test_functions_generic

    module Test_functions_ref_var = struct
      let test_ref (_ : 'a ty) got expected = told (fun got -> ( = ) !got) got expected
      let test_variable_property ty name tests = put_off name (fun () -> tests (ty.code ()))

      open struct
        let variable ty name expected =
          let found value () =
            let value = value () in
            fun () -> value
          in
          compared name () (found ty.code) (found expected)
      end

      let test_variable ty name expected = variable ty name (fun () -> expected)
      let test_variable_against_solution ty name = variable ty name ty.solution
    end

    include Test_functions_ref_var

    let test_module_property = test_variable_property

  end
end

open Learn_ocaml
