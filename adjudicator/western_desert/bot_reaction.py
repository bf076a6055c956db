"""Reactions of chance, answers to the choices of air combat, and standing orders on the air war (see bots.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Tree
from adjudicator.western_desert.air.craft import SCRAMBLE, craft_of
from adjudicator.western_desert.air.defending import Watch, interception, raided, raids, scrambling
from adjudicator.western_desert.air.facts import base_hexes, side_air
from adjudicator.western_desert.air.orders import (
    AIR_CLAUSES,
    ALL,
    ANYTHING,
    CHANCES,
    ESCAPES,
    ESCORTING,
    INTERCEPTS,
    JETTISONS,
    LIKINGS,
    NONE,
    PATROL,
    PLACES,
    RATIOS,
    SCRAMBLES,
    TARGETS,
)
from adjudicator.western_desert.state import State

Row = dict[str, Tree]
FLY_SHARE, SPLIT_SHARE, TARGETS_SHARE, FOR_SHARE, OVER_SHARE, MORE_SHARE = 0.7, 0.4, 0.4, 0.3, 0.4, 0.4
LAND_SHARE = 0.2
TOPICS = tuple(AIR_CLAUSES)
WISHES = (*TARGETS, *LIKINGS)


# --- the reaction -----------------------------------------------------------------------------------------------


def reacting_orders(state: State, side: str, chance: Chance, decided: bool = False) -> list[Row]:
    """The section ``reaction``: fighters over some of the raids, others off to bases that are under no attack. Who
    intercepts may be ``decided`` by standing orders already."""
    watch = Watch(state, side)
    rows: list[Row] = []
    for raid in () if decided else raids(state, side):
        sent = [aid for aid in watch.near(raid) if chance.likely(FLY_SHARE) and watch.send(interception(raid, aid))]
        if sent:
            rows += _interceptions(state, raid.hex, sent, raid.night, bool(raid.escorts), chance)
    for aid in raided(watch):
        ends = [h for h in base_hexes(state, side) if h != state.air[aid].hex]
        if ends and chance.likely(FLY_SHARE) and watch.send(scrambling(aid, chance.pick(ends))):
            rows.append({"type": SCRAMBLE, "air": [aid], "hex": state.board.name(watch.plans[-1].target)})
    return [{"type": "section", "name": "reaction"}, *rows]


def _interceptions(
    state: State, h: int, sent: Sequence[str], night: bool, escorted: bool, chance: Chance
) -> list[Row]:
    """Interceptors over a hex, and how they are to fight."""
    where = state.board.name(h)
    row: Row = {"type": "intercept", "air": [*sent], "hex": where}
    if night:
        row["night"] = "yes"
    if chance.likely(LAND_SHARE):
        own = base_hexes(state, craft_of(state.world, sent[0]).side)
        row["land"] = [state.board.name(base) for base in chance.some(own, least=1, most=2)]
    rows = [row]
    if escorted and chance.likely(SPLIT_SHARE):
        screen: Tree = [*chance.some(sent, least=1)] if chance.likely(0.5) else chance.pick((ALL, NONE))
        said: Row = {"screen": screen} if chance.likely(0.6) else {"per_escort": str(1 + chance.below(2))}
        rows.append({"type": "split", "hex": where, **said})
    if chance.likely(TARGETS_SHARE):
        rows.append({"type": "targets", "hex": where, "order": [*chance.some(WISHES, least=1, most=3)]})
    return rows


# --- answers ----------------------------------------------------------------------------------------------------


def air_answer(key: str, value: object) -> Row:
    """The order ``answer`` that gives a listed value to a choice of the air war."""
    row: Row = {"type": "answer", "to": key}
    if isinstance(value, Mapping):
        pairs: list[Tree] = [{"air": str(one), "at": str(other)} for one, other in sorted(value.items())]
        return {**row, "pairs": pairs or NONE}
    if isinstance(value, frozenset):
        return {**row, "airs": [*sorted(value)] if value else NONE}
    return {**row, "airs": [*value]} if isinstance(value, tuple) else row


# --- standing orders --------------------------------------------------------------------------------------------


def air_clause(state: State, side: str, topic: str, chance: Chance) -> Row:
    """A clause of chance on a topic of the air war."""
    clause: Row = {}
    own = side_air(state, side)
    if own and chance.likely(FOR_SHARE):
        clause["air"] = [*chance.some(own, least=1, most=3)] if chance.likely(0.7) else ANYTHING
    if topic in (INTERCEPTS, JETTISONS, ESCORTING) and chance.likely(OVER_SHARE):
        clause["hex"] = chance.pick((*PLACES, *_some_bases(state, side, chance)))
    return {**clause, **_MAKERS[topic](state, side, chance)}


def _some_bases(state: State, side: str, chance: Chance) -> list[str]:
    return [state.board.name(h) for h in chance.some(base_hexes(state, side), least=1, most=2)]


def _refuge(state: State, side: str, chance: Chance, words: tuple[str, str]) -> Row:
    """Who is to leave a base, and where to."""
    clause: Row = {"do": chance.pick(words)}
    if chance.likely(MORE_SHARE):
        clause["to"] = [*_some_bases(state, side, chance)]
    if chance.likely(MORE_SHARE):
        clause["base"] = [*_some_bases(state, side, chance)] if chance.likely(0.7) else ANYTHING
    return clause


def _escape(state: State, side: str, chance: Chance) -> Row:
    return _refuge(state, side, chance, ("try", "stay"))


def _scramble(state: State, side: str, chance: Chance) -> Row:
    return _refuge(state, side, chance, ("fly_off", "stay"))


def _patrol(state: State, side: str, chance: Chance) -> Row:
    clause: Row = {"attack": [*chance.some(TARGETS, least=1, most=3)]}
    if chance.likely(MORE_SHARE):
        clause["min_chance"] = chance.pick(CHANCES)
    if chance.likely(MORE_SHARE):
        clause["spare"] = chance.pick(TARGETS[1:])
    if chance.likely(MORE_SHARE):
        clause |= {"within": str(chance.below(5)), "of": _some_bases(state, side, chance)[0]}
    if chance.likely(MORE_SHARE):
        clause["hold_until"] = str(chance.below(3))
    return clause


def _intercept(state: State, side: str, chance: Chance) -> Row:
    clause: Row = {}
    makers: dict[str, Callable[[], Tree]] = {
        "missions": lambda: [chance.pick(("bomb_port", "bomb_airbase", "harass", "ground_support"))],
        "min_ratio": lambda: chance.pick(RATIOS),
        "most": lambda: str(1 + chance.below(3)),
        "keep": lambda: str(chance.below(2)),
        "per_escort": lambda: str(1 + chance.below(2)),
        "targets": lambda: [*chance.some(WISHES, least=1, most=3)],
    }
    for name in chance.some(sorted(makers), most=3):
        clause[name] = makers[name]()
    return clause


def _jettison(state: State, side: str, chance: Chance) -> Row:
    return {"when": chance.pick(("never", "outnumbered", "always"))}


def _escorts(state: State, side: str, chance: Chance) -> Row:
    clause: Row = {"join": chance.pick((ALL, NONE))}
    if chance.likely(MORE_SHARE):
        clause["targets"] = [*chance.some(WISHES, least=1, most=2)]
    return clause


_MAKERS = {
    ESCAPES: _escape,
    PATROL: _patrol,
    INTERCEPTS: _intercept,
    SCRAMBLES: _scramble,
    JETTISONS: _jettison,
    ESCORTING: _escorts,
}
