"""Evaluation: data sets, metrics, statistics and judges for answers and for retrieval by itself."""
