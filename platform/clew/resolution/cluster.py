"""Pairs to clusters: the best first, and no two names in one cluster that cannot be one thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

MOST = 30
"""Names in a cluster that rules may make, at most."""


class Clusters:
    """Disjoint sets of rows that know which pairs must stay apart."""

    def __init__(self, distinct: Iterable[tuple[int, int]] = ()) -> None:
        self._root: dict[int, int] = {}
        self._members: dict[int, list[int]] = {}
        self._parted = {frozenset(pair) for pair in distinct}

    def members(self, row: int) -> list[int]:
        """The rows of a row's cluster, itself included."""
        return self._members.get(self._root.get(row, row), [row])

    def together(self, a: int, b: int) -> bool:
        """Whether two rows are in one cluster."""
        return self._root.get(a, a) == self._root.get(b, b)

    def are_apart(self, a: int, b: int) -> bool:
        """Whether two rows were said to be different."""
        return frozenset((a, b)) in self._parted

    def keep_apart(self, a: int, b: int) -> None:
        """Never unite what these two are in."""
        self._parted.add(frozenset((a, b)))

    def unite(self, a: int, b: int) -> None:
        """Make one cluster of two."""
        if self.together(a, b):
            return
        one, other = self.members(a), self.members(b)
        root = self._root.get(a, a)
        self._members[root] = [*one, *other]
        for row in self._members[root]:
            self._root[row] = root

    def may_unite(self, a: int, b: int, compatible: Callable[[int, int], bool]) -> bool:
        """Whether the clusters of two rows may become one: every row of one is compatible with every row of the other.

        This keeps chains of pairs, each of which is likely, from uniting what is not.
        """
        one, other = self.members(a), self.members(b)
        if len(one) + len(other) > MOST:
            return False
        return all(
            frozenset((u, v)) not in self._parted and ({u, v} == {a, b} or compatible(u, v)) for u in one for v in other
        )
