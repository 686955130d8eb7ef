"""The strategies: one method, or one paper, a file."""
