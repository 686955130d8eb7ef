"""The base works without the extras: what they bring is not imported, whoever has it installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTRAS = ("torch", "transformers", "sentence_transformers", "langchain", "langgraph", "trl", "ray")
PROGRAM = f"""
import sys
sys.modules.update(dict.fromkeys({EXTRAS}))  # an import of what is None here fails
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from clew import KnowledgeBase
from clew.cli import main
from clew.settings import load_settings
from clew.ui import app_pages

kb_name, documents, cache = sys.argv[1:]
for page in iter_modules(app_pages.__path__):
    import_module(f"{{app_pages.__name__}}.{{page.name}}")
settings = load_settings(_env_file=None)
# A cache of its own: the encoder is converted here.
with KnowledgeBase.open(kb_name, settings=settings.model_copy(update={{"cache": Path(cache)}})) as kb:
    print(kb.ingest(documents).documents)
    print(kb.ask("Who designed the Old Maren Light?").answer)
"""


def test_it_reads_and_answers_without_the_extras(kb_name: str, environment: dict[str, str], tmp_path: Path) -> None:
    documents = ROOT / "examples" / "encyclopaedia"
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, kb_name, documents, tmp_path / "cache"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    added, answer = ran.stdout.splitlines()
    assert int(added) == len(list(documents.iterdir()))
    assert "Calloway" in answer
    assert list((tmp_path / "cache").rglob("model.xml"))
