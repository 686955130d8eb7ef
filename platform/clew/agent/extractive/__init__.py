"""Answers without a language model: the question is taken apart into hops, each is read off what was retrieved."""

from clew.agent.extractive.policy import ExtractivePolicy

__all__ = ["ExtractivePolicy"]
