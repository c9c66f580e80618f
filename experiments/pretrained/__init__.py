"""Does a pretrained model learn from this reward?  One that needs no model hub."""
