"""Writes and reads a run's logs."""
