"""What folders gone wrong send by mail (rows 91 to 94): the rest of these rows is shown on the real programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.protocol.forge.case import Case
from tests.protocol.twelve import attack, played

ONE: list[Any] = [attack("1203", "axis-u1")]
TWO: list[Any] = [attack("1304", "axis-u1")]


def folder_cases() -> Iterator[Case]:
    """Rows 91 to 94."""
    table = played(2)
    first, anew = table.next(ONE), table.next(ONE, note="signed once more")
    case = Case.at("91", "the-same-bytes-after-a-crash", table).add("OK", first, "printed")
    case.add("DUPLICATE", first, "resent").add("E_FORK", anew, "signed-anew")
    case.proof = ("1-printed.turn", "3-signed-anew.turn", "yes")
    yield case.expect(head="3", forks="1")
    yield _served()
    yield from _two_computers()
    later = played(3)
    four = later.next()
    case = Case.at("94", "checkout-gone-backwards", table).add("E_GAP", four, "answer-to-what-is-gone")
    yield case.add("OK", later.sent[2], "own-sent-mail").expect(head="4", forks="0")


def _served() -> Case:
    """A program that opens unattended, started once more from an older copy."""
    table = played(3)
    served, second = table.next(), table.next(note="from the snapshot")
    case = Case.at("92", "served-again-from-a-snapshot", table).add("OK", served, "served")
    case.add("E_FORK", second, "from-the-snapshot")
    case.proof = ("1-served.turn", "2-from-the-snapshot.turn", "yes")
    return case.expect(head="4", forks="1")


def _two_computers() -> Iterator[Case]:
    """The opponent, who gets both turns; and the second computer, to which its own mail and the answer come."""
    table, second = played(2), played(2)
    desk, laptop = table.next(ONE), table.next(TWO)
    case = Case.at("93", "two-computers", table).add("OK", desk, "from-the-desk")
    table.play(ONE)
    case.add("OK", table.play(), "answer").add("E_FORK", laptop, "from-the-laptop")
    case.proof = ("1-from-the-desk.turn", "3-from-the-laptop.turn", "yes")
    yield case.expect(head="4", forks="1")
    answer = table.sent[-1]
    second.play(TWO)
    case = Case.at("93", "two-computers-the-second", second).add("E_PREV", answer, "answer-to-the-desk")
    yield case.add("E_FORK", desk, "from-the-desk").expect(head="3", forks="1")
