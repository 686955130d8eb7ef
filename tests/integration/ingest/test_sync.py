"""A knowledge base is made equal to a folder: what is new, changed, moved and removed, and nothing besides."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import unicodedata
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from clew.cli.sync import sync
from clew.errors import InputError
from clew.ingest.sync import Difference
from clew.knowledge_base import KnowledgeBase


def told(kb: KnowledgeBase, folder: Path) -> dict[str, list[str]]:
    """The difference by kind, files without the folder."""
    found = kb.compare(str(folder))

    def short(path: str) -> str:
        return path.replace(f"{folder}/", "")

    kinds = {"new": found.new, "changed": found.changed, "removed": found.removed, "emptied": found.emptied}
    moved = [f"{short(old)} {short(new)}" for old, new in found.moved]
    return {kind: sorted(map(short, some)) for kind, some in {**kinds, "moved": moved}.items() if some}


def titles(kb: KnowledgeBase) -> list[str]:
    return [row["title"] for row in kb.documents()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three files, one of them a table of two documents."""
    root = tmp_path / "papers"
    (root / "old").mkdir(parents=True)
    (root / "quay.txt").write_text("The Corran quay cost 40 crowns.")
    (root / "old" / "boat.txt").write_text("Jon Ek bought the boat Tern.")
    (root / "rows.csv").write_text("id,text\n1,Ardg has two wells.\n2,Osby has one well.\n")
    return root


def test_a_knowledge_base_follows_a_folder(kb: KnowledgeBase, folder: Path) -> None:
    kb.ingest_bytes(b"Mia Dahl keeps the light.", "light.txt")
    assert told(kb, folder) == {"new": ["old/boat.txt", "quay.txt", "rows.csv"]}
    kb.sync(kb.compare(str(folder)))
    assert told(kb, folder) == {}

    (folder / "quay.txt").write_text("The Corran quay cost 90 crowns.")
    (folder / "old" / "boat.txt").rename(folder / "ship.txt")
    (folder / "rows.csv").write_text("id,text\n1,Ardg has two wells.\n")
    (folder / "new.md").write_text("# Osby\n\nOsby has a school.")
    assert told(kb, folder) == {
        "new": ["new.md"],
        "changed": ["quay.txt", "rows.csv"],
        "moved": ["old/boat.txt ship.txt"],
    }
    report = kb.sync(kb.compare(str(folder)))
    assert (report.documents, report.removed) == (3, 2)
    assert titles(kb) == ["Ardg has two wells.", "light", "Osby", "quay", "ship"]

    (folder / "new.md").unlink()
    assert told(kb, folder) == {"removed": ["new.md"]}
    kb.sync(kb.compare(str(folder)))
    assert told(kb, folder) == {}
    assert "light" in titles(kb)


def test_a_file_that_was_uploaded_takes_the_place_of_its_upload(kb: KnowledgeBase, folder: Path) -> None:
    kb.ingest_bytes((folder / "quay.txt").read_bytes(), "quay.txt")
    kb.ingest_bytes((folder / "rows.csv").read_bytes(), "rows.csv")
    kb.ingest_bytes(b"Mia Dahl keeps the light.", "boat.txt")
    found = kb.compare(str(folder))
    assert dict(found.uploaded) == {"upload:quay.txt": f"{folder}/quay.txt", "upload:rows.csv": f"{folder}/rows.csv"}
    assert found.new == (f"{folder}/old/boat.txt",)
    assert found.elsewhere == 1
    kb.sync(found)
    sources = sorted(row["source"] for row in kb.documents())
    assert sources == sorted(
        [*(f"{folder}/{name}" for name in ("quay.txt", "old/boat.txt", *["rows.csv"] * 2)), "upload:boat.txt"]
    )
    assert told(kb, folder) == {}


