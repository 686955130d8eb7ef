"""The Streamlit app: ``clew ui`` runs ``server.py``, which serves ``app.py``."""
