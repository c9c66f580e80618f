# --train.agent_func_path examples/openrlhf_agent.py
"""The executor for OpenRLHF, which loads executors from files."""

from trainer_plugin.adapters.openrlhf import AgentExecutor

__all__ = ["AgentExecutor"]
