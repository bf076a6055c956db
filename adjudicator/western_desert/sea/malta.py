"""Malta under siege: its status raised by bombing, lowered by repair (WD 28.D)."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.engine.core import Problem
from adjudicator.western_desert.bases import port_row
from adjudicator.western_desert.sea.tables import sea_tables
from adjudicator.western_desert.sea.voyages import MALTA
from adjudicator.western_desert.state import State, World

STATUS, PORT, AIRBASE = "status", "port", "airbase"
HITS_PER_POINT = {STATUS: 1, PORT: 2, AIRBASE: 3}
"""What one repair point mends: a point of the status, two hits on the port, three on airbases (WD 28.D)."""
RULE = "WD 28.D.repair"
BOMB_RULE = "WD 28.D.bomb"


@dataclass
class Works:
    """What can be mended on Malta: its status and hits; ``points`` are the repair points at hand."""

    status: int
    port: int
    airbases: int
    points: int

    def amount(self, what: str) -> int:
        """What there is to mend of a kind."""
        return {STATUS: self.status, PORT: self.port, AIRBASE: self.airbases}[what]

    def mend(self, what: str, points: int) -> None:
        """Spend points on a kind of work."""
        left = self.amount(what) - mended(self, what, points)
        self.points -= points
        if what == STATUS:
            self.status = left
        elif what == PORT:
            self.port = left
        else:
            self.airbases = left

    def useful(self, what: str) -> int:
        """The most points that a kind of work can use: the status ends at 0 (ruling MALTA-MIN)."""
        return -(-self.amount(what) // HITS_PER_POINT[what])


def besieged(state: State, side: str, h: int) -> bool:
    """Whether a hex is what the Axis player bombs to raise the status of Malta: its port, Valletta (WD 28.D.bomb)."""
    return side == "axis" and state.board.in_region(h, MALTA) and port_row(state, h) is not None


def bombed(world: World, status: int, hits: int) -> int:
    """The status after hits of port bombing on Valletta: one higher for each, to 15 (WD 28.D.bomb)."""
    return min(sea_tables(world).highest, status + hits)


def repair_problems(works: Works, what: str, points: int) -> list[Problem]:
    """What is wrong with repair points spent so (WD 28.D.repair)."""
    if what not in HITS_PER_POINT:
        text = f"{what or 'nothing'} is not repaired with points; {', '.join(HITS_PER_POINT)} are"
        return [Problem("what", RULE, text, "say what: status, port or airbase", field="what")]
    if points < 1:
        return [Problem("points", RULE, "the order spends no point", "spend 1 or more", field="points")]
    if points > works.points:
        text = f"{points} repair points are to be spent, {works.points} are at hand"
        return [Problem("points", RULE, text, "spend less, or steps of supply on Malta", field="points")]
    if points > works.useful(what):
        text = f"{works.useful(what)} points mend all there is to mend of {what}, {points} are to be spent"
        return [Problem("idle", RULE, text, "spend them on something else", field="points")]
    return []


def mended(works: Works, what: str, points: int) -> int:
    """How much the points mend of what there is (WD 28.D.repair)."""
    return min(works.amount(what), points * HITS_PER_POINT[what])
