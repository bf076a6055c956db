"""What the events of an air phase do to the state (docs/state-format.md, Events of the air phase)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from adjudicator.engine.core import Event
from adjudicator.engine.event_fields import text_in as _get
from adjudicator.engine.event_fields import texts_in as _list
from adjudicator.western_desert.air.craft import ELIMINATED, TRANSFER, TURNED_BACK
from adjudicator.western_desert.air.staging import apply_staged
from adjudicator.western_desert.state import Sortie, State

YES = "yes"
EXPENDED = "expended"
"""Why a glider is out of play: it is no loss, and replacement points don't bring it back."""


def _flight(state: State, event: Event) -> None:
    """An air unit takes off and flies to its target hex, in one of the places that its base has (WD 17.A, 18).

    Where it came by a transfer, a glider that it towed there stays behind, or goes on with it or another (WD 24.C).
    """
    aid, base, tow = _get(event, "air"), state.board.find(_get(event, "base")), _get(event, "tow")
    unit = state.air[aid]
    state.take_offs[base] = state.take_offs.get(base, 0) + 1
    mission = _get(event, "mission")
    _let_go(state, tow)
    for one in dict.fromkeys((aid, tow, unit.sortie.tow if unit.sortie else "")):
        if one:
            state.air[one].hex = base
    for one in (aid, tow) if mission == TRANSFER else ():
        if one:
            state.air[one].legs += ((int(_get(event, "distance")), _get(event, "barred") == YES),)
    unit.sortie = Sortie(
        mission,
        state.board.find(_get(event, "over")),
        number=1 + max((one.sortie.number for one in state.air.values() if one.sortie), default=0),
        night=_get(event, "night") == YES,
        extended=_get(event, "extended") == YES,
        tow=tow,
        cargo=tuple(_list(event, "cargo")),
        land=tuple(state.board.find(name) for name in _list(event, "land")),
        targets=tuple(_list(event, "targets")),
        hits=_get(event, "hits"),
        party=_get(event, "party"),
    )


def _let_go(state: State, tow: str) -> None:
    """A glider is on the tow of nobody."""
    for unit in state.air.values():
        if tow and unit.sortie and unit.sortie.tow == tow:
            unit.sortie = replace(unit.sortie, tow="")


def _patrol_attack(state: State, event: Event) -> None:
    """A fighter has made its attack; the flight that it turned back flies no farther (WD 19.once, 19.result)."""
    state.air[_get(event, "fighter")].patrolled = True
    if _get(event, "result") == TURNED_BACK:
        _befall(state, _get(event, "air"), TURNED_BACK, state.board.find(_get(event, "hex")))


def _befall(state: State, aid: str, fate: str, h: int) -> None:
    unit = state.air[aid]
    assert unit.sortie is not None
    unit.sortie = replace(unit.sortie, fate=fate, over=h)


def _jettisoned(state: State, event: Event) -> None:
    """Fighters drop their bombs and fly on as escorts (WD 24.A.jettison)."""
    for aid in _list(event, "air"):
        sortie = state.air[aid].sortie
        assert sortie is not None
        state.air[aid].sortie = replace(sortie, jettisoned=True)


def _air_hit(state: State, event: Event) -> None:
    """What air combat or antiaircraft fire did to an air unit and the glider on its tow (WD 21.B.1, 24.C.defense)."""
    aid, fate = _get(event, "air"), _get(event, "fate")
    if fate == ELIMINATED:
        sortie = state.air[aid].sortie
        _set_down(state, sortie.cargo if sortie else ())
        _lose(state, aid)
    else:
        _befall(state, aid, fate, state.board.find(_get(event, "hex")))


def _lose(state: State, aid: str) -> None:
    sortie = state.air[aid].sortie
    if sortie and sortie.tow:
        state.lose_air(sortie.tow)
    state.lose_air(aid)


def _air_landed(state: State, event: Event) -> None:
    """An air unit is at a base, with the glider that it towed; both in the same state (WD 18.return, 24.C, 24.E.crash).

    A transfer that another flight follows ends without an event: the next take-off is from its target.
    """
    aid, base = _get(event, "air"), state.board.find(_get(event, "base"))
    sortie = state.air[aid].sortie
    for one in (aid, sortie.tow) if sortie and sortie.tow else (aid,):
        unit = state.air[one]
        unit.hex, unit.sortie = base, None
        unit.operative = unit.operative and _get(event, "state") == "operative"


