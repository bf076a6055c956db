"""The choices of an air combat as asks: answers, orders ``split`` and ``targets``, standing clauses, defaults (WD 21).

What was written before the combat can't know who is left at each step: it is followed as far as it is lawful, and
filled up by the defaults of :mod:`~adjudicator.western_desert.air.policies` (pbem A4 to A8).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, islice, permutations, product
from typing import Any, NamedTuple

from adjudicator.engine.core import Ask, Order, Tree, texts_of, whole_number
from adjudicator.engine.sections import sections
from adjudicator.western_desert.air import allocation, policies
from adjudicator.western_desert.air.allocation import INTERCEPTING
from adjudicator.western_desert.air.craft import GROUND_SUPPORT, UNHURT
from adjudicator.western_desert.air.engagement import (
    CHASE,
    ENGAGE,
    JETTISON,
    JOIN,
    SEQUENCE,
    SPLIT,
    STRIKE,
    Choice,
)
from adjudicator.western_desert.air.liking import liked
from adjudicator.western_desert.air.ordered import Ordered, Wishes
from adjudicator.western_desert.air.orders import (
    ALL,
    ALWAYS,
    ANYTHING,
    ESCORTING,
    INTERCEPTS,
    JETTISONS,
    NONE,
    OUTNUMBERED,
)
from adjudicator.western_desert.air.places import against, cited, for_air, over
from adjudicator.western_desert.air.sky import Pairs, Sky
from adjudicator.western_desert.standing import Clause, clauses, hex_in
from adjudicator.western_desert.state import AIR_POOL, ENEMY, State

SPOKEN = ("", "air", "reaction", "combat")
"""The sections of a message in which answers to choices of air combat may stand."""
LISTED_AT_MOST = 120
_WRITTEN: dict[str, Callable[[Wishes], Ordered]] = {
    ENGAGE: lambda wishes: Ordered(engages=wishes),
    JOIN: lambda wishes: Ordered(joins=wishes),
    CHASE: lambda wishes: Ordered(chases=wishes),
    STRIKE: lambda wishes: Ordered(strikes=wishes),
}
PAIRED = tuple(_WRITTEN)
Numbered = tuple[int, Clause]


class _Case(NamedTuple):
    """A choice over a hex, with its key, its topic of standing orders, and the position."""

    state: State
    hex: int
    choice: Choice[Any]
    key: str
    topic: str

    @property
    def sky(self) -> Sky:
        return self.choice.sky


def choice_key(state: State, h: int, night: bool, key: str) -> str:
    """The key of a choice of an air combat: its own with the hex behind the topic, ``/night`` at the end of those at
    night."""
    topic, *rest = key.split("/")
    return "/".join([topic, state.board.label(h), *rest, *(["night"] if night else [])])


def choice_ask(state: State, h: int, night: bool, choice: Choice[Any]) -> Ask[Any]:
    """A choice of an air combat as an ask of the side that makes it (WD 21, 24.A.jettison).

    Its values are those of :class:`~adjudicator.western_desert.air.engagement.Policy`: a frozenset of ids for
    ``jettison`` and ``split``, a tuple of ids for ``sequence``, else pairs.
    """
    interceptors = choice.party == INTERCEPTING
    topic = INTERCEPTS if interceptors else JETTISONS if choice.topic == JETTISON else ESCORTING
    case = _Case(state, h, choice, choice_key(state, h, night, choice.key), topic)
    return Ask(
        key=case.key,
        side=ENEMY[state.player] if interceptors else state.player,
        rule=choice.rule,
        topic=topic,
        find=lambda orders: _found(case, orders),
        problems=choice.problems,
        atoms=lambda: list(islice(_lawful(choice), LISTED_AT_MOST)),
        default=lambda: choice.by(policies.Defaults()),
        clause=lambda rules: _by_clauses(case, clauses(rules)),
        forced=choice.topic == ENGAGE and len(choice.sky.at_screen) == len(choice.sky.escorts) == 1,
        askable=True,
    )


# --- the listing ------------------------------------------------------------------------------------------------


def _lawful(choice: Choice[Any]) -> Iterator[Any]:
    """The lawful answers one by one; there may be very many."""
    return (one for one in _answers(choice) if not choice.problems(one))


def _answers(choice: Choice[Any]) -> Iterator[Any]:
    sky, topic = choice.sky, choice.topic
    if topic == SEQUENCE:
        yield from permutations(choice.by(policies.Defaults()))
    elif topic in (JETTISON, SPLIT):
        named = allocation.jettisoners(sky) if topic == JETTISON else sky.interceptors
        yield from (frozenset(some) for n in range(len(named) + 1) for some in combinations(named, n))
    else:
        ones, others = _parties(sky, topic)
        for targets in product(("", *others), repeat=len(ones)):
            yield {one: other for one, other in zip(ones, targets, strict=True) if other}


def _parties(sky: Sky, topic: str) -> tuple[Sequence[str], Sequence[str]]:
    """Who attacks in a step, and who may be attacked (WD 21.B.2)."""
    return {
        ENGAGE: (sky.at_screen, sky.escorts),
        JOIN: (allocation.spare(sky), sky.at_screen),
        CHASE: (sky.held, sky.bypass),
        STRIKE: (sky.bypass, sky.force),
    }[topic]


# --- answers and orders -----------------------------------------------------------------------------------------


def _spoken(orders: Sequence[Order]) -> Iterator[tuple[str, Order]]:
    """The orders of a message that may speak of air combat, with their sections; a second section of a name is none."""
    seen: set[str] = set()
    for part in sections(orders):
        if part.name in SPOKEN and part.name not in seen:
            yield from ((part.name, order) for order in part.orders)
        seen.add(part.name)


def _found(case: _Case, orders: Sequence[Order]) -> Any:
    """The answer of a message to the key, else what the section ``reaction`` says of the hex; None for neither."""
    spoken = list(_spoken(orders))
    for _part, order in spoken:
        if order.type == "answer" and order.text("to") == case.key:
            answer = _answered(case, order)
            if answer is not None:
                return answer
    if case.choice.party != INTERCEPTING:
        return None
    reaction = [order for part, order in spoken if part == "reaction"]
    return _ordered(case, [order for order in reaction if hex_in(case.state, order.text("hex")) == case.hex])


def _answered(case: _Case, order: Order) -> Any:
    """An answer by key, without those who are gone. Who is not named stays out of it, where that is lawful.

    Who was never there is left in, so that the whole is judged unlawful and the default taken with the reason told.
    """
    choice, sky = case.choice, case.sky
    if choice.topic in PAIRED:
        return _paired(case, order.data.get("pairs")) if "pairs" in order.data else None
    if "airs" not in order.data:
        return None
    named = order.texts("airs")
    if choice.topic == SEQUENCE:
        single = choice.key.rpartition("/")[2]
        return tuple(named) if _strangers(case, named) else choice.by(Ordered(sequences={single: named}))
    allowed = allocation.jettisoners(sky) if choice.topic == JETTISON else sky.interceptors
    wrong = [aid for aid in named if sky.flying(aid) and aid not in allowed]
    return frozenset([*_of(named, allowed), *wrong, *_strangers(case, named)])


def _of(named: Collection[str], there: Sequence[str]) -> list[str]:
    return list(there) if ALL in named else [aid for aid in there if aid in named]


def _strangers(case: _Case, named: Iterable[str]) -> list[str]:
    """Those of the air units that are not over the hex though nothing befell them. An answer given before stands
    without those who were turned back or lost."""
    return [aid for aid in named if aid not in (ALL, NONE, *case.sky.flights) and not _gone(case.state, aid)]


def _gone(state: State, aid: str) -> bool:
    unit = state.air.get(aid)
    if unit is None:
        return aid in state.boxes and state.boxes[aid].box == AIR_POOL
    return unit.sortie is not None and unit.sortie.fate != UNHURT


def _paired(case: _Case, rows: Tree | None) -> Pairs:
    """Pairs as written; who is named and can't attack any of those named for it attacks by default."""
    wishes: dict[str, list[str]] = {}
    for row in rows if isinstance(rows, list) else [rows]:
        if isinstance(row, dict):
            wishes.setdefault(str(row.get("air", "")), []).append(str(row.get("at", "")))
    wrong = {one: at[0] for one, at in wishes.items() if _strangers(case, [one, *at])}
    if wrong:
        return wrong
    filled: Pairs = case.choice.by(_WRITTEN[case.choice.topic](wishes))
    named = {one: other for one, other in filled.items() if one in wishes}
    return filled if case.choice.problems(named) else named


