"""The pages of the app, one module each, with a function ``render``.

Not a folder ``pages``: Streamlit would take its files for pages of its own, and show them before ``app.py`` has a say.
"""
