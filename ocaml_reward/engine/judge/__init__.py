"""Whether a check passes: formulas over values, and comparisons and judges of a program's output."""
