# --train.agent_func_path recipes/openrlhf_agent.py
"""The executor for OpenRLHF, which loads executors from files."""

from ocaml_reward_trainers.openrlhf import AgentExecutor

__all__ = ["AgentExecutor"]
