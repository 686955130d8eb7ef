"""Training a policy on the graph that it is to walk."""

import os

# TRL reports each run that begins to Hugging Face, unless it is asked not to before it is imported.
os.environ.setdefault("DO_NOT_TRACK", "1")
