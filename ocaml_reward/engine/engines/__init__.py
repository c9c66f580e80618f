"""The engines: the warm one, the stock one, and how one is chosen."""
