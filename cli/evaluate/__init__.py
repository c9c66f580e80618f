"""`ocaml-reward evaluate`: a model's completions for problems, scored, with intervals."""
