"""The version of this distribution, where every module may know it."""

__version__ = "0.1.0"
