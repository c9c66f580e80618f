"""`ocaml-reward monitor`, and what it shows; `health` prints the same once."""
