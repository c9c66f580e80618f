"""A training run: configuration for TRL, checkpoints, baseline, warm start, merging."""
