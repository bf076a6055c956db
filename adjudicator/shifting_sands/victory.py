"""The victory determination phase (SS 5.4, 16; 18.4): points at El Alamein and in East Africa, who has won."""

from __future__ import annotations

from adjudicator.engine.core import Ctx
from adjudicator.shifting_sands.effects import in_force
from adjudicator.shifting_sands.state import DRAW, LAST_TURN, State, turn_number
from adjudicator.shifting_sands.world import text

ALAMEIN, EAST_AFRICA = "El Alamein", "East Africa"
EAST_AFRICA_FROM = turn_number("Fall 1941")
AXIS_AUTOMATIC, ALLIED_AUTOMATIC = 14, 3
AXIS_WINS_FROM = 5
"""Victory points with which the campaign is an Axis victory; a scenario may have another number (SS 16.4, 18.4)."""
CANAL = ("Port Said", "Suez")


def near_alamein(state: State) -> bool:
    """Whether the Axis controls El Alamein or stands next to it (SS 5.41a). Egyptians don't count, neither next to it
    nor where they alone have taken it (ruling A65)."""
    if ALAMEIN not in state.world.spaces:
        return False
    egyptian = ALAMEIN in state.uprising and state.world.switch("elalamein_eg_control", "no_point") == "no_point"
    if state.owner(ALAMEIN) == "axis" and not egyptian:
        return True
    places = state.world.neighbours(ALAMEIN)
    return any(state.counter(uid).nation != "EG" for place in places for uid in state.friends(place, "axis"))


def in_east_africa(state: State) -> bool:
    """Whether the Axis controls a space of East Africa, from Fall 1941 on (SS 5.41b)."""
    spaces = (name for name in state.world.spaces if state.world.in_region(name, EAST_AFRICA))
    return state.turn >= EAST_AFRICA_FROM and any(state.owner(name) == "axis" for name in spaces)


def award(ctx: Ctx[State]) -> None:
    """The points of the phase (SS 5.41)."""
    state = ctx.state
    for won, rule, why in (
        (near_alamein(state), "SS 5.41a", "the Axis holds El Alamein or stands next to it"),
        (in_east_africa(state), "SS 5.41b", "the Axis holds a space of East Africa"),
    ):
        if won:
            ctx.emit("vp", rule, (), to=str(state.vp + 1), change="1", why=why)


def automatic(state: State) -> tuple[str, str]:
    """Who has won an automatic victory, and by what rule; none for "", both for ``draw`` (SS 16.2, 16.3, 16.2a, 16.2b).

    Spaces go before points, unless the game has it the other way round (ruling A48).
    """
    tests = (by_spaces, by_points)
    if state.world.switch("victory_both", "territory_first") == "points_first":
        tests = (by_points, by_spaces)
    found = (test(state) for test in tests)
    return next((won for won in found if won[0]), ("", ""))


def by_points(state: State) -> tuple[str, str]:
    """An automatic victory by the number of victory points (SS 16.2a, 16.3a)."""
    if state.vp >= AXIS_AUTOMATIC:
        return "axis", "SS 16.2a"
    return ("allied", "SS 16.3a") if state.vp <= ALLIED_AUTOMATIC else ("", "")


def by_spaces(state: State) -> tuple[str, str]:
    """An automatic victory by spaces: both ends of the Canal, Tripoli, after Torch Tunis too (SS 16.2b, 16.3b, 16.3c).

    Where both sides have theirs it is a draw (ruling A48).
    """
    canal = all(name in state.world.spaces and state.owner(name) == "axis" for name in CANAL)
    if not any(text(effect, "variant") == "torch" for _event, effect in in_force(state, "victory")):
        africa, rule = state.owner("Tripoli") == "allied", "SS 16.3b"
    else:
        both = state.owner("Tunis") == state.owner("Tripoli") == "allied"
        africa, rule = both and state.owner("Alexandria") != "axis", "SS 16.3c"
    if canal and africa:
        return DRAW, "SS 16.2b"
    if canal:
        return "axis", "SS 16.2b"
    return ("allied", rule) if africa else ("", "")


def last_turn(state: State) -> int:
    """The turn after whose victory phase the game is over (SS 16.1, 18, 18.0)."""
    end = text(state.world.scenario, "last_turn")
    return turn_number(end) if end and not played_on(state) else LAST_TURN


def played_on(state: State) -> bool:
    """Whether a scenario goes on to the end of the campaign, with its victory (SS 18.4, ruling A85)."""
    return state.world.switch("scenario_played_on", "off") == "on"


def final(state: State) -> tuple[str, str]:
    """Who wins by points where nobody won before (SS 16.4, 18.4)."""
    told = None if played_on(state) else state.world.scenario.get("victory")
    least = int(text(told, "axis_at_least") or AXIS_WINS_FROM) if isinstance(told, dict) else AXIS_WINS_FROM
    rule = "SS 16.4" if last_turn(state) == LAST_TURN else "SS 18.4"
    return ("axis" if state.vp >= least else "allied"), rule


def determine(ctx: Ctx[State]) -> str:
    """Award the points of the phase and say who has won; "" where the game goes on (SS 5.42, 16.1).

    Rules: SS sop.D.
    """
    state = ctx.state
    award(ctx)
    winner, rule = automatic(state)
    how = "automatic"
    if not winner and state.turn >= last_turn(state):
        (winner, rule), how = final(state), "points"
    if winner:
        ctx.emit("victory", rule, (), winner=winner, how=how, vp=str(state.vp))
    return winner
