"""A graph that is in the same Neo4j already, as a knowledge base: what its labels mean, and what becomes of it."""
