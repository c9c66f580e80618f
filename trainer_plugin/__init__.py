"""
Reserved for the TRL plugin of a later release; there is nothing to import here yet.
"""
