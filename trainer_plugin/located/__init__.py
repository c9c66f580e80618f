"""Per-token credit: a token's advantage depends on the part of the code that it belongs to."""
