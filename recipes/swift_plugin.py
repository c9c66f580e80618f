# swift rlhf --rlhf_type grpo --external_plugins recipes/swift_plugin.py --reward_funcs ocaml
"""The reward for ms-swift, which loads plugins from files."""

from swift.rewards import orms

from ocaml_reward_trainers.swift import OCamlReward

orms["ocaml"] = OCamlReward
