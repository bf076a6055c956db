"""Air combats of tests: flights by figures as the counters print them, policies that are told, dice by name."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random

from adjudicator.western_desert.air import allocation
from adjudicator.western_desert.air.allocation import FLYING, INTERCEPTING
from adjudicator.western_desert.air.craft import AIRBASE, ESCORT, INTERCEPT, Craft, Flight, craft_of
from adjudicator.western_desert.air.engagement import Dice, Outcome, Policy, fight
from adjudicator.western_desert.air.policies import Defaults
from adjudicator.western_desert.air.shots import Shot
from adjudicator.western_desert.air.sky import Pairs, Sky, sky_over
from adjudicator.western_desert.air.tables import air_tables
from adjudicator.western_desert.cases.build import real_world

HEX = "18.4818"


def craft(aid: str, figures: str, tactical: int = 0, strategic: int = 0) -> Craft:
    """A counter with air figures as printed: ``5F5`` is attack 5, type F, defense 5."""
    kind = figures.strip("0123456789")
    attack, defense = figures.split(kind)
    return Craft(aid, kind, attack=int(attack), defense=int(defense), tactical=tactical, strategic=strategic)


def flight(aid: str, figures: str, mission: str = AIRBASE, **more: object) -> Flight:
    """A flight of such a counter over the hex."""
    bombs = {key: int(str(more.pop(key))) for key in ("tactical", "strategic") if key in more}
    return Flight(craft(aid, figures, **bombs), mission, **more)  # type: ignore[arg-type]


def interceptors(*ids: str, figures: str = "5F5") -> list[Flight]:
    """Interceptors of equal figures."""
    return [flight(aid, figures, INTERCEPT) for aid in ids]


def escorts(*ids: str, figures: str = "3F3") -> list[Flight]:
    """Escorts of equal figures."""
    return [flight(aid, figures, ESCORT) for aid in ids]


def bombers(*ids: str, figures: str = "1B3", tactical: int = 3) -> list[Flight]:
    """Bombers of equal figures."""
    return [flight(aid, figures, tactical=tactical) for aid in ids]


def printed(aid: str, mission: str, **more: object) -> Flight:
    """A flight of a counter of the pack."""
    return Flight(craft_of(real_world(), aid), mission, **more)  # type: ignore[arg-type]


def sky(*flights: Flight, cargo: Mapping[str, Fraction] | None = None) -> Sky:
    """The air over a hex with those flights."""
    return sky_over(air_tables(real_world()), HEX, flights, cargo)


class Told(Defaults):
    """A policy that is told its decisions; what is not told is done by default."""

    def __init__(self, **told: object) -> None:
        self.told = told
        self.asked: list[str] = []

    def _say(self, topic: str, otherwise: object) -> object:
        self.asked.append(topic)
        return self.told.get(topic, otherwise)

    def jettison(self, sky: Sky) -> frozenset[str]:
        return frozenset(self._say("jettison", super().jettison(sky)))  # type: ignore[call-overload, no-any-return]

    def split(self, sky: Sky) -> frozenset[str]:
        return frozenset(self._say("split", super().split(sky)))  # type: ignore[call-overload, no-any-return]

    def engage(self, sky: Sky) -> Pairs:
        return self._say("engage", super().engage(sky))  # type: ignore[return-value]

    def join(self, sky: Sky) -> Pairs:
        return self._say("join", super().join(sky))  # type: ignore[return-value]

    def chase(self, sky: Sky) -> Pairs:
        return self._say("chase", super().chase(sky))  # type: ignore[return-value]

    def strike(self, sky: Sky) -> Pairs:
        return self._say("strike", super().strike(sky))  # type: ignore[return-value]

    def sequence(self, sky: Sky, single: str, several: Sequence[str]) -> tuple[str, ...]:
        told = self._say("sequence", {single: super().sequence(sky, single, several)})
        return tuple(told[single])  # type: ignore[index]


def scripted(*sums: int) -> Dice:
    """Dice that come one after the other, whoever fires; one too many asked for is a fault."""
    left = list(sums)
    return lambda _shot: left.pop(0)


def by_shot(default: int = 12, **sums: int) -> Dice:
    """Dice by shooter and target (``I1_E1=5``); all others come to ``default``."""
    return lambda shot: sums.get(f"{shot.firer}_{shot.target}", default)


def drawn(seed: int, name: Callable[[str], str] = str) -> Dice:
    """Dice that hang on the seed and on who fires at whom, not on the order in which they are rolled."""

    def dice(shot: Shot) -> int:
        text = f"{seed}/{name(shot.firer)}/{name(shot.target)}"
        digest = hashlib.sha256(text.encode()).digest()
        return digest[0] % 6 + digest[1] % 6 + 2

    return dice


def fought(air: Sky, dice: Dice, hunters: Policy | None = None, flyers: Policy | None = None) -> Outcome:
    """A battle by the policies of both, the defaults where none is given."""
    return fight(air, {INTERCEPTING: hunters or Defaults(), FLYING: flyers or Defaults()}, dice)


def told(outcome: Outcome) -> list[tuple[str, str, int, int, str]]:
    """Every shot as shooter, target, differential, modified roll, result."""
    return [(f.shot.firer, f.shot.target, f.shot.differential, f.used, f.result) for f in outcome.fired]


class Wild:
    """Lawful decisions at random, the same ones for the same seed and names."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def _some(self, ids: Iterable[str]) -> list[str]:
        return [aid for aid in sorted(ids) if self.random.random() < 0.6]

    def jettison(self, sky: Sky) -> frozenset[str]:
        return frozenset(self._some(allocation.jettisoners(sky)))

    def split(self, sky: Sky) -> frozenset[str]:
        return frozenset(self._some(sky.interceptors))

    def engage(self, sky: Sky) -> Pairs:
        ours, escorts = list(sky.at_screen), list(sky.escorts)
        self.random.shuffle(ours)
        self.random.shuffle(escorts)
        found = dict(zip(ours, escorts, strict=False))
        for extra in ours[len(escorts) :]:
            if self.random.random() < 0.8:
                found[extra] = self.random.choice(escorts)
        return found

    def join(self, sky: Sky) -> Pairs:
        return {aid: self.random.choice(sky.at_screen) for aid in self._some(allocation.spare(sky))}

    def chase(self, sky: Sky) -> Pairs:
        return {aid: self.random.choice(sky.bypass) for aid in self._some(sky.held)}

    def strike(self, sky: Sky) -> Pairs:
        return {aid: self.random.choice(sky.force) for aid in self._some(sky.bypass)}

    def sequence(self, sky: Sky, single: str, several: Sequence[str]) -> tuple[str, ...]:
        order = sorted(several)
        self.random.shuffle(order)
        return tuple(order)
