"""Credit per token: a token's share of the advantage goes by the part of the code it writes."""
