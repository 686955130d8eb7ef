"""The Streamlit app: ``clew ui`` runs ``server.py``, which serves ``app.py``."""

import logging

# Caches are declared, and the last knowledge base is opened, before anyone has a session: Streamlit warns of both.
for _name in ("streamlit.runtime.caching.cache_data_api", "streamlit.runtime.scriptrunner_utils.script_run_context"):
    logging.getLogger(_name).setLevel(logging.ERROR)
