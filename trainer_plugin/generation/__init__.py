"""Completions for problems: from a model loaded here, or from a server that has one."""
