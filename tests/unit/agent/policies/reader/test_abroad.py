"""Questions in other languages: who did it, when, and how many, where a sentence leaves no choice."""

from __future__ import annotations

import pytest

from clew.agent.evidence import Shown
from clew.agent.policies.reader.abroad import shared_unspaced, told_abroad
from clew.agent.policies.reader.verdict import sentences_near
from clew.questions.abroad import asked_abroad
from clew.questions.grammar import plan
from clew.reader.reader import Text


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("Qui a bâti le phare d’Alda ?", "Le phare d’Alda fut bâti en 1840 par Zoë Renard.", "Zoë Renard"),
        (
            "Wer baute den Leuchtturm Aldafels?",
            "Der Leuchtturm Aldafels wurde 1840 von Käthe Weiß gebaut.",
            "Käthe Weiß",
        ),
        ("¿Quién construyó el faro de Alda?", "El faro de Alda fue construido por Inés Peña.", "Inés Peña"),
        ("¿Cuándo se abrió el faro de Alda?", "El faro de Alda se abrió en 1840.", "1840"),
        ("Quanto costa il biglietto?", "Il biglietto costa 8 euro.", "8 euro"),
        ("Was kostet der Kran K-4?", "Der Kran K-4 kostet 900 Euro.", "900 Euro"),
        ("Wie heeft de toren van Alda gebouwd?", "De toren van Alda werd gebouwd door Geert Bos.", "Geert Bos"),
        ("Kto zbudował wieżę w Aldzie?", "Wieżę w Aldzie zbudowała Zofia Bąk.", "Zofia Bąk"),
        ("Кто построил маяк Альды?", "Маяк Альды был построен Верой Орловой.", "Верой Орловой"),
        ("Ποιος έχτισε τον Πύργο Άλδα;", "Ο Πύργο Άλδα χτίστηκε από την Ελένη Παππά.", "Ελένη Παππά"),
        ("من بنى منارة حلب؟", "بنيت منارة حلب عام 1840 على يد ليلى حداد.", "ليلى حداد"),
        ("מי בנה את מגדל חיפה?", "מגדל חיפה נבנה בשנת 1840 על ידי רות לוי.", "רות לוי"),
        ("谁建造了青山灯塔？", "青山灯塔由王芳于1840年建造。", "王芳"),
        ("青山灯台を建てたのは誰ですか？", "青山灯台は1840年に田中一郎によって建てられた。", "田中一郎"),
        ("청산 등대를 지은 사람은 누구입니까?", "청산 등대는 1840년에 이영희가 지었다.", "이영희"),
        ("जयपुर मीनार किसने बनाई?", "जयपुर मीनार 1840 में मीरा शर्मा ने बनाई।", "मीरा शर्मा"),
    ],
)
def test_the_only_one_that_a_sentence_names(question: str, sentence: str, expected: str) -> None:
    assert told_abroad(question, plan(question).anchors, sentence) == expected


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Qui a bâti le phare d’Alda ?", "Il se trouve près de Molde."),
        ("Qui a bâti le phare d’Alda ?", "Le phare d’Alda fut bâti par Zoë Renard et vendu par Luc Petit."),
        ("¿Cuándo se abrió el faro de Alda?", "El faro de Alda se abrió en 1840 y se cerró en 1901."),
        ("谁建造了青山灯塔？", "它位于人民路。"),
        ("Who built Alda?", "Alda was built by Zoë Renard."),
    ],
)
def test_nothing_is_told_where_there_is_a_choice_or_another_subject(question: str, sentence: str) -> None:
    assert told_abroad(question, plan(question).anchors, sentence) == ""


