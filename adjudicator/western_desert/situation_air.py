"""What a player must keep in mind of the air war, for `status` (see situation.py)."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.western_desert.air.defending import raids
from adjudicator.western_desert.air.facts import side_air
from adjudicator.western_desert.air.words import FATE_WORDS, air_names
from adjudicator.western_desert.state import ENEMY, State
from adjudicator.western_desert.words import joined


def air_lines(state: State, side: str) -> list[str]:
    """Air units at their bases, inoperative ones, those in the air; bases under attack; hexes that are harassed."""
    own = side_air(state, side)
    ready = [aid for aid in own if state.air[aid].operative and state.air[aid].sortie is None]
    down = [aid for aid in own if not state.air[aid].operative]
    lines = [f"Air units ready (WD 16): {_by_base(state, ready)}."] if ready else []
    lines += [f"Inoperative until repaired (WD 23): {_by_base(state, down)}."] if down else []
    return [*lines, *_in_the_air(state, own), *_raided(state, side), *_harassed(state)]


def _by_base(state: State, ids: Iterable[str]) -> str:
    bases: dict[int, list[str]] = {}
    for aid in ids:
        bases.setdefault(state.air[aid].hex, []).append(aid)
    said = (f"{air_names(state.world, there)} at {_where(state, h)}" for h, there in sorted(bases.items()))
    return "; ".join(said)


def _in_the_air(state: State, own: Iterable[str]) -> list[str]:
    groups: dict[tuple[int, str], list[str]] = {}
    for aid in own:
        sortie = state.air[aid].sortie
        if sortie is not None:
            groups.setdefault((sortie.over, sortie.fate), []).append(aid)
    said = []
    for (h, fate), there in sorted(groups.items()):
        what = f", {FATE_WORDS[fate]}" if fate else ""
        said.append(f"{air_names(state.world, there)} over {_where(state, h)}{what}")
    return [f"In the air: {'; '.join(said)}."] if said else []


def _raided(state: State, side: str) -> list[str]:
    """Where enemy air units are, and which own air units stand below them."""
    if side == state.player or side not in ENEMY:
        return []
    lines = []
    for raid in raids(state, side):
        night = " by night" if raid.night else ""
        at_base = (aid for aid in side_air(state, side) if state.air[aid].sortie is None)
        there = [aid for aid in at_base if state.air[aid].hex == raid.hex]
        below = f"; {air_names(state.world, there)} at the base below" if there else ""
        who = air_names(state.world, [flight.id for flight in raid.flights])
        lines.append(f"Enemy air units over {_where(state, raid.hex)}{night}: {who}{below}.")
    return lines


def _harassed(state: State) -> list[str]:
    """Hexes whose harassment weighs on who leaves them: in this player turn, and in the next one (WD 20.F.2.e)."""
    now = [f"{_where(state, h)} ({points})" for h, points in sorted(state.harassed.items())]
    later = [f"{_where(state, h)} ({points})" for h, points in sorted(state.harassing.items())]
    lines = [f"Harassed in this player turn, points (WD 20.F.2.e): {joined(now)}."] if now else []
    return lines + ([f"Harassed in the next player turn, points: {joined(later)}."] if later else [])


def _where(state: State, h: int) -> str:
    return state.board.feature_names(h)
