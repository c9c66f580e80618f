"""Generates completions for problems, with a model loaded here or on a server."""
