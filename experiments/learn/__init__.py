"""
Does a model learn from this reward?  A tiny one does, on a CPU, in minutes.
"""
