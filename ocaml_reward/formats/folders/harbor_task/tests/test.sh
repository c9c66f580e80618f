#!/bin/sh
# Grades the answer: test.sh [ANSWERS [LOGS]].  Writes LOGS/reward.json; where there is none our
# machine failed, which is no reward of 0.  Of the variables OCAML_REWARD_ENGINE and
# OCAML_REWARD_SANDBOX the first may name servers, which do not need a jail here.
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
answers=${1:-/logs/artifacts/answer}
logs=${2:-/logs/verifier}

mkdir -p "$logs"
# Whatever lies there was written by the agent.
rm -rf "$logs/reward.json" "$logs/reward.txt"

# Where all happens in one container nothing is collected.
if [ $# -eq 0 ] && [ ! -d "$answers" ]; then answers=/workdir; fi
if [ ! -d "$answers" ]; then
  echo "test.sh: no $answers: the answer was not collected" >&2
  exit 3
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
: >"$scratch/answer.ml"
for name in answer.ml answer.txt; do
  # A link could name what the agent may not see.
  if [ -f "$answers/$name" ] && [ ! -L "$answers/$name" ]; then
    cat "$answers/$name" >"$scratch/answer.ml"
    break
  fi
done

ocaml-reward score "$scratch/answer.ml" --problems "$tests/problem.jsonl" \
  --scheme "$tests/scheme.toml" --output-format harbor --output "$logs/reward.json" \
  --engine "${OCAML_REWARD_ENGINE:-auto}" --sandbox "${OCAML_REWARD_SANDBOX:-auto}"
