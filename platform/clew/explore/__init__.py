"""Looking around in a knowledge base: search, one thing and what is around it, and counts of the whole."""
