"""`ocaml-reward explain`: explains the reward of one completion."""
