"""Training runs: what is kept of one, how it is planned, started, watched, shown and exported."""
