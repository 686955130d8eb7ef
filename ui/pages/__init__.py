"""The pages of the app, one module each, with a function ``render``."""