@pytest.mark.parametrize(
    ("question", "sentence", "other"),
    [
        ("Qui a {} le moulin d’Orme ?", "Le moulin d’Orme fut bâti en 1840 par Zoë Renard.", ("bâti", "repeint")),
        ("Wer hat die Mühle Ormtal {}?", "Die Mühle Ormtal wurde von Käthe Weiß saniert.", ("saniert", "renoviert")),
        ("Wer {} die Mühle Ormtal?", "Die Mühle Ormtal wurde von Käthe Weiß erbaut.", ("baute", "verkaufte")),
        ("Wer {} die Mühle Ormtal?", "Die Mühle Ormtal wurde von Käthe Weiß verkauft.", ("verkaufte", "kaufte")),
        ("¿Quién {} el molino de Orme?", "El molino de Orme fue pintado por Inés Peña.", ("pintó", "construyó")),
        ("Chi ha {} il mulino di Orme?", "Il mulino di Orme fu venduto da Luca Neri.", ("venduto", "comprato")),
        ("Wie heeft de molen van Orme {}?", "De molen van Orme werd verkocht door Geert Bos.", ("verkocht", "gebouwd")),
        ("Кто {} мельницу Орма?", "Мельница Орма была построена Верой Орловой.", ("построил", "разрушил")),
        ("Quand le moulin d’Orme a-t-il {} ?", "Le moulin d’Orme a brûlé en 1901.", ("brûlé", "rouvert")),
        ("谁{}了白水磨坊？", "白水磨坊由王芳于1840年建造。", ("建造", "拆除")),
        ("白水駅はいつ{}しましたか", "白水駅は1925年に開業した。", ("開業", "移転")),
        ("من {} طاحونة حلب؟", "بنيت طاحونة حلب عام 1840 على يد ليلى حداد.", ("بنى", "هدم")),
    ],
)
def test_a_sentence_that_says_something_else_of_the_same_tells_nothing(
    question: str, sentence: str, other: tuple[str, str]
) -> None:
    said, asked = (question.format(verb) for verb in other)
    assert told_abroad(said, plan(said).anchors, sentence)
    assert told_abroad(asked, plan(asked).anchors, sentence) == ""


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        ("Wie lang ist der Damm Ostrau?", "Der Damm Ostrau ist 412,5 m lang.", "412,5 m"),
        (
            "Wie hoch war der Gewinn der Ostrau AG?",
            "Der Gewinn der Ostrau AG betrug 1,2 Mio. Franken.",
            "1,2 Mio. Franken",
        ),
        ("Combien coûte la carte d'Ambert ?", "La carte d'Ambert coûte 2 400,90 €.", "2 400,90 €"),
        ("¿Cuánto mide la presa de Ondara?", "La presa de Ondara mide 88,25 metros.", "88,25 metros"),
        ("Сколько стоит карта Волхова?", "Карта Волхова стоит 1 900,50 руб.", "1 900,50 руб"),
        ("红石水库有多少米深？", "红石水库深180米。", "180米"),
        ("كم يبلغ عمق خزان الورد؟", "يبلغ عمق خزان الورد ١٢٠ متراً.", "١٢٠ متراً"),
        (
            "Wann wurde der Damm Ostrau geflutet?",
            "Der Damm Ostrau wurde am 9. Oktober 1934 geflutet.",
            "9. Oktober 1934",
        ),
        (
            "Quand la digue d'Ambert fut-elle fermée ?",
            "La digue d'Ambert fut fermée le 1er août 1877.",
            "1er août 1877",
        ),
        ("Quando fu chiusa la diga di Orta?", "La diga di Orta: lunghezza 412 m, chiusa 09/10/1934", "09/10/1934"),
        ("Wer ist Pächter?", "Pächter: Frau Jutta Sommer", "Frau Jutta Sommer"),
        (
            "Wer flutete den Damm Ostrau?",
            "Der Damm Ostrau wurde im Mai 1934 von Jutta Sommer geflutet.",
            "Jutta Sommer",
        ),
        ("متى هدم خزان الورد؟", "هدم خزان الورد عام ١٩٣٤ ليلاً.", "١٩٣٤"),
    ],
)
def test_numbers_and_dates_as_each_language_writes_them(question: str, sentence: str, expected: str) -> None:
    assert told_abroad(question, plan(question).anchors, sentence) == expected


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Wie hoch ist der Damm Ostrau?", "Der Damm Ostrau wurde am 9. Oktober 1934 geflutet."),
        ("Wie hoch ist der Damm Ostrau?", "Der Damm Ostrau ist 412 m lang."),
        ("Quanto è alta la diga di Orta?", "La diga di Orta è lunga 412 m."),
        ("Ile lat ma zapora Orla?", "Zapora Orla powstała 9 maja 1934 r."),
        ("كم يبلغ ارتفاع خزان الورد؟", "يبلغ عمق خزان الورد ١٢٠ متراً."),
        ("은빛댐은 언제 철거되었습니까?", "은빛댐은 1934년에 박서준이 설계했다."),
        ("은빛댐을 수리한 사람은 누구입니까?", "은빛댐은 1934년에 박서준이 설계했다."),
        ("白川ダムはいつつぶれましたか", "白川ダムは1934年にできた。"),
        ("गुलाब बाँध कब टूटा?", "गुलाब बाँध 1934 में सुरेश नायर ने बनाया।"),
        ("गुलाब बाँध किसने बेचा?", "गुलाब बाँध 1934 में सुरेश नायर ने बनाया।"),
        ("Когда умерла Анна Седова?", "Анна Седова родилась 9 мая 1934 г."),
        ("Qui est Rémi Faure ?", "Rémi Faure fut le beau-frère de Lucie Roux."),
        ("Wer ist Rolf Brandt?", "Rolf Brandt war ein Onkel von Otto Stahl."),
    ],
)
def test_nothing_is_told_of_another_measure_or_deed(question: str, sentence: str) -> None:
    assert told_abroad(question, plan(question).anchors, sentence) == ""


