"""Problems made stronger: checks that catch what their tests let through."""

from .strengthen import Asked, Strengthened, strengthen

__all__ = ["Asked", "Strengthened", "strengthen"]
