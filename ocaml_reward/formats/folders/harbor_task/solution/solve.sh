#!/bin/sh
# Writes the reference as the answer: solve.sh [ANSWERS].
set -eu
cp "$(dirname "$0")/answer.ml" "${1:-/workdir}/answer.ml"
