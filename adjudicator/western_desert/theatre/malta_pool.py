"""The replacement pool of Malta, an optional rule: who is lost there is replaced there, for points shipped there (WD
33.B).

Those in it are in the pool like all others, and marked. Ground replacement points at hand are shipped to Malta from a
port in Egypt; what has got through is kept under a key of its own. Air replacement points need no ship.
"""

from __future__ import annotations

from adjudicator.engine.core import Ctx, Problem
from adjudicator.western_desert.state import AIR_POOL, ELIMINATED, MALTA_POOL, State
from adjudicator.western_desert.victory.points import STORE
from adjudicator.western_desert.victory.territory import holds_all

OPTION, RULE = MALTA_POOL, "WD 33.B"
SIDE, CAPTOR, ISLAND, PORTS_IN = "allied", "axis", "Malta", "Egypt"
LOST = "pool-lost"
By = tuple[int, ...]


def marked(state: State) -> list[str]:
    """The ground and air units in the pool of Malta, in order of id."""
    return [uid for uid in sorted(state.theatre.malta_pool) if _pooled(state, uid)]


def _pooled(state: State, uid: str) -> bool:
    kept = state.boxes.get(uid)
    return state.gone.get(uid) == ELIMINATED or (kept is not None and kept.box == AIR_POOL)


def in_pool(state: State, uid: str) -> bool:
    """Whether a unit lies in the pool of Malta."""
    return uid in state.theatre.malta_pool and _pooled(state, uid)


def places(state: State) -> tuple[int, ...]:
    """The hexes of Malta, in order of number."""
    return tuple(h for h in sorted(state.board.land) if state.board.in_region(h, ISLAND))


def key_of(state: State, uid: str, key: str) -> str:
    """The points that a ground unit of the pool is replaced with: those on Malta for one lost there."""
    return STORE + key if in_pool(state, uid) else key


def ship_problems(state: State, side: str, key: str, points: int, origin: int, to: int) -> list[Problem]:
    """What keeps ground replacement points at hand from being shipped to Malta."""
    if not state.world.plays(OPTION):
        text = "replacement points are shipped on the map by option 33.B only, which this game does not play"
        return [Problem("option", RULE, text, "leave rp: out")]
    found = []
    eighths = state.points.get(key, 0) if not key.startswith(STORE) and not key.endswith("_air") else 0
    if side != SIDE or points < 1 or eighths < 8 * points:
        text = f"{points} {key} replacement points are not at hand"
        found.append(Problem("rp", RULE, text, "name ground points and how many of those at hand", field="rp"))
    if to >= 0 and not state.board.in_region(to, ISLAND):
        text = f"replacement points are shipped to Malta; {state.board.feature_names(to)} lies elsewhere"
        found.append(Problem("island", RULE, text, "name its port", field="to"))
    if not state.board.in_region(origin, PORTS_IN):
        text = "they are in Egypt and leave from a port there"
        found.append(Problem("start", RULE, text, "add a line from:, a port of yours in Egypt", field="from"))
    return found


def lose_pool(ctx: Ctx[State], by: By) -> None:
    """When the Axis player gains control of Malta, all forces in its pool are lost for good."""
    state = ctx.state
    gone = marked(state)
    stored = [key for key in sorted(state.points) if key.startswith(STORE)]
    if (gone or stored) and holds_all(state, CAPTOR, ISLAND.lower()):
        ctx.emit(LOST, RULE, by, "public", side=SIDE, units=[*gone], rp=[*stored])
