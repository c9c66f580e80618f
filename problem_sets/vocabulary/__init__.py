"""Words that families share: each in OCaml and in English."""
