"""Running a program with its tests, and the result of each check."""