@pytest.mark.parametrize("left", ["", " \n\t\n"], ids=["nothing", "white space"])
def test_what_an_emptied_file_said_goes(kb: KnowledgeBase, folder: Path, left: str) -> None:
    kb.sync(kb.compare(str(folder)))
    (folder / "quay.txt").write_text(left)
    (folder / "none.txt").write_text(left)
    assert told(kb, folder) == {"emptied": ["quay.txt"]}
    difference = kb.compare(str(folder))
    assert difference.lines(5) == ["emptied quay.txt"]
    assert [Path(one.source).name for one in difference.skipped] == ["none.txt"]
    assert kb.sync(difference).removed == 1
    assert "quay" not in titles(kb)
    assert told(kb, folder) == {}
    (folder / "quay.txt").write_text("The Corran quay cost 90 crowns.")
    (folder / "rows.csv").write_text("title,text\n")
    assert told(kb, folder) == {"new": ["quay.txt"], "emptied": ["rows.csv"]}
    (folder / "rows.csv").write_bytes(b"%PDF-1.7 nothing")
    assert [one.reason.endswith("What it said before stays.") for one in kb.compare(str(folder)).skipped] == [
        False,
        True,
    ]


def test_a_folder_that_has_moved_takes_its_documents_along(kb: KnowledgeBase, folder: Path) -> None:
    kb.sync(kb.compare(str(folder)))
    folder = folder.rename(folder.with_name("letters"))
    found = kb.compare(str(folder))
    assert [Path(new).name for _, new in found.moved] == ["boat.txt", "quay.txt", "rows.csv"]
    assert not found.new
    kb.sync(found)
    assert {Path(row["source"]).relative_to(folder).name for row in kb.documents()} == {
        "boat.txt", "quay.txt", "rows.csv"
    }  # fmt: skip


@pytest.mark.parametrize("name", [unicodedata.normalize("NFD", "Bücher é"), "two\nlines"])
def test_a_folder_may_have_any_name_and_be_named_any_way(kb: KnowledgeBase, folder: Path, name: str) -> None:
    place = folder.parent / name
    folder.rename(place)
    kb.sync(kb.compare(str(place)))
    for written in (place, place / ".." / name, place / "old" / ".."):
        assert not kb.compare(str(written))
    (place / "quay.txt").unlink()
    difference = kb.compare(str(place / "old" / ".."))
    assert len(difference.removed) == 1
    assert difference.lines(5) == ["removed quay.txt"]
    # The same text in another folder has not moved there, as long as the file is where it was.
    copy = folder.parent / "copy"
    copy.mkdir()
    (copy / "ship.txt").write_text((place / "old" / "boat.txt").read_text())
    assert [Path(one).name for one in kb.compare(str(copy)).new] == ["ship.txt"]


def test_nothing_is_lost_to_a_file_that_cannot_be_read_or_a_folder_that_is_gone(
    kb: KnowledgeBase, folder: Path
) -> None:
    (folder / "page.pdf").write_bytes(
        (Path(__file__).parents[3] / "examples/encyclopaedia/new-maren-light.pdf").read_bytes()
    )
    kb.sync(kb.compare(str(folder)))
    before = titles(kb)
    (folder / "page.pdf").write_bytes(b"%PDF-1.4 broken")
    found = kb.compare(str(folder))
    assert [Path(one.source).name for one in found.skipped] == ["page.pdf"]
    assert not found
    for path in folder.rglob("*.*"):
        path.unlink()
    with pytest.raises(InputError, match="nothing to read"):
        kb.compare(str(folder))
    with pytest.raises(InputError, match="no folder"):
        kb.compare(str(folder / "none"))
    assert titles(kb) == before


