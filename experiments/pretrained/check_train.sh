#!/usr/bin/env bash
# Train with a configuration of a dozen lines, as a user would, on what this machine has: kill the run
# after its first checkpoint, go on from there, and ask for its health.
#
#   experiments/pretrained/check_train.sh MODEL PROBLEMS OUT
set -euo pipefail

if [ $# -ne 3 ]; then
  echo "usage: check_train.sh MODEL PROBLEMS OUT" >&2
  exit 2
fi
out=$3
mkdir -p "$out"
cat >"$out/first.toml" <<TOML
[model]
id = "$1"
[dataset]
source = "$2"
validation_size = 8
[prompt]
style = "text"
few_shot = 0
template = "$(dirname "$0")/prompt.txt"
[grpo]
output_dir = "$out/run"
max_steps = 15
save_steps = 5
max_completion_length = 128
TOML

began=$SECONDS
setsid ocaml-reward train "$out/first.toml" >"$out/first.log" 2>&1 &
run=$!
until [ -e "$out/run/checkpoint-5/trainer_state.json" ]; do
  kill -0 $run 2>/dev/null || { tail -n 20 "$out/first.log"; exit 1; }
  sleep 0.2
done
kill -9 -- -$run
wait $run 2>/dev/null || true
echo "killed after $((SECONDS - began)) s, with a checkpoint of step 5"

ocaml-reward train "$out/first.toml" --resume >"$out/second.log" 2>&1 ||
  { tail -n 20 "$out/second.log"; exit 1; }
grep -E "^(resuming|\[step|saved)" "$out/second.log"
echo "done after $((SECONDS - began)) s"
cat "$out/run/learning.log"
ocaml-reward health "$out/run"
