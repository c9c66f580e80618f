"""`ocaml-reward doctor`: whether this machine can score, and safely."""
