"""The configuration of a training run: its settings, their sources, and checks."""
