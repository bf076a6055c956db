"""Air combat over one hex, from the preparation to the last shot (WD 21, 24.A.jettison).

:func:`engagement` is a generator: it yields a :class:`Choice` where the rules leave something to a side and a
:class:`~adjudicator.western_desert.air.shots.Shot` where two dice are rolled, and is sent the answer or the sum of the
dice. Whoever drives it may ask players, read orders or standing rules; :func:`fight` answers from a :class:`Policy` of
each side and a function for the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from adjudicator.engine.core import Problem
from adjudicator.western_desert.air import allocation
from adjudicator.western_desert.air.allocation import FLYING, INTERCEPTING
from adjudicator.western_desert.air.craft import ABORTED, INTERCEPT, UNHURT, Flight
from adjudicator.western_desert.air.shots import Fired, Series, Shot, aim, fire
from adjudicator.western_desert.air.sky import Pairs, Sky

JETTISON, SPLIT, ENGAGE, JOIN, CHASE, STRIKE, SEQUENCE = (
    "jettison",
    "split",
    "engage",
    "join",
    "chase",
    "strike",
    "sequence",
)
AT_SCREEN, PAST_SCREEN, AT_FORCE = "screen", "bypass", "mission"
"""The steps of resolution: the fight at the screen (WD 21.B.2.a, b), those who pass it (c), the mission force (d)."""

A = TypeVar("A")
Steps = Generator["Choice[Any] | Shot", Any, A]


class Policy(Protocol):
    """The decisions of one side over a hex, each made on what both sides see at that moment.

    A side is asked only what it has to decide; what it says must be lawful (see
    :mod:`~adjudicator.western_desert.air.allocation`).
    """

    def jettison(self, sky: Sky) -> frozenset[str]:
        """Fighters that drop their bombs and join the screen (WD 24.A.jettison)."""

    def split(self, sky: Sky) -> frozenset[str]:
        """Interceptors that attack the screen; the others try to pass it (WD 21.A.split)."""

    def engage(self, sky: Sky) -> Pairs:
        """The escort that each interceptor on the screen faces (WD 21.B.2.a)."""

    def join(self, sky: Sky) -> Pairs:
        """Spare escorts that join the fight, each with the interceptor it attacks; others are held back."""

    def chase(self, sky: Sky) -> Pairs:
        """Unengaged escorts, each with the passing interceptor that it attacks (WD 21.B.2.c)."""

    def strike(self, sky: Sky) -> Pairs:
        """Interceptors past the screen, each with the air unit of the mission force that it attacks (WD 21.B.2.d)."""

    def sequence(self, sky: Sky, single: str, several: Sequence[str]) -> tuple[str, ...]:
        """The order in which several of its air units fight a single one (WD 21.B.2.b)."""


@dataclass(frozen=True)
class Choice(Generic[A]):
    """Something that the rules leave to one side.

    ``topic`` says what, ``party`` who decides: the ``interceptors`` or the ``missions``. ``key`` is unique in the
    battle. ``sky`` is what is seen, ``problems`` the legality of an answer, ``by`` takes one from a policy.
    """

    topic: str
    party: str
    rule: str
    key: str
    sky: Sky
    problems: Callable[[A], list[Problem]]
    by: Callable[[Policy], A]


class Unlawful(ValueError):
    """An answer that the rules don't allow: nothing has been done with it."""

    def __init__(self, choice: Choice[Any], problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(f"{problem.text} ({problem.rule})" for problem in problems))
        self.choice, self.problems = choice, tuple(problems)


class Outcome(NamedTuple):
    """A battle when all is over: the air over the hex as it is then, and every shot in the order fired."""

    sky: Sky
    fired: tuple[Fired, ...]

    @property
    def fates(self) -> dict[str, str]:
        """What befell whom, by id of every air unit that was hit, gliders on tow among them (WD 21.B.1, 24.C)."""
        return {
            craft.id: flight.fate
            for flight in self.sky.flights.values()
            if flight.fate != UNHURT
            for craft in flight.crew
        }

    @property
    def flown(self) -> tuple[str, ...]:
        """The air units that go on with their missions: neither hit nor without their bombs (WD 21.B.1, 24.A)."""
        return self.sky.force


