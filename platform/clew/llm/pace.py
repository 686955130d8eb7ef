"""How many requests run at once, and how much may be spent: both decided before a request goes out."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from clew.errors import BudgetExceededError, InputError
from clew.types import Usage

START = 4
"""Requests that run at once in the beginning."""
LONGEST_PAUSE = 300.0
"""Seconds that a server may ask us to wait, at most."""
_TICK = 0.5


class Cancelled(Exception):
    """The extraction was stopped by whoever uses it."""


class Pace:
    """Additive increase, multiplicative decrease, as TCP has it.

    Every reply raises the number of requests that may run at once by its share of one; a rate limit halves it, once for
    all the requests that were under way then, and all wait as long as the server asks for.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limit = float(min(START, most))
        self._running = 0
        self._resume = 0.0
        self._halved = 0.0
        self._changed = threading.Condition()
        self._stopped = False

    @property
    def limit(self) -> int:
        """Requests that may run at once now."""
        return int(self._limit)

    def stop(self) -> None:
        """Let nobody wait any longer: who waits, or comes, gets Cancelled."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a place, and hold it. Raises Cancelled after ``stop``."""
        with self._changed:
            while self._running >= self.limit or time.monotonic() < self._resume:
                self._check()
                self._changed.wait(min(_TICK, max(self._resume - time.monotonic(), 0.01)) if self._waits() else _TICK)
            self._check()
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify()

    def succeeded(self) -> None:
        """A reply came: a little more may run at once."""
        with self._changed:
            self._limit = min(float(self._most), self._limit + 1 / self._limit)
            self._changed.notify()

    def limited(self, began: float, wait: float) -> None:
        """The request that began at that monotonic time met the rate limit, and should wait so many seconds."""
        with self._changed:
            now = time.monotonic()
            self._resume = max(self._resume, now + min(wait, LONGEST_PAUSE))
            if began > self._halved:
                self._limit = max(1.0, self._limit / 2)
                self._halved = now

    def sleep(self, seconds: float) -> None:
        """Wait outside of any place. Raises Cancelled after ``stop``."""
        end = time.monotonic() + seconds
        with self._changed:
            while (left := end - time.monotonic()) > 0:
                self._check()
                self._changed.wait(left)
            self._check()

    def _waits(self) -> bool:
        return time.monotonic() < self._resume

    def _check(self) -> None:
        if self._stopped:
            raise Cancelled


@dataclass(frozen=True, slots=True)
class Budget:
    """What an extraction may spend in all, replies reused from the journal counted as they cost; 0 is no limit.

    ``share`` is a part (0 to 1) of what the whole would cost by the estimate.
    """

    tokens: int = 0
    cost: float = 0.0
    share: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Read ``200000``, ``200k`` or ``1.5M`` (tokens), ``$2.50`` (money at the prices set) or ``25%``.

        Raises InputError for anything else.
        """
        plain = text.strip().lower().replace(",", "").replace("_", "")
        try:
            if plain.endswith("%"):
                budget = cls(share=float(plain[:-1]) / 100)
            elif "$" in (plain[:1], plain[-1:]):
                budget = cls(cost=float(plain.strip("$")))
            else:
                factor = {"k": 1_000, "m": 1_000_000}.get(plain[-1:], 1)
                budget = cls(tokens=int(float(plain.rstrip("km")) * factor))
        except (ValueError, OverflowError):
            budget = cls()
        if not (0 < budget.tokens < 10**15 or 0 < budget.cost < 1e12 or 0 < budget.share <= 1):
            raise InputError(f"{text[:40]!r} is no budget: give tokens (200k), money ($2.50) or a share (25%).")
        return budget


@dataclass(slots=True)
class Purse:
    """Spends a budget: what a request may cost at most is set aside before it goes out, so it is never overdrawn.

    A request that does not fit waits for those that are under way, since most cost less than was set aside for them.
    """

    budget: Budget
    spent: Usage = Usage()
    _aside: list[tuple[int, float]] = field(default_factory=list)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _stopped: bool = False

    @contextmanager
    def reserve(self, tokens: int, cost: float) -> Iterator[None]:
        """Set so much aside while a request runs. Raises BudgetExceededError where the rest does not suffice."""
        mine = (tokens, cost)
        with self._changed:
            while not self._fits(mine):
                if not self._aside or self._stopped:
                    self._stopped = True
                    self._changed.notify_all()
                    raise self._exceeded()
                self._changed.wait(_TICK)
            self._aside.append(mine)
        try:
            yield
        finally:
            with self._changed:
                self._aside.remove(mine)
                self._changed.notify_all()

    def spend(self, usage: Usage) -> None:
        """Count what a reply cost."""
        with self._changed:
            self.spent += usage

    def _fits(self, mine: tuple[int, float]) -> bool:
        if self._stopped:
            return False
        held = [*self._aside, mine]
        tokens = self.spent.prompt_tokens + self.spent.completion_tokens + sum(t for t, _ in held)
        cost = self.spent.cost + sum(c for _, c in held)
        return not (self.budget.tokens and tokens > self.budget.tokens) and not (
            self.budget.cost and cost > self.budget.cost
        )

    def _exceeded(self) -> BudgetExceededError:
        if self.budget.tokens:
            used = self.spent.prompt_tokens + self.spent.completion_tokens
            spent, limit = f"{used:,} of {self.budget.tokens:,} tokens are", "tokens"
        else:
            spent, limit = f"{self.spent.cost:.4g} of {self.budget.cost:.4g} is", "cost"
        return BudgetExceededError(
            f"{spent} spent, which leaves too little for one more request; run the same command with a larger --budget "
            "to go on: nothing is paid for twice.",
            limit,
        )