def _ordered(case: _Case, orders: Sequence[Order]) -> Any:
    """What orders ``split`` and ``targets`` on the hex say; None where they leave the choice open."""
    if case.choice.topic == SPLIT:
        order = next((one for one in orders if one.type == "split"), None)
        return None if order is None else _split(case.sky, order)
    wishes: dict[str, list[str]] = {}
    for order in orders:
        if order.type == "targets":
            for one in order.texts("air") or case.sky.interceptors:
                wishes.setdefault(one, order.texts("order"))
    return _by_wishes(case, wishes)


def _split(sky: Sky, order: Order) -> frozenset[str]:
    """Who attacks the screen by an order ``split`` (WD 21.A.split)."""
    if "screen" in order.data:
        return frozenset(_of(order.texts("screen"), sky.interceptors))
    return policies.split(sky, whole_number(order.data.get("per_escort")))


def _by_wishes(case: _Case, wishes: dict[str, list[str]]) -> Pairs | None:
    """Pairs by words of liking, the others by default; None where nobody who may attack has a wish."""
    if case.choice.topic not in PAIRED:
        return None
    sky, topic = case.sky, case.choice.topic
    ones, others = _parties(sky, topic)
    if not set(wishes) & set(ones):
        return None
    found = liked(sky, wishes, ones, others)
    if topic == ENGAGE:
        return Ordered(engages={one: [other] for one, other in found.items()}).engage(sky)
    return found if topic == JOIN else (policies.chase if topic == CHASE else policies.strike)(sky, found)


