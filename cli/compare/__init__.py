"""`ocaml-reward compare`: what was graded, held against what was graded before."""
