#!/bin/sh
# Train with verl 0.9.1 and credit per token: docs/trainers.md#credit-per-token-in-verl.
#
#   examples/verl-located.sh Qwen/Qwen2.5-Coder-1.5B-Instruct train.parquet test.parquet
#
# Rows have `prompt`, `data_source` and `reward_model.ground_truth`, a problem's id.  In another
# terminal, on each machine: ocaml-reward serve --problems problems.jsonl
set -eu

model=$1 train=$2 test=$3
shift 3

# All of verl's processes register the estimator and the trainer; a Ray that runs already has to be
# started with the variable.
export VERL_USE_EXTERNAL_MODULES=trainer_plugin.adapters.verl_located

exec python -m verl.trainer.main_ppo \
  algorithm.adv_estimator=ocaml_located \
  trainer.v1.trainer_mode=ocaml_located \
  reward.reward_manager.source=importlib \
  reward.reward_manager.module.path=pkg://trainer_plugin.adapters.verl_manager \
  reward.reward_manager.name=OCamlRewardManager \
  reward.custom_reward_function.path=pkg://trainer_plugin.adapters.verl \
  reward.custom_reward_function.name=compute_score \
  +reward.custom_reward_function.reward_kwargs.engine=http://127.0.0.1:8700 \
  +reward.custom_reward_function.reward_kwargs.problems=problems.jsonl \
  +reward.custom_reward_function.reward_kwargs.scheme=decisive \
  +reward.custom_reward_function.reward_kwargs.regions=true \
  +algorithm.located_scale=batch \
  data.train_files="$train" \
  data.val_files="$test" \
  data.train_batch_size=64 \
  data.max_response_length=1024 \
  actor_rollout_ref.model.path="$model" \
  actor_rollout_ref.rollout.name=vllm \
  actor_rollout_ref.rollout.n=8 \
  "$@"
