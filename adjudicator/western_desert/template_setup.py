"""The part of a turn file to fill in for free set-up: what is to be set up, area by area, and where it is listed (WD
30)."""

from __future__ import annotations

from adjudicator.engine.counting import counted
from adjudicator.western_desert.deploying import AIR, COUNTER, UNIT, Deployment, Listed, name_of
from adjudicator.western_desert.setup import DEPLOYERS
from adjudicator.western_desert.state import State

TITLES = {UNIT: "units", AIR: "air units, at airbases", COUNTER: "supply counters"}


def deploy_lines(state: State, side: str) -> list[str]:
    """Comments with all that a side sets up, and an order to fill in."""
    made = Deployment(state, side)
    first = next(iter(made.open.values()), None)
    if first is None:
        return ["  # You have nothing to set up."]
    vichy = " The Vichy forces are yours to set up, too." if side == DEPLOYERS[0] else ""
    lines = [
        f"  # Set-up (WD 30): each begins in its area, in ground that your side holds at the start.{vichy}",
        "  # Who is like another may take its place in another area. What no order places stands where it is listed:",
    ]
    for area in dict.fromkeys(made.area(name) for name in made.open):
        lines.append(f"  # {area}")
        for kind, title in TITLES.items():
            here = [thing for thing in made.open.values() if thing.kind == kind and made.area(thing.name) == area]
            lines += [f"  #   {title}:"] if here else []
            lines += [f"  #     {_said(made, thing)}" for thing in here]
    where = state.board.name(made.homes[first.name])
    return [*lines, "  # - type: deploy", f"  #   at: {where}", f"  #   units: {name_of(state, first.name)}"]


def _said(made: Deployment, thing: Listed) -> str:
    """``5 Ind X: 19/1126``, with steps or as a cadre."""
    state, h = made.state, made.homes[thing.name]
    name = name_of(state, thing.name) if thing.kind != COUNTER else thing.name
    more = f", {thing.step}" if thing.kind == UNIT and thing.step else ""
    more = f", {counted(thing.step, 'step')}" if thing.kind == COUNTER else more
    return f"{name}{more}: {state.board.feature_names(h)}"