def test_a_folder_that_cannot_be_opened_keeps_its_documents(
    kb: KnowledgeBase, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a drive is mounted within the folder and does not answer."""
    (folder / "olden.txt").write_text("Ida Moe wrote the olden days.")
    kb.sync(kb.compare(str(folder)))
    before = titles(kb)
    (folder / "quay.txt").unlink()
    (folder / "olden.txt").unlink()
    open_ = Path.iterdir

    def shut(path: Path) -> Iterator[Path]:
        if path.name == "old":
            raise PermissionError(13, "Permission denied")
        return open_(path)

    monkeypatch.setattr(Path, "iterdir", shut)
    found = kb.compare(str(folder))
    assert [Path(one).name for one in found.removed] == ["olden.txt", "quay.txt"]
    assert [(Path(one.source).name, one.reason) for one in found.skipped] == [
        ("old", "It cannot be opened (Permission denied).")
    ]
    assert not kb.compare(str(folder), among=[str(folder / "old" / "boat.txt")])
    kb.sync(found)
    assert titles(kb) == [one for one in before if one not in ("quay", "olden")]


def test_what_was_left_out_or_guessed_is_told(kb: KnowledgeBase, folder: Path) -> None:
    (folder / "plan.dwg").write_bytes(b"\0\1")
    (folder / "old" / "site.dwg").write_bytes(b"\0\1")
    text = "Die Schleuse von Møgeltønder wurde für Großschiffe geöffnet; Käthe Lüders führte die Bücher. "
    (folder / "lock.txt").write_bytes((text * 3).encode("cp1252"))
    found = kb.compare(str(folder))
    left, guessed = found.notes
    assert left.source == str(folder)
    assert "2 .dwg" in left.reason
    assert Path(guessed.source).name == "lock.txt"
    assert "windows-1252" in guessed.reason
    kb.sync(found)
    assert [one.source for one in kb.compare(str(folder)).notes] == [str(folder)], (
        "what is read already is not told anew"
    )


def test_archives_and_messages_of_a_folder_stay_as_they_are(kb: KnowledgeBase, folder: Path) -> None:
    with zipfile.ZipFile(folder / "minutes.zip", "w") as archive:
        archive.writestr("may.txt", "Ada Rist chaired the meeting of May.")
        archive.writestr("june.txt", "Bo Rist chaired the meeting of June.")
    message = EmailMessage()
    message["Subject"] = "The survey"
    message.set_content("Cy Holm surveyed the pier.")
    message.add_attachment("Cy Holm measured 40 metres.", filename="lengths.txt")
    (folder / "survey.eml").write_bytes(message.as_bytes())
    kb.sync(kb.compare(str(folder)))
    assert told(kb, folder) == {}
    (folder / "minutes.zip").rename(folder / "archive.zip")
    (folder / "survey.eml").unlink()
    assert told(kb, folder) == {"moved": ["minutes.zip archive.zip"], "removed": ["survey.eml"]}


def test_the_command_tells_what_has_gone_meanwhile(
    kb: KnowledgeBase, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = KnowledgeBase.compare

    def then_gone(self: KnowledgeBase, place: str, **options: Any) -> Difference:
        found = compared(self, place, **options)
        (folder / "quay.txt").unlink()
        return found

    @contextmanager
    def opened(name: str | None) -> Iterator[KnowledgeBase]:
        yield kb

    monkeypatch.setattr(KnowledgeBase, "compare", then_gone)
    monkeypatch.setattr(sys.modules["clew.cli.sync"], "open_base", opened)
    ended = CliRunner().invoke(sync, [str(folder), "--kb", kb.name, "--yes"])
    assert ended.exit_code == 1
    assert f"skipped {folder / 'quay.txt'}: There is no such file" in ended.output


def test_the_command_shows_asks_and_watches(kb: KnowledgeBase, folder: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "clew.cli", "sync", str(folder), "--kb", kb.name]
    preview = subprocess.run([*command, "--json"], env=environment, capture_output=True, text=True, timeout=300)
    shown = json.loads(preview.stdout)
    assert (len(shown["difference"]["new"]), shown["report"]) == (3, None)
    assert not kb.exists()
    watching = subprocess.Popen([*command, "--yes", "--watch"], env=environment, stderr=subprocess.PIPE, text=True)
    assert watching.stderr
    for line in watching.stderr:
        if "watching" in line:
            break
    (folder / "new.md").write_text("# Osby\n\nOsby has a school.")
    (folder / "quay.txt").unlink()
    deadline = time.monotonic() + 120
    while titles(kb) != ["Ardg has two wells.", "boat", "Osby", "Osby has one well."] and time.monotonic() < deadline:
        time.sleep(0.5)
    watching.send_signal(signal.SIGINT)
    watching.wait(60)
    watching.stderr.close()
    assert titles(kb) == ["Ardg has two wells.", "boat", "Osby", "Osby has one well."]
