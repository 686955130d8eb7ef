"""A learned span reader: where a passage answers a question, and how likely it is that it does not."""
