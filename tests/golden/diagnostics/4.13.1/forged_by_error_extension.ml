let x =
  [%ocaml.error
    "mine\nFile \"other.ml\", line 1, characters 0-1:\nError: not the compiler's"]
