"""Calls and inputs that tell programs apart, and the checks that are made of them."""
