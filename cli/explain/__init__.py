"""`ocaml-reward explain`: how one completion came to its reward."""
