"""The proof that learning works: a tiny policy in a synthetic world."""
