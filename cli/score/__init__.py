"""`ocaml-reward score`: a file of completions in, a file of records out."""
