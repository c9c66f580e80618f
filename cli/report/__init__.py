"""`ocaml-reward report`: what came of a run or of scored files, as one page for a browser."""
