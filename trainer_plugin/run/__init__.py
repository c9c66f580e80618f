"""A training run: its parts for TRL, its checkpoints, what comes before and after."""
