"""Stored trajectories: opened as they were, exported, and handed to the trainer."""
