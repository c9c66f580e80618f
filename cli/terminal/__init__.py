"""Shared by the commands: consoles, safe text, options, progress and exit codes."""
