"""The version of this distribution, where every module may know it."""

__all__ = ["__version__"]

__version__ = "0.1.0"
