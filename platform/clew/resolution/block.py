"""Blocking: the pairs of names that are worth comparing, without comparing all with all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence

from clew.resolution.name import Name

MOST = 40
"""Names in a block that are all compared with each other; in a larger one, each with those next to it."""
WINDOW = 8
SHORTEST = 6
LONGEST = 48
"""Letters of a name in which a letter may be wrong."""

Pair = tuple[int, int]


def pairs_by_name(names: Sequence[Name]) -> set[Pair]:
    """Pairs (i < j) of names that share a block: the same words, all but a letter of them, initials, an acronym.

    Names with other numbers share none. The number of pairs grows with that of the names, whatever they are: a block
    that is too large is sorted, and each name compared with the next few (sorted neighbourhood, Hernández and Stolfo,
    1995).
    """
    found: set[Pair] = set()
    for blocks in (_words(names), _letters(names), _ends(names)):
        for block in blocks.values():
            found.update(_within(block, names))
    for block, others in _across(names):
        found.update(_between(block, others))
    return found


def _words(names: Sequence[Name]) -> Mapping[Hashable, list[int]]:
    blocks: defaultdict[Hashable, list[int]] = defaultdict(list)
    for i, name in enumerate(names):
        blocks[(" ".join(sorted(name.spelt)), name.marks)].append(i)
        blocks[("".join(name.spelt), name.marks)].append(i)
    return blocks


def _letters(names: Sequence[Name]) -> Mapping[Hashable, list[int]]:
    """By everything but one letter: what is one error apart shares a block (symmetric deletion)."""
    blocks: defaultdict[Hashable, list[int]] = defaultdict(list)
    for i, name in enumerate(names):
        letters = "".join(name.words)
        if SHORTEST <= len(letters) <= LONGEST:
            for without in {letters[:n] + letters[n + 1 :] for n in range(len(letters))} | {letters}:
                blocks[hash((without, name.marks))].append(i)
    return blocks


def _ends(names: Sequence[Name]) -> Mapping[Hashable, list[int]]:
    """By first and last word, with whatever is between them."""
    blocks: defaultdict[Hashable, list[int]] = defaultdict(list)
    for i, name in enumerate(names):
        if len(name.words) > 1:
            blocks[(*sorted((name.spelt[0], name.spelt[-1])), name.marks)].append(i)
    return blocks


def _across(names: Sequence[Name]) -> Iterator[tuple[list[int], list[int]]]:
    """Names with initials beside full names that may be theirs, and acronyms beside what they may stand for."""
    initials: defaultdict[Hashable, list[int]] = defaultdict(list)
    full: defaultdict[Hashable, list[int]] = defaultdict(list)
    for i, name in enumerate(names):
        words = name.spelt
        if name.capitals:
            initials[words[0]].append(i)
        for acronym in name.acronyms:
            full[acronym].append(i)
        if len(words) > 1:
            kind = initials if name.has_initial else full
            for last, first in ((words[-1], words[0][0]), (words[0], words[-1][0]), (words[0], words[1][0])):
                if len(last) > 1:
                    kind[(last, first, name.marks)].append(i)
    for key, block in initials.items():
        if key in full:
            yield block, full[key]
        if not isinstance(key, str):
            yield block, block


def _within(block: Sequence[int], names: Sequence[Name]) -> Iterator[Pair]:
    block = sorted(set(block))
    if len(block) <= MOST:
        for n, i in enumerate(block):
            for j in block[n + 1 :]:
                yield i, j
        return
    block.sort(key=lambda i: names[i].key)
    for n, i in enumerate(block):
        for j in block[n + 1 : n + 1 + WINDOW]:
            yield min(i, j), max(i, j)


def _between(block: Sequence[int], others: Sequence[int]) -> Iterator[Pair]:
    for i in sorted(set(block))[:MOST]:
        for j in sorted(set(others))[: 5 * MOST]:
            if i != j:
                yield min(i, j), max(i, j)