def _air_lost(state: State, event: Event) -> None:
    """An air unit that could not land, or was lost at its base (WD 18.return, 20.F.2.a, 17.B.capture)."""
    aid = _get(event, "air")
    sortie = state.air[aid].sortie
    _set_down(state, sortie.cargo if sortie else ())
    _lose(state, aid)


def _air_repaired(state: State, event: Event) -> None:
    """A successful repair makes an air unit operative at once (WD 23)."""
    if _get(event, "repaired") == YES:
        state.air[_get(event, "air")].operative = True


def _air_escape(state: State, event: Event) -> None:
    """Who escapes is inoperative at the base that it reached; without one it is lost. Who remains has had his chance
    (WD 17.B, 17.B.fly)."""
    aid, result = _get(event, "air"), _get(event, "result")
    if result == "escaped":
        state.air[aid].hex, state.air[aid].operative = state.board.find(_get(event, "to")), False
    elif result == ELIMINATED:
        state.lose_air(aid)
    else:
        state.air[aid].stayed = True


def _harassment(state: State, event: Event) -> None:
    """Points delivered upon a hex weigh on who leaves it in the player turn that follows (WD 20.F.2.e)."""
    points = int(_get(event, "points"))
    if points:
        state.harassing[state.board.find(_get(event, "hex"))] = points


def _set_down(state: State, units: Iterable[str]) -> None:
    """Ground units are aboard nothing any more: not of any of those that carried them together."""
    gone = set(units)
    for unit in state.air.values():
        if unit.sortie and gone & set(unit.sortie.cargo):
            kept = tuple(uid for uid in unit.sortie.cargo if uid not in gone)
            unit.sortie = replace(unit.sortie, cargo=kept)


def _unloaded(state: State, event: Event) -> None:
    """Ground units come down at an airbase (WD 20.E.1)."""
    h = state.board.find(_get(event, "hex"))
    _set_down(state, _list(event, "units"))
    for uid in _list(event, "units"):
        _come_down(state, uid, h)


def _come_down(state: State, uid: str, h: int) -> None:
    state.shift(uid, h)
    state.pieces[uid].start = h


def _dropped(state: State, event: Event) -> None:
    """An airborne unit comes down: it exerts no ZOC in this player turn, and is halved if it is disrupted (WD 25.A,
    25.B)."""
    uid = _get(event, "unit")
    _set_down(state, (uid,))
    state.set_dropped(uid, True)
    _come_down(state, uid, state.board.find(_get(event, "hex")))
    state.pieces[uid].disrupted = _get(event, "disrupted") == YES


def _cargo_back(state: State, event: Event) -> None:
    """Cargo is at its base again (WD 20.E.fate)."""
    _set_down(state, _list(event, "units"))


def _glider_expended(state: State, event: Event) -> None:
    """A glider is removed from play (WD 24.C.expend)."""
    aid = _get(event, "air")
    _let_go(state, aid)
    del state.air[aid]
    state.gone[aid] = EXPENDED


def _air_bombed(state: State, event: Event) -> None:
    """An air unit is hit at its base (WD 20.F.2.a)."""
    aid = _get(event, "air")
    if _get(event, "fate") == ELIMINATED:
        state.lose_air(aid)
    else:
        state.air[aid].operative = False


def _nothing(state: State, event: Event) -> None:
    """Events that only tell: the state stays as it is."""


def _air_step(state: State, event: Event) -> None:
    """The next step of the air phase (WD 16.C)."""
    state.step = _get(event, "step")


AIR_APPLY: dict[str, Callable[[State, Event], None]] = {
    "flight": _flight,
    "staged": apply_staged,
    "air-step": _air_step,
    "reacts": _nothing,
    "patrol-attack": _patrol_attack,
    "jettisoned": _jettisoned,
    "air-combat": _nothing,
    "split": _nothing,
    "engaged": _nothing,
    "air-shot": _nothing,
    "aa-fire": _nothing,
    "air-hit": _air_hit,
    "air-landed": _air_landed,
    "air-lost": _air_lost,
    "air-escape": _air_escape,
    "air-repaired": _air_repaired,
    "harassment": _harassment,
    "bombing": _nothing,
    "canal-hit": _nothing,
    "air-bombed": _air_bombed,
    "unloaded": _unloaded,
    "dropped": _dropped,
    "cargo-back": _cargo_back,
    "glider-expended": _glider_expended,
}
