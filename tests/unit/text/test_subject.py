"""What a document is about whose title only says what sort of document it is."""

from __future__ import annotations

import pytest

from clew.text.subject import subject_of


@pytest.mark.parametrize(
    ("title", "text", "subject"),
    [
        ("Project plan: Tarn Bridge", "", "Tarn Bridge"),
        ("Brookfield Library – Frequently asked questions", "", "Brookfield Library"),
        ("Curriculum Vitae", "Curriculum Vitae\n\nAnna Holm\n\nEngineer", "Anna Holm"),
        ("Annual Report 2024: Business review", "Tessmar Pumps plc had a good year.", "Tessmar Pumps"),
        ("LEASE AGREEMENT", "LEASE AGREEMENT\n\nbetween\n\nthe parties named below", ""),
        ("Anna Holm", "Anna Holm is an engineer.", ""),
        ("Plan 9 from Outer Space", "Plan 9 from Outer Space is a film. Ed Wood was its director.", ""),
        ("Salt: The Film", "Salt: The Film", ""),
        ("", "", ""),
    ],
)
def test_the_subject_stands_beside_the_sort_of_document(title: str, text: str, subject: str) -> None:
    assert subject_of(title, text) == subject
