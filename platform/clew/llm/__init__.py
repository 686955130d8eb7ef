"""Language models over HTTP: one chat client, what a server has, and pace, tokens and money."""
