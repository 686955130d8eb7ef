"""Makes questions of one hop out of Re-DocRED, whose relations between the names of a page are properties of Wikidata.

    python -m benchmarks.docred OUT WORKED_ON COUNTED
    python -m benchmarks.docred OUT --answers FILE

The two files are dev_revised.json and test_revised.json of https://github.com/tonytan48/Re-DocRED. Writes
OUT/corpus.jsonl, a passage a page, and OUT/worked_on.jsonl and OUT/counted.jsonl, whose questions ask for a property of
what a page is about, in the words of docred.toml; every value that the page tells is right. Then:

    clew ingest OUT/corpus.jsonl --kb docred
    python -m benchmarks.answers docred OUT/counted.jsonl --guess --answers FILE
    python -m benchmarks.docred OUT --answers FILE

The last line gives the mean F1 of each property, and their mean by how often MuSiQue's questions ask for each.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tomllib
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.squad import write
from clew.agent.extractive.lexicon import country, country_forms
from clew.text.names import key, without_parenthesis
from clew.types import Json

FORMS = Path(__file__).with_suffix(".toml")
FREQUENT, USUAL = 45, 13
"""How often a property is asked for from which it gets more than ``RARELY`` questions."""
MOST, SOME, RARELY = 60, 30, 12
"""Questions of a property, at most."""


def main() -> None:
    """Write the passages and both parts of the questions, or tell how well a part was answered."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("out", type=Path)
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE")
    parser.add_argument("--answers", type=Path, metavar="FILE")
    options = parser.parse_args()
    if options.answers:
        tell(options.answers)
        return
    if len(options.files) != 2:
        parser.error("name two files: whose errors may be looked at, and which is only counted")
    try:
        parts = [json.loads(file.read_text(encoding="utf-8")) for file in options.files]
        asked = [list(questions(pages)) for pages in parts]
        passages = [{"title": page["title"], "text": text_of(page)} for pages in parts for page in pages]
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"These are no files of Re-DocRED, with sents, vertexSet and labels: {error}")
    options.out.mkdir(parents=True, exist_ok=True)
    write(options.out / "corpus.jsonl", passages)
    for name, chosen in zip(("worked_on", "counted"), asked, strict=True):
        write(options.out / f"{name}.jsonl", chosen)
    print(f"{len(passages)} passages, {len(asked[0])} questions to work on, {len(asked[1])} to count")


def forms() -> dict[str, Json]:
    """How each property is asked for, and how often MuSiQue's questions do."""
    return tomllib.loads(FORMS.read_text(encoding="utf-8"))


def questions(pages: Sequence[Json]) -> Iterator[Json]:
    """The questions of each property, chosen by their checksums, so that another run takes the same ones."""
    by_property: dict[str, dict[int, Json]] = defaultdict(dict)
    asking = forms()
    for page in pages:
        title = without_parenthesis(page["title"])
        names = [list(dict.fromkeys(spaced(one["name"].split()) for one in entity)) for entity in page["vertexSet"]]
        values: dict[str, list[str]] = defaultdict(list)
        for label in sorted(page["labels"], key=lambda one: (one["h"], one["t"])):
            if label["r"] in asking and any(key(name) == key(title) for name in names[label["h"]]):
                values[label["r"]] += names[label["t"]]
        for one, answers in values.items():
            checksum = zlib.crc32(f"{page['title']} {one}".encode())
            form = asking[one]["ask"][checksum % len(asking[one]["ask"])]
            by_property[one][checksum] = {
                "id": f"{one}-{checksum}",
                "question": form.replace("X", title),
                "answers": sorted({form for answer in answers for form in in_any_form(answer)}),
            }
    for one, found in sorted(by_property.items()):
        often = asking[one]["often"]
        most = MOST if often >= FREQUENT else SOME if often >= USUAL else RARELY
        yield from (found[checksum] for checksum in sorted(found)[:most])


def in_any_form(name: str) -> list[str]:
    """A name, and of a country all that it is called: *Norwegian* says which country something is in."""
    return [name, *sorted(country_forms(name))] if country(name) else [name]


def text_of(page: Json) -> str:
    """The sentences of a page as running text."""
    return " ".join(spaced(sentence) for sentence in page["sents"])


def spaced(tokens: Sequence[str]) -> str:
    """Words as one writes them: no space before a comma, inside of brackets or around a hyphen."""
    text = " ".join(tokens)
    for pattern, instead in _SPACES:
        text = pattern.sub(instead, text)
    return " ".join(text.split())


_SPACES = [
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r" ([,.;:!?%)\]’])", r"\1"),
        (r"([(\[$£€]) ", r"\1"),
        (r" ('s|'|n't|'re|'ve|'ll|'d)\b", r"\1"),
        (r'" ([^"]*?) "', r'"\1"'),
        (r" - ", "-"),
        (r" '(?=\s|$|[,.])", "'"),
    )
]


def tell(answers: Path) -> None:
    """Print the mean F1 of each property, and their mean by how often each is asked for."""
    scores: dict[str, list[float]] = defaultdict(list)
    for line in answers.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        scores[row["id"].partition("-")[0]].append(row["f1"])
    often = {one: form["often"] for one, form in forms().items() if one in scores}
    means = {one: sum(found) / len(found) for one, found in scores.items()}
    for one in sorted(means, key=lambda one: -often[one]):
        print(f"{one:>6}  {often[one]:>4}  {len(scores[one]):>3}  {means[one]:.3f}")
    print(f"all {sum(map(sum, scores.values())) / sum(map(len, scores.values())):.3f}", end="  ")
    print(f"by how often asked {sum(often[one] * means[one] for one in means) / sum(often.values()):.3f}")


if __name__ == "__main__":
    main()