def inoperative(flight: Flight) -> bool:
    """Whether an air unit will be inoperative once it has landed, as an aborted one is (WD 21.B.1)."""
    return flight.fate == ABORTED


def engagement(sky: Sky) -> Steps[Outcome]:
    """All air combat over one hex. It ends at once where there are no interceptors (WD 21)."""
    if not sky.interceptors:
        return Outcome(sky, ())
    sky = yield from _prepared(sky)
    fired: list[Fired] = []
    sky = yield from _at_screen(sky, fired)
    sky = yield from _past_screen(sky, fired)
    sky = yield from _at_force(sky, fired)
    return Outcome(sky, tuple(fired))


# --- preparation ------------------------------------------------------------------------------------------------


def _prepared(sky: Sky) -> Steps[Sky]:
    """The owner of the missions forms screen and mission force, then the other divides his interceptors (WD 21.A)."""
    if allocation.jettisoners(sky):
        sky = sky.jettisoned((yield from _ask(jettison_choice(sky))))
    if sky.escorts:
        sky = replace(sky, attackers=frozenset((yield from _ask(split_choice(sky)))))
    return sky


def _ask(choice: Choice[A]) -> Steps[A]:
    """Put a choice; raises :class:`Unlawful` for an answer that the rules don't allow."""
    answer: A = yield choice
    problems = choice.problems(answer)
    if problems:
        raise Unlawful(choice, problems)
    return answer


def jettison_choice(sky: Sky) -> Choice[frozenset[str]]:
    """Which fighters drop their bombs (WD 24.A.jettison)."""
    return Choice(
        JETTISON,
        FLYING,
        allocation.JETTISON_RULE,
        JETTISON,
        sky,
        lambda chosen: allocation.jettison_problems(sky, chosen),
        lambda policy: policy.jettison(sky),
    )


def split_choice(sky: Sky) -> Choice[frozenset[str]]:
    """Which interceptors attack the screen (WD 21.A.split); asked only where there is a screen."""
    return Choice(
        SPLIT,
        INTERCEPTING,
        allocation.SPLIT_RULE,
        SPLIT,
        sky,
        lambda chosen: allocation.split_problems(sky, chosen),
        lambda policy: policy.split(sky),
    )


def pairs_choice(topic: str, sky: Sky) -> Choice[Pairs]:
    """One of the allocations: ``engage``, ``join``, ``chase``, ``strike`` (WD 21.B.2)."""
    takes: dict[str, Callable[[Policy], Pairs]] = {
        ENGAGE: lambda policy: policy.engage(sky),
        JOIN: lambda policy: policy.join(sky),
        CHASE: lambda policy: policy.chase(sky),
        STRIKE: lambda policy: policy.strike(sky),
    }
    return Choice(
        topic,
        allocation.DECIDERS[topic],
        allocation.RULE_OF[topic],
        topic,
        sky,
        lambda pairs: allocation.PROBLEMS[topic](sky, pairs),
        takes[topic],
    )


# --- the steps --------------------------------------------------------------------------------------------------


def _at_screen(sky: Sky, fired: list[Fired]) -> Steps[Sky]:
    """Interceptors on the screen and escorts meet (WD 21.B.2.a, 21.B.2.b)."""
    if not (sky.at_screen and sky.escorts):
        return sky
    sky = replace(sky, engaged=dict((yield from _ask(pairs_choice(ENGAGE, sky)))))
    if len(sky.at_screen) < len(sky.escorts):
        sky = replace(sky, joined=dict((yield from _ask(pairs_choice(JOIN, sky)))))
    met = [(a, b) for a, b in sky.engaged.items()] + [(b, a) for a, b in sky.joined.items()]
    return (yield from _fought(sky, AT_SCREEN, met, fired))


def _past_screen(sky: Sky, fired: list[Fired]) -> Steps[Sky]:
    """Unengaged escorts attack those who try to pass, and are not fired at (WD 21.B.2.c)."""
    if not (sky.held and sky.bypass):
        return sky
    pairs = yield from _ask(pairs_choice(CHASE, sky))
    return (yield from _fought(sky, PAST_SCREEN, list(pairs.items()), fired))


