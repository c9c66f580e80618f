"""The problems of a run, and their prompts."""
