"""The policy of a chat model: prompts, tool calls, repair of replies."""
