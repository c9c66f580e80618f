"""What a run writes down, and how that is read back."""
