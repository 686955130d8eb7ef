"""Encodings: labels as browsers take them, guesses told as such, and a person's word above all."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.documents.encoding import codec, decode
from clew.documents.parsed import Unreadable
from clew.errors import InputError
from clew.ingest.load import load
from clew.settings import load_settings
from clew.types import Document
from tests.unit.documents.made import one, word


@pytest.mark.parametrize(
    ("label", "written", "text"),
    [
        ("iso-8859-1", "cp1252", "Anna’s “boat” – €9"),
        ("latin1", "cp1252", "„Boot“ für €3"),
        ("us-ascii", "cp1252", "naïve"),
        ("Shift_JIS", "cp932", "﨑山①号 髙木"),
        ("euc-kr", "cp949", "똠방각하"),
        ("gb2312", "gb18030", "镕基的灯塔"),
        ("x-cp1251", "cp1251", "Маяк"),
    ],
)
def test_labels_mean_what_browsers_take_them_for(label: str, written: str, text: str) -> None:
    page = f'<meta charset="{label}"><p>{text}</p>'.encode(written)
    assert one(page, "x.html").text == text
    assert one(page, "x.html").notes == ()


@pytest.mark.parametrize("label", ["base64", "zip", "no-such", "hex"])
def test_what_is_no_encoding(label: str) -> None:
    with pytest.raises(LookupError):
        codec(label)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("cp1252", "Ærø ligger sydpå; færgen til Fåborg går kl. 9."),
        ("cp1252", "können\n\näöüß"),
        ("cp1250", "Jmeno;Mesto\nJiří Dvořák;Plzeň\nŠárka;Třebíč"),
        ("cp1251", "Судно построено в Архангельске."),
        ("koi8-r", "Судно построено в Архангельске."),
        ("cp1253", "Το πλοίο χτίστηκε στον Πειραιά."),
        ("cp932", "この船は横浜で造られた。"),
        ("cp932", "# 長崎造船所\n\n所長は田中一郎です。①新しい船。"),
        ("gb18030", "这艘船由工程师王芳于1931年建造，船长四十米。"),
        ("big5hkscs", "這艘船由工程師王芳於1931年建造，船長四十米。"),
        ("cp949", "이 배는 기술자 이영희가 1931년에 지었다."),
        ("cp1255", "הספינה נבנתה על ידי רחל לוי בשנת 1931. היא שטה בים."),
        ("cp1256", "بنى السفينة المهندس كريم ناصر عام 1931. تبحر في البحر."),
        ("cp1252", "El faro fue construido en 1931 por la ingeniera Inés Ibáñez. Está en la península, ¿no?"),
        ("cp1252", "Vitinn var reistur árið 1931 og stendur við höfnina; Þórður gætti hans."),
        ("cp1252", "The lamp was sold as Brightlight®, at 25 °C and £20, by Café Noël™."),
        ("cp1254", "Feneri 1931 yılında mühendis Şükrü Işık yaptırdı; yüksekliği kırk metredir."),
        ("cp1257", "Švyturį 1931 metais pastatė inžinierius Jonas Žukas, aukštis keturiasdešimt metrų."),
        ("cp874", "ประภาคารสร้างเมื่อปี 1931 โดยวิศวกรสมชาย"),
        ("euc_jp", "この灯台は1931年に技師の田中が建てた。"),
        ("iso8859_2", "Statek zbudował inżynier Wawrzyniec Źdźbło z miasta Łódź. Żółć."),
    ],
)
def test_a_guess_is_told_with_its_alternatives(written: str, text: str) -> None:
    decoded = decode(text.encode(written))
    assert decoded.text == text
    assert decoded.note.startswith("Its encoding is guessed: ")
    assert "--encoding" in decoded.note


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("utf-16-le", "The ship was built in Corran."),
        ("utf-16-be", "The ship was built in Corran."),
        ("iso2022_jp", "この船は横浜で造られた。"),
        ("iso2022_kr", "이 배는 부산에서 지었다."),
    ],
)
def test_what_says_what_it_is_without_a_mark(written: str, text: str) -> None:
    decoded = decode(text.encode(written))
    assert (decoded.text, decoded.note) == (text, "")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("iso8859-6", "بني السد في عام 1934 قرب المدينة القديمة، وهو كبير جدا."),
        ("iso8859-2", "Přehrada byla dokončena v květnu a lidé ještě dlouho slavili; šťastní zůstali až do rána."),
        ("cp1258", "Đâ\u0323p đươ\u0323c xây tư\u0300 năm 1934 va\u0300 no\u0301 râ\u0301t cao."),
    ],
)
def test_rarer_encodings_are_guessed(written: str, text: str) -> None:
    assert decode(text.encode(written)).text == text


def test_binary_data_with_zeros_is_no_utf_16() -> None:
    for data in (b"\x7fELF\x02\x01\x01\0\0\0 \0\n\0\x03\0>\0", bytes(range(256)) * 4, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"):
        with pytest.raises(Unreadable, match="binary"):
            decode(data)


def test_what_a_person_sets_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("Győr és Kőszeg".encode("cp1250"))
    (found,) = load([str(path)], kb="k", settings=load_settings(), encoding="windows-1250")
    assert isinstance(found, Document)
    assert (found.text, found.notes) == ("Győr és Kőszeg", ())
    with pytest.raises(InputError, match="'klingon' is no encoding"):
        list(load([str(path)], kb="k", settings=load_settings(), encoding="klingon"))
    with pytest.raises(Unreadable, match="not in euc-jp, which was set"):
        decode("Győr".encode("cp1250"), encoding="euc-jp")
    assert decode(b"\xef\xbb\xbfGood", encoding="cp1252").text == "Good"


PARTED = "Zoe\u0308 Tru\u0308by opened the cafe\u0301 of A\u030asby."


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.md", PARTED),
        ("x.html", "<p>Zoe&#776; Tr<b>u&#x308;</b>by opened the cafe\u0301 of A\u030asby.</p>"),
        ("x.json", f'{{"text": "{PARTED}"}}'.encode("ascii", "backslashreplace")),
        ("x.srt", f"1\n00:00:01,000 --> 00:00:02,000\n{PARTED}\n"),
        ("x.docx", word(f"<w:p><w:r><w:t>{PARTED[:3]}</w:t></w:r><w:r><w:t>{PARTED[3:]}</w:t></w:r></w:p>")),
        ("x.rtf", rf"{{\rtf1\ansi {PARTED}\par}}".encode("ascii", "xmlcharrefreplace").replace(b"&#", b"\\u")),
    ],
)
def test_accents_that_stand_apart_are_composed_in_every_format(name: str, data: bytes | str) -> None:
    assert one(data, name).text == "Zoë Trüby opened the café of Åsby."
