"""The problems of a run, and how they are put to a model."""
