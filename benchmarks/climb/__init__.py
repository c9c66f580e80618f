"""
A search for whatever the reward pays, as a policy in training is one.
"""
