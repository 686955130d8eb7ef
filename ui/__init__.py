"""The Streamlit app: ``clew ui`` runs ``app.py``."""
