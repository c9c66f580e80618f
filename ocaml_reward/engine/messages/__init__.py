"""What the helpers say, and what it means: events, values, limits, diagnostics.  Pure."""
