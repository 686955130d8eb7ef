"""The policy without a language model: a plan, a learned reader, a verdict."""
