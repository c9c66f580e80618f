"""`ocaml-reward train` and `baseline`: handed over to the trainer plugin."""
