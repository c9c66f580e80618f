"""The action and the observation, which are the adapter's."""

from trainer_plugin.adapters.openenv import Program, Reply

__all__ = ["Program", "Reply"]
