#!/bin/sh
# The server that examples/vllm-server.toml generates with.  TRL 1.16 sends it the weights
# after each update, which takes the development endpoints and a transfer engine; without
# processed log probabilities its correction for the difference between both is biased.
set -eu
model=${1:-Qwen/Qwen2.5-Coder-1.5B-Instruct}
CUDA_VISIBLE_DEVICES=${GPU:-0} VLLM_SERVER_DEV_MODE=1 exec vllm serve "$model" \
  --port "${PORT:-8000}" \
  --weight-transfer-config '{"backend": "nccl"}' \
  --logprobs-mode processed_logprobs --max-logprobs -1
