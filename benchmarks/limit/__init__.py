"""What no sandbox can be faster than, beside the warm engine."""
