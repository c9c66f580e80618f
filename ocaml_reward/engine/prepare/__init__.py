"""Preparing a problem's tests, once for all completions."""
