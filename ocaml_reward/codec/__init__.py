"""Frozen dataclasses to and from JSON, and settings as people write them."""