# --- standing clauses -------------------------------------------------------------------------------------------


def _by_clauses(case: _Case, numbered: Sequence[Numbered]) -> tuple[Any, str] | None:
    """What the standing clauses about the hex say of the choice, each air unit by the first that is for it and speaks;
    None where none does."""
    there = [(n, clause) for n, clause in numbered if over(case.state, clause, case.hex)]
    there = [(n, clause) for n, clause in there if against(clause, case.sky.flights.values())]
    if case.topic == JETTISONS:
        return _jettisoned(case, there)
    if case.choice.topic == SPLIT:
        return _split_by(case, there)
    if case.choice.topic == JOIN:
        return _joined(case, there)
    told = _first(there, case.sky.flights, "targets")
    pairs = _by_wishes(case, {one: texts_of(clause["targets"]) for one, (_n, clause) in told.items()})
    if pairs is None:
        return None
    return pairs, cited(case.topic, (told[one][0] for one in _parties(case.sky, case.choice.topic)[0] if one in told))


def _first(there: Sequence[Numbered], ids: Iterable[str], field: str = "") -> dict[str, Numbered]:
    """For each air unit the first clause that is for it, with the field where one is asked for."""
    found: dict[str, Numbered] = {}
    for aid in ids:
        for n, clause in there:
            if (not field or field in clause) and for_air(clause, aid):
                found[aid] = n, clause
                break
    return found


def _split_by(case: _Case, there: Sequence[Numbered]) -> tuple[Any, str] | None:
    """The first clause for any of the interceptors that tells how many attack each escort decides for all of them."""
    for n, clause in there:
        number = whole_number(clause.get("per_escort"))
        if number is not None and any(for_air(clause, aid) for aid in case.sky.interceptors):
            return policies.split(case.sky, number), cited(case.topic, [n])
    return None


def _joined(case: _Case, there: Sequence[Numbered]) -> tuple[Any, str] | None:
    """Spare escorts whose clause has them join the fight at the screen, at the targets that theirs names."""
    spare = allocation.spare(case.sky)
    told = _first(there, spare, "join")
    if not told:
        return None
    targets = _first(there, spare, "targets")
    joining = [one for one, (_n, clause) in told.items() if clause["join"] == ALL]
    wishes = {one: [*texts_of(targets[one][1]["targets"] if one in targets else ""), ANYTHING] for one in joining}
    pairs = liked(case.sky, wishes, spare, case.sky.at_screen)
    used = [told[one][0] for one in told] + [targets[one][0] for one in joining if one in targets]
    return pairs, cited(case.topic, used)


def _jettisoned(case: _Case, there: Sequence[Numbered]) -> tuple[Any, str] | None:
    """Fighters whose clause says ``always``; then, while interceptors outnumber the screen, those that no clause keeps
    from it, the smallest load first (WD 24.A.jettison)."""
    sky = case.sky
    able = allocation.jettisoners(sky)
    told = _first(there, able)
    if not told:
        return None
    when = {one: str(told[one][1].get("when", OUTNUMBERED)) for one in told}
    sure = [one for one in able if when.get(one) == ALWAYS]
    free = [one for one in able if one not in told and sky.flight(one).mission != GROUND_SUPPORT]
    ready = [one for one in able if when.get(one) == OUTNUMBERED] + free
    missing = max(0, len(sky.interceptors) - len(sky.escorts) - len(sure))
    ready.sort(key=lambda one: policies.load_order(sky, one))
    return frozenset([*sure, *ready[:missing]]), cited(case.topic, (n for n, _clause in told.values()))
