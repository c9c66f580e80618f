"""Families of problems, a module for each topic."""