def test_a_sign_says_which_number_is_a_year() -> None:
    assert told_abroad("白水桥什么时候建成？", (), "白水桥于1998年建成，全长2300米。") == "1998"


@pytest.mark.parametrize(
    "question", ["Who was it?", "Is Alda old?", "Where is it?", "Alda", "", "42?", "Name all ports."]
)
def test_english_is_not_abroad(question: str) -> None:
    assert asked_abroad(question) is None


@pytest.mark.parametrize(
    ("question", "expects", "kind"),
    [
        ("Was kostet die Mühle Ormtal?", "number", "value"),
        ("Was ist eine Schleuse?", "any", "value"),
        ("Wie hoch ist der Turm?", "number", "value"),
        ("Wie heißt die Fähre?", "any", "value"),
        ("Wie funktioniert die Schleuse?", "manner", "manner"),
        ("Warum wurde die Mühle verkauft?", "reason", "reason"),
        ("Hvor mange båter er der?", "number", "value"),
        ("Hvor ligger Alda?", "place", "value"),
        ("Wat kost de molen?", "number", "value"),
        ("Яка довжина мосту?", "any", "value"),
    ],
)
def test_what_a_question_word_asks_for_may_hang_on_the_next(question: str, expects: str, kind: str) -> None:
    taken = plan(question)
    assert (taken.hops[0].expects, taken.kind) == (expects, kind)
    assert not any(name.split()[0] in {"Was", "Wie", "Warum", "Hvor", "Wat", "Яка"} for name in taken.anchors)


@pytest.mark.parametrize(
    ("question", "expects"),
    [
        ("Siapa pemilik bendungan itu?", "person"),
        ("Bendungan itu milik siapa?", "person"),
        ("Kuka omistaa padon?", "person"),
        ("Milloin pato valmistui?", "date"),
        ("Nani anamiliki bwawa?", "person"),
        ("Cine deține barajul?", "person"),
        ("Ki a gát tulajdonosa?", "person"),
        ("Baraj kime aitti, kim sattı?", "person"),
        ("Đập này do ai xây?", "person"),
        ("Đập này cao bao nhiêu?", "number"),
        ("ใครเป็นเจ้าของเขื่อน", "person"),
        ("چه کسی سد را فروخت؟", "person"),
        ("Какова глубина озера?", "any"),
        ("Wurde der Damm 1934 geflutet?", "yes/no"),
        ("¿Fue cerrada la presa en 1934?", "yes/no"),
        ("La digue est-elle fermée ?", "yes/no"),
        ("Построена ли плотина в 1934 году?", "yes/no"),
        ("红石水库很深吗？", "yes/no"),
        ("Erzähl mir etwas über die Geschichte und den Bau.", "yes/no"),
    ],
)
def test_question_words_that_stand_anywhere_or_mean_another_thing_elsewhere(question: str, expects: str) -> None:
    asked = asked_abroad(question)
    assert asked is not None
    assert asked[1] == expects
    assert not any(name.split()[0] in {"Siapa", "Kuka", "Nani", "Cine", "Ki"} for name in plan(question).anchors)


@pytest.mark.parametrize(
    "question",
    [
        "AI strategy of the port?",
        "MIT fees",
        "Kim Novak films?",
        "Ki fees of the port?",
        "Place de la Concorde architect",
        "La Scala",
    ],
)
def test_english_with_a_word_that_asks_elsewhere_is_english(question: str) -> None:
    assert asked_abroad(question) is None


@pytest.mark.parametrize(
    "question",
    ["Was the mill sold?", "Was lunch served?", "Was Tom about to die?", "Was Die Woche a weekly in the 1990s?"],
)
def test_was_is_english_unless_german_goes_on(question: str) -> None:
    assert plan(question).kind == "yes/no"


@pytest.mark.parametrize(
    ("question", "nearest", "other"),
    [
        ("谁修复了云台钟楼？", "云台钟楼由石匠马文涛修复。", "门票在入口处出售。"),
        ("灯台を守っていたのは誰ですか。", "灯台は渡辺家が三代にわたり守った。", "切符は入口で買う。"),
        ("ใครดูแลประภาคาร", "ประภาคารดูแลโดยชาวประมงในหมู่บ้าน", "ตลาดเปิดทุกเช้าวันเสาร์"),
    ],
)
def test_a_sentence_without_spaces_bears_on_what_it_shares_signs_with(question: str, nearest: str, other: str) -> None:
    shown = Shown(Text("", f"{other}\n\n{nearest}"), "d", 0, 200, 0, True)
    found = [seen.sentence for seen, _, _ in sentences_near(question, [], shown, 0)]
    assert [shown.text.text[a:b] for a, b in found] == [nearest]


def test_where_spaces_part_words_no_signs_are_shared() -> None:
    assert shared_unspaced("Who kept the lamp?", "The lamp was kept by Ada Holm.") is None
