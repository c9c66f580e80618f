"""The installed OCaml, and the helpers and jails that are built with it."""
