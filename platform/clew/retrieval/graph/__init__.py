"""What the strategies walk on: the hypergraph in memory, searches for where to begin, walks, what is built on it."""
