"""What is lawful in the choices of air combat: jettison, split, allocations, the order of exchanges (WD 21.A, 21.B.2).

Each function tells what is wrong with a choice, with the way out; an empty list is a lawful one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from adjudicator.engine.core import Problem
from adjudicator.western_desert.air.craft import INTERCEPT
from adjudicator.western_desert.air.sky import BYPASS, MISSION, SCREEN, Pairs, Sky

JETTISON_RULE, SCREEN_RULE, SPLIT_RULE = "WD 24.A.jettison", "WD 21.A.screen", "WD 21.A.split"
ENGAGE_RULE, SERIES_RULE, DONE_RULE = "WD 21.B.2.a", "WD 21.B.2.b", "WD 21.B.2.b.done"
CHASE_RULE, STRIKE_RULE = "WD 21.B.2.c", "WD 21.B.2.d"
INTERCEPTING, FLYING = "interceptors", "missions"
"""The two parties over a hex: the one with the interceptors and the one with the missions and their escorts."""


def listed(sky: Sky, ids: Iterable[str]) -> str:
    """Air units as people say them; "nobody" for none."""
    return ", ".join(sky.name(aid) for aid in ids) or "nobody"


def _strangers(sky: Sky, named: Iterable[str], allowed: Collection[str], rule: str, what: str) -> list[Problem]:
    """Names that are none of those who may be meant."""
    hint = f"choose from: {listed(sky, sorted(allowed))}"
    return [
        Problem("not_of_the_group", rule, f"{sky.name(aid)} is no {what} over {sky.place}", hint)
        for aid in sorted(set(named) - set(allowed))
    ]


# --- preparation ------------------------------------------------------------------------------------------------


def jettisoners(sky: Sky) -> tuple[str, ...]:
    """Fighters with bombs, which may drop them and join the screen (WD 24.A.jettison)."""
    return tuple(aid for aid in sky.force if sky.flight(aid).craft.fighter and sky.flight(aid).bombing)


def jettison_problems(sky: Sky, chosen: Collection[str]) -> list[Problem]:
    """What is wrong with dropping the bombs of those air units (WD 24.A.jettison)."""
    return _strangers(sky, chosen, jettisoners(sky), JETTISON_RULE, "fighter on a bombing mission")


def groups_of(sky: Sky, aid: str) -> tuple[str, ...]:
    """The groups that an air unit may be put into (WD 21.A): an interceptor has the choice of its owner."""
    if sky.flight(aid).mission == INTERCEPT:
        return SCREEN, BYPASS
    if aid in sky.escorts:
        return (SCREEN,)
    return (SCREEN, MISSION) if aid in jettisoners(sky) else (MISSION,)


def group_problems(sky: Sky, aid: str, group: str) -> list[Problem]:
    """What is wrong with putting an air unit into a group (WD 21.A.screen, 21.A.split)."""
    allowed = groups_of(sky, aid)
    if group in allowed:
        return []
    intercepts = sky.flight(aid).mission == INTERCEPT
    said = f"{sky.name(aid)} may not be in the group {group}" + ("" if intercepts else ": all escorts form the screen")
    rule = SPLIT_RULE if intercepts else SCREEN_RULE
    return [Problem("wrong_group", rule, said, f"its group: {' or '.join(allowed)}")]


def split_problems(sky: Sky, chosen: Collection[str]) -> list[Problem]:
    """What is wrong with sending those interceptors at the screen, the others past it; any division will do (WD
    21.A.split)."""
    return _strangers(sky, chosen, sky.interceptors, SPLIT_RULE, "interceptor")


DECIDERS = {
    "jettison": FLYING,
    "split": INTERCEPTING,
    "engage": INTERCEPTING,
    "join": FLYING,
    "chase": FLYING,
    "strike": INTERCEPTING,
}
RULE_OF = {
    "jettison": JETTISON_RULE,
    "split": SPLIT_RULE,
    "engage": ENGAGE_RULE,
    "join": ENGAGE_RULE,
    "chase": CHASE_RULE,
    "strike": STRIKE_RULE,
}
"""Who makes each choice of an air combat, and by which rule."""


def decider_problems(what: str, party: str) -> list[Problem]:
    """What is wrong with a choice being made by that party (WD 21.A, 21.B.2). Raises KeyError for no such choice."""
    owner = DECIDERS[what]
    if party == owner:
        return []
    said = f"this is decided by the player with the {owner}, not by the one with the {party}"
    return [Problem("not_yours", RULE_OF[what], said, "leave it to the other player")]


# --- the screen -------------------------------------------------------------------------------------------------


def engage_problems(sky: Sky, pairs: Pairs) -> list[Problem]:
    """What is wrong with interceptors facing those escorts (WD 21.B.2.a).

    With at least as many of them on the screen as there are escorts, every escort must be faced; with fewer, each must
    face an escort of its own. Further interceptors may be set on any escort, or on none.
    """
    ours, theirs = sky.at_screen, sky.escorts
    found = _strangers(sky, pairs, ours, ENGAGE_RULE, "interceptor on the screen")
    found += _strangers(sky, pairs.values(), theirs, ENGAGE_RULE, "escort")
    if not theirs:
        return found
    if len(ours) < len(theirs):
        return found + _idle(sky, ours, pairs) + _doubled(sky, pairs)
    left = [aid for aid in theirs if aid not in pairs.values()]
    return found + [
        Problem(
            "escort_not_engaged",
            ENGAGE_RULE,
            f"no interceptor is allocated against {sky.name(aid)}: every escort of the screen must have one first",
            f"send one of {listed(sky, ours)} at it",
        )
        for aid in left
    ]


def _idle(sky: Sky, ours: Sequence[str], pairs: Pairs) -> list[Problem]:
    """Interceptors at a larger screen that face nobody."""
    return [
        Problem(
            "interceptor_not_engaged",
            ENGAGE_RULE,
            f"{sky.name(aid)} attacks the screen and faces no escort",
            f"set it on one of {listed(sky, sky.escorts)}",
        )
        for aid in ours
        if aid not in pairs
    ]


def _doubled(sky: Sky, pairs: Pairs) -> list[Problem]:
    """Escorts faced twice while another of a larger screen has nobody."""
    return [
        Problem(
            "escort_engaged_twice",
            ENGAGE_RULE,
            f"{count} interceptors are allocated against {sky.name(aid)} while there are escorts without any",
            "one interceptor for each escort; there are fewer interceptors than escorts",
        )
        for aid, count in sorted(Counter(pairs.values()).items())
        if count > 1
    ]


def spare(sky: Sky) -> tuple[str, ...]:
    """Escorts that no interceptor faces: they may join a fight at the screen, or be held back (WD 21.B.2.a)."""
    faced = set(sky.engaged.values())
    return tuple(aid for aid in sky.escorts if aid not in faced)


def join_problems(sky: Sky, pairs: Pairs) -> list[Problem]:
    """What is wrong with those escorts joining the fight against interceptors at the screen (WD 21.B.2.a)."""
    found = _strangers(sky, pairs, spare(sky), ENGAGE_RULE, "escort that nobody faces")
    return found + _strangers(sky, pairs.values(), sky.at_screen, ENGAGE_RULE, "interceptor on the screen")


# --- past the screen --------------------------------------------------------------------------------------------


def chase_problems(sky: Sky, pairs: Pairs) -> list[Problem]:
    """What is wrong with those escorts attacking interceptors on their way past them (WD 21.B.2.c)."""
    return _second_fights(sky, pairs, CHASE_RULE, "unengaged escort", sky.held) + _strangers(
        sky, pairs.values(), sky.bypass, CHASE_RULE, "interceptor that tries to pass the screen"
    )


def strike_problems(sky: Sky, pairs: Pairs) -> list[Problem]:
    """What is wrong with those interceptors attacking the mission force (WD 21.B.2.d)."""
    return _second_fights(sky, pairs, STRIKE_RULE, "interceptor that got past the screen", sky.bypass) + _strangers(
        sky, pairs.values(), sky.force, STRIKE_RULE, "air unit of the mission force"
    )


def _second_fights(sky: Sky, named: Iterable[str], rule: str, what: str, allowed: Collection[str]) -> list[Problem]:
    """Names that may not attack now, those told apart whose fight at the screen is over (WD 21.B.2.b.done)."""
    named = sorted(named)
    over = {*sky.attackers, *sky.engaged.values(), *sky.joined}
    done = [
        Problem(
            "fought_already",
            DONE_RULE,
            f"{sky.name(aid)} belonged to the fight at the screen and is finished over {sky.place}",
            f"choose from: {listed(sky, sorted(allowed))}",
        )
        for aid in named
        if aid in over
    ]
    return done + _strangers(sky, (aid for aid in named if aid not in over), allowed, rule, what)


# --- series -----------------------------------------------------------------------------------------------------


def sequence_problems(sky: Sky, single: str, several: Collection[str], order: Sequence[str]) -> list[Problem]:
    """What is wrong with the order in which several air units fight a single one (WD 21.B.2.b)."""
    if sorted(order) == sorted(several):
        return []
    said = f"the order against {sky.name(single)} must name each of {listed(sky, sorted(several))} once"
    return [Problem("bad_sequence", SERIES_RULE, said, "list all of them in the order in which they shall fight")]


PROBLEMS: Mapping[str, Callable[[Sky, Pairs], list[Problem]]] = {
    "engage": engage_problems,
    "join": join_problems,
    "chase": chase_problems,
    "strike": strike_problems,
}
"""The legality of each allocation."""