def _at_force(sky: Sky, fired: list[Fired]) -> Steps[Sky]:
    """Those who got past the screen attack the mission force (WD 21.B.2.d)."""
    if not (sky.bypass and sky.force):
        return sky
    pairs = yield from _ask(pairs_choice(STRIKE, sky))
    return (yield from _fought(sky, AT_FORCE, list(pairs.items()), fired))


def _fought(sky: Sky, step: str, met: Sequence[tuple[str, str]], fired: list[Fired]) -> Steps[Sky]:
    """All fights of a step, one after the other; who has the several of a fight says beforehand in which order."""
    fights = [(single, several) for single, several in stars(met)]
    ready = []
    for single, several in fights:
        order = several
        if len(several) > 1:
            order = yield from _ask(sequence_choice(sky, step, single, several))
        ready.append(Series(single, tuple(order), answers=step != PAST_SCREEN))
    for series in ready:
        sky = yield from _series(sky, step, series, fired)
    return sky


def stars(met: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[str, ...]]]:
    """The fights of a step out of its pairs, attacker first: a single air unit, and the one or more that it meets.

    Of a pair the second is the single one, so that the first fires first.
    """
    pairs = sorted(set(met))
    by_second: dict[str, list[str]] = {}
    by_first: dict[str, list[str]] = {}
    for first, second in pairs:
        by_first.setdefault(first, []).append(second)
        by_second.setdefault(second, []).append(first)
    found = [(single, tuple(several)) for single, several in by_first.items() if len(several) > 1]
    taken = {aid for _single, several in found for aid in several}
    found += [(single, tuple(several)) for single, several in by_second.items() if single not in taken]
    return sorted(found)


def sequence_choice(sky: Sky, step: str, single: str, several: tuple[str, ...]) -> Choice[tuple[str, ...]]:
    """In which order several air units fight a single one (WD 21.B.2.b)."""
    intercept = sky.flight(several[0]).mission == INTERCEPT
    return Choice(
        SEQUENCE,
        INTERCEPTING if intercept else FLYING,
        allocation.SERIES_RULE,
        f"{SEQUENCE}/{step}/{single}",
        sky,
        lambda order: allocation.sequence_problems(sky, single, several, order),
        lambda policy: policy.sequence(sky, single, several),
    )


def _series(sky: Sky, step: str, series: Series, fired: list[Fired]) -> Steps[Sky]:
    """One fight: exchange after exchange, what the single unit suffers implemented when it is over."""
    while not series.over:
        fates: dict[str, str] = {}
        for firer, target in series.exchange:
            shot = aim(sky.tables, step, sky.place, sky.flight(firer), sky.flight(target))
            roll: int = yield shot
            fired.append(fire(sky.tables, shot, roll))
            fates[target] = fired[-1].fate
        series = series.after(fates)
        sky = sky.after({aid: fate for aid, fate in fates.items() if aid != series.single})
    return sky.after({series.single: series.pending})


# --- driving it -------------------------------------------------------------------------------------------------

Dice = Callable[[Shot], int]
"""The two dice of a shot, added up; its label names them."""


def fight(sky: Sky, policies: Mapping[str, Policy], dice: Dice) -> Outcome:
    """Air combat over a hex by the policies of ``interceptors`` and ``missions`` and a function for the dice.

    Raises :class:`Unlawful` where a policy decides what the rules don't allow.
    """
    steps = engagement(sky)
    try:
        request = next(steps)
        while True:
            if isinstance(request, Shot):
                request = steps.send(dice(request))
            else:
                request = steps.send(request.by(policies[request.party]))
    except StopIteration as end:
        outcome: Outcome = end.value
        return outcome


def fight_all(skies: Iterable[Sky], policies: Mapping[str, Policy], dice: Dice) -> list[Outcome]:
    """Air combat hex by hex: that over one hex is finished before the next is begun (WD 21)."""
    return [fight(sky, policies, dice) for sky in skies]
