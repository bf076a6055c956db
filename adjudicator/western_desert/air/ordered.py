"""Decisions of air combat that were written before it began (WD 21): followed as far as they are still lawful.

Whoever writes them can't know who will be left at each step. What can't be followed, and what was left open, is filled
up by the defaults of :mod:`~adjudicator.western_desert.air.policies`, so that the whole is always lawful.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.western_desert.air import allocation, policies
from adjudicator.western_desert.air.sky import Pairs, Sky

Wishes = Mapping[str, Sequence[str]]
"""Whom an air unit is to attack, the one liked best first."""


@dataclass(frozen=True)
class Ordered:
    """A :class:`~adjudicator.western_desert.air.engagement.Policy` of written decisions.

    ``jettisons`` (who drops his bombs) and ``screen`` (who attacks it) are None where nothing was written; an empty
    list is a decision. ``engages``, ``joins``, ``chases`` and ``strikes`` name targets by preference, ``sequences`` who
    goes first at a single air unit.
    """

    jettisons: Collection[str] | None = None
    screen: Collection[str] | None = None
    engages: Wishes = field(default_factory=dict)
    joins: Wishes = field(default_factory=dict)
    chases: Wishes = field(default_factory=dict)
    strikes: Wishes = field(default_factory=dict)
    sequences: Wishes = field(default_factory=dict)

    def jettison(self, sky: Sky) -> frozenset[str]:
        """Those named that have bombs to drop (WD 24.A.jettison)."""
        if self.jettisons is None:
            return policies.jettison(sky)
        return frozenset(aid for aid in allocation.jettisoners(sky) if aid in self.jettisons)

    def split(self, sky: Sky) -> frozenset[str]:
        """Those named for the screen, as far as they are here; the others pass (WD 21.A.split)."""
        if self.screen is None:
            return policies.split(sky)
        return frozenset(aid for aid in sky.interceptors if aid in self.screen)

    def engage(self, sky: Sky) -> Pairs:
        """Each escort gets the first interceptor that wants it; others that want it follow where all escorts have one
        (WD 21.B.2.a)."""
        wanted = first_wishes(self.engages, sky.at_screen, sky.escorts)
        named: dict[str, str] = {}
        for one, other in wanted.items():
            if other not in named.values():
                named[one] = other
        alone = len(sky.escorts) - len(named)
        for one, other in wanted.items():
            if one not in named and len(sky.at_screen) - len(named) > alone:
                named[one] = other
        return policies.engage(sky, named)

    def join(self, sky: Sky) -> Pairs:
        """Those named that nobody faces; the others are held back (WD 21.B.2.a)."""
        return first_wishes(self.joins, allocation.spare(sky), sky.at_screen)

    def chase(self, sky: Sky) -> Pairs:
        """Wishes first, the other escorts by default (WD 21.B.2.c)."""
        return policies.chase(sky, first_wishes(self.chases, sky.held, sky.bypass))

    def strike(self, sky: Sky) -> Pairs:
        """Wishes first, the other interceptors by default (WD 21.B.2.d)."""
        return policies.strike(sky, first_wishes(self.strikes, sky.bypass, sky.force))

    def sequence(self, sky: Sky, single: str, several: Sequence[str]) -> tuple[str, ...]:
        """Those named in their order, then the others by default (WD 21.B.2.b)."""
        named = [aid for aid in dict.fromkeys(self.sequences.get(single, ())) if aid in several]
        return (*named, *(aid for aid in policies.sequence(sky, single, several) if aid not in named))


def first_wishes(wishes: Wishes, ones: Collection[str], others: Collection[str]) -> dict[str, str]:
    """For each of those who may attack the target it likes best of those that may be attacked, if it has one."""
    liked = {one: next((aid for aid in wishes[one] if aid in others), "") for one in ones if one in wishes}
    return {one: other for one, other in liked.items() if other}
