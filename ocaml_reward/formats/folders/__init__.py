"""Folders that hold one problem each, as exercises and contests keep them: a module for each kind."""

from .walking import KINDS, Found, folder_rows

__all__ = ["KINDS", "Found", "folder_rows"]
