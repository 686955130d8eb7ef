"""Values that sentences state in the words of the question."""

from __future__ import annotations

import pytest

from clew.agent.policies.reader.statement import stated_value


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("What is the default folder?", "The default folder is /srv/data.", "/srv/data"),
        ("What is the torque of the pump P7?", "The torque is 12 N·m.", "12 N·m"),
        ("What is the default port?", "The default port is 7001.", "7001"),
        ("What is the serial number of the pump P7?", "The serial number is QR-118/b.", "QR-118/b"),
        ("Where is the key?", "The key is under the mat, as ever.", "under the mat"),
        ("When was the fair?", "The fair was on 3 May 2019.", "3 May 2019"),
        ("Who is the keeper of Alda?", "The keeper of Alda is Per Vik.", "Per Vik"),
        ("Who is the cook of the Ox Inn?", "The cook of the Ox Inn is called An Bo.", "An Bo"),
        ("Who was the mayor of Alda?", "Wu Lan was the mayor of Alda.", "Wu Lan"),
        ("Who was the mayor of Alda?", "In 1990, Wu Lan was the mayor of Alda.", "Wu Lan"),
        ("Who is the mayor of Alda?", "The mayor of Alda, Wu Lan, is a doctor.", "Wu Lan"),
        ("What is the capital of Alda?", "Molde, the capital of Alda, is old.", "Molde"),
        ("Who is the chair of Alda?", "Kaj Storm is no longer the chair of Alda; the chair is Mona Dahl.", "Mona Dahl"),
        ("Who built the tower?", "The tower was built in 1788 by the mason Hedda Lind.", "Hedda Lind"),
        ("Who led the firm?", "The firm was led by María del Carmen y Ruiz.", "María del Carmen y Ruiz"),
        ("Who led the firm?", "The firm was led by Ola Ek in Molde.", "Ola Ek"),
    ],
)
def test_the_question_as_a_sentence(question: str, sentence: str, expected: str) -> None:
    assert (
        stated_value(question, [name for name in ("Alda", "P7", "Ox Inn") if name in question], "P7", sentence)
        == expected
    )


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Who built the tower?", "The tower was not built by Olof Brandt."),
        ("Who was the mayor of Alda?", "The mayor of Alda was elected in 1990."),
        ("Who was the mayor of Alda?", "He was the mayor of Alda."),
        ("Who is the chair of Alda?", "The chair of Alda is not Kaj Storm."),
        ("What is the lock?", "The lock was rebuilt in 1901."),
        ("What is the weight of the pump P9?", "The weight is 14 kg."),
        ("Where is the key?", "The key is old."),
        ("How is the key?", "The key is old."),
        ("Who?", "Ola Ek."),
    ],
)
def test_what_states_nothing(question: str, sentence: str) -> None:
    assert stated_value(question, [name for name in ("Alda", "P9") if name in question], "Pump P7", sentence) == ""
