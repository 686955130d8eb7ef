"""Keeping knowledge bases: backup and restore, check and mend, another encoder, and what is wrong with a machine."""
