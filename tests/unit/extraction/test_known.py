"""Names that a document in a script without capitals tells of itself."""

from __future__ import annotations

import pytest

from clew.extraction.sentences import SentenceExtractor
from clew.ids import document_id
from clew.ingest.split import chunks
from clew.types import Document


def mentions(text: str, title: str = "") -> list[set[str]]:
    """The names that each sentence of a text mentions."""
    document = Document(document_id("k", "s"), "k", title, "s", text, "0")
    facts = [f for chunk in chunks(document, 1600) for f in SentenceExtractor().extract(document, chunk)]
    return [{one.name for one in fact.participants if one.role == "mention"} for fact in facts]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("افتتح الدكتور حسن العمري المعرض. عاد حسن العمري مساء.", "حسن العمري"),
        ("בנה את הבית המהנדס אורי שגב. אורי שגב גר כאן.", "אורי שגב"),
        ("موزه را مهندس نادر فروغی ساخت. نادر فروغی اینجا بود.", "نادر فروغی"),
        ("श्री विकास मेहता ने घर बनाया। विकास मेहता यहाँ रहे।", "विकास मेहता"),
    ],
)
def test_a_name_that_stands_with_a_title_once_is_found_without_it(text: str, names: str) -> None:
    assert all(names in found for found in mentions(text))


def test_an_article_makes_no_name_of_a_kind_of_thing() -> None:
    assert mentions("يعرض المتحف صورا قديمة. وصلنا إلى متحف البحر.") == [set(), {"متحف البحر"}]


def test_what_somebody_with_a_title_deals_with_is_no_name_of_theirs() -> None:
    assert mentions("افتتح الوزير الجسر صباحا.") == [set()]


def test_a_value_beside_a_label_is_found_again() -> None:
    labelled, told = mentions("负责人：欧阳晓\n\n昨天欧阳晓来到会场。")
    assert "欧阳晓" in labelled & told
