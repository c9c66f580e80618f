# swift rlhf --rlhf_type grpo --external_plugins examples/swift_plugin.py --reward_funcs ocaml
"""The reward for ms-swift, which loads plugins from files."""

from swift.rewards import orms

from trainer_plugin.adapters.swift import OCamlReward

orms["ocaml"] = OCamlReward
