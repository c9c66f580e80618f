"""The configuration of a training run: its settings, their sources, what cannot be."""
