(** Tests of ppx_inline_test as assertions: [let%test] of what has to be true, [let%test_unit] of
    what has to return, [let%test_module] with others in it. *)

(** A structure with these rewritten, at any depth.
    @raise Syntax.Unsupported for [let%expect_test], which compares what is printed. *)
val asserted : Parsetree.structure -> Parsetree.structure
