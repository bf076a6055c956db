"""The victory points of a stretch of play, reckoned a second time: from the events, the printed map, the tables of the
rulebook as they stand here, and nothing of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from adjudicator.engine.core import Event, texts_of
from adjudicator.packs import load_pack
from adjudicator.western_desert import hexes
from adjudicator.western_desert.apply import apply
from adjudicator.western_desert.state import State, turn_name

TERRITORY: dict[str, tuple[int, str]] = {
    "allied/cyrenaica": (30, "WD 31.D.cyrenaica"),
    "axis/cyrenaica": (30, "WD 31.D.cyrenaica"),
    "axis/egypt": (10, "WD 31.D.egypt"),
    "allied/libya": (5, "WD 31.D.libya"),
}
CAPTURES = {"Malta": 20, "Cyprus": 15, "Levant": 10, "Palestine": 10}
PERIODS = {
    "campaign": (
        ("Dec I 40", "Jan II 41"),
        ("Feb I 41", "Jul II 41"),
        ("Aug I 41", "Jan II 42"),
        ("Feb I 42", "Jul II 42"),
        ("Aug I 42", "Jan II 43"),
    ),
    "compass": (("Dec I 40", "Feb I 41"),),
}
AT_END = {"campaign": ("Jan II 41",), "compass": ("Feb I 41",)}
"""Checks at which awards of the Axis depend on the moment."""
RATIOS = (
    (Fraction(2), "allied substantial"),
    (Fraction(3, 2), "allied marginal"),
    (Fraction(1), "draw"),
    (Fraction(2, 3), "axis marginal"),
    (Fraction(0), "axis substantial"),
)
TERRITORIAL = {rule for _points, rule in TERRITORY.values()}


def _cities() -> dict[str, set[int]]:
    """City hexes by country and region, out of the pack as it is printed."""
    found: dict[str, set[int]] = {}
    for row in load_pack("western-desert").tree["hexes"]:
        for name in (row["country"], *row.get("regions", ())) if row.get("cities") else ():
            found.setdefault(name, set()).add(hexes.parse(row["hex"]))
    return found


class Accounts:
    """Follows events from a position and keeps books of its own; ``faults`` says what did not fit."""

    def __init__(self, before: State, scenario: str) -> None:
        self.state, self.scenario, self.cities = before.copy(), scenario, _cities()
        self.books = {side: Fraction(before.vp2.get(side, 0), 2) for side in ("allied", "axis")}
        self.seen = set(before.met)
        self.french = set(before.theatre.vichy_cities)
        self.taken = {name for name in CAPTURES if name.lower() in before.conquered}
        self.due: list[tuple[str, Fraction, str]] = []
        self.faults: list[str] = []
        self.over = before.level

    def follow(self, events: Iterable[Event]) -> Accounts:
        """Read the events one by one."""
        ground = False
        for event in events:
            if ground and event.kind != "control":
                self._look()
            ground = event.kind == "control"
            was = self.state.turn
            if event.kind == "vp":
                self._points(event)
            elif event.kind == "decided":
                self._decided(event)
            elif event.kind == "phase":
                self._phase(event)
            apply(self.state, event)
            self._vichy(event)
            if self.state.turn != was:
                self._period()
        self.faults += [f"not paid: {row}" for row in self.due]
        return self

    # --- ground -------------------------------------------------------------------------------------------------

    def _owns(self, side: str, places: set[int]) -> list[int]:
        return [h for h in places if self.state.control.get(h) == side]

    def _now(self) -> set[str]:
        """The conditions that stand at this moment."""
        found = set()
        for side in ("allied", "axis"):
            if len(self._owns(side, self.cities["Cyrenaica"])) == len(self.cities["Cyrenaica"]):
                found.add(f"{side}/cyrenaica")
        if self._owns("axis", self.cities["Egypt"]):
            found.add("axis/egypt")
        if self._owns("allied", self.cities["Libya"] - self.cities["Cyrenaica"]):
            found.add("allied/libya")
        return found

    def _vichy(self, event: Event) -> None:
        """Cities of the Levant that are the Axis player's by Vichy forces alone are not captured."""
        if event.kind == "invasion" and event.data["held"] == "axis":
            self.french = set(self.cities["Levant"])
        taken = {hexes.parse(str(h)) for h in texts_of(event.data["hexes"])} if event.kind == "control" else set()
        for h in taken & self.cities["Levant"] | self.french:
            units = [self.state.world.units[uid] for uid in self.state.at.get(h, ())]
            nations = {unit.nat for unit in units if unit.side == "axis"}
            if nations - {"vichy"} or self.state.control.get(h) != "axis":
                self.french.discard(h)
            elif h in taken and nations == {"vichy"} and self.state.theatre.vichy == "axis":
                self.french.add(h)

    def _look(self) -> None:
        """After ground has changed hands."""
        if self.over or self.state.phase == "setup":
            return
        self.seen |= self._now()
        for name, points in CAPTURES.items():
            whole = len(self._owns("axis", self.cities[name] - self.french)) == len(self.cities[name])
            if whole and name not in self.taken and not self._won():
                self.taken.add(name)
                self.due.append(("axis", Fraction(points), "WD chart.vp.capture"))

    def _won(self) -> str:
        """Who has an automatic victory."""
        year = "decisive" if self.state.turn <= 26 else "major"
        for side, region in (("allied", "Libya"), ("axis", "Delta")):
            if len(self._owns(side, self.cities[region])) == len(self.cities[region]):
                return f"{side} {year}"
        return ""

    def _period(self) -> None:
        """A period that begins knows the conditions that stand."""
        if turn_name(self.state.turn) in [first for first, _last in PERIODS[self.scenario]]:
            self.seen = self._now()

    # --- points -------------------------------------------------------------------------------------------------

    def _points(self, event: Event) -> None:
        side, points = str(event.data["side"]), Fraction(str(event.data["vp"]))
        self.books[side] += points
        if Fraction(str(event.data["total"])) != self.books[side]:
            self.faults.append(f"{side} has {self.books[side]} points, the event says {event.data['total']}")
        if event.rule in TERRITORIAL:
            self._territorial(side, points, event.rule)
        elif (side, points, event.rule) in self.due:
            self.due.remove((side, points, event.rule))
        elif event.rule == "WD chart.vp.capture":
            self.faults.append(f"{side} is paid {points} for no capture")

    def _territorial(self, side: str, points: Fraction, rule: str) -> None:
        check = turn_name(self.state.turn)
        if check not in [last for _first, last in PERIODS[self.scenario]]:
            self.faults.append(f"territory is paid for after {check}")
        earned = self._now() if side == "axis" and check in AT_END[self.scenario] else self.seen | self._now()
        if not any(TERRITORY[key] == (int(points), rule) for key in earned if key.startswith(side)):
            self.faults.append(f"{side} is paid {points} by {rule} after {check}, and has earned {sorted(earned)}")

    def _phase(self, event: Event) -> None:
        """At the end of a game turn everything earned in a period that ends with it has been paid."""
        check = turn_name(self.state.turn)
        ends = event.data["turn"] != check or event.data["phase"] == "victory"
        if not ends or check not in [last for _first, last in PERIODS[self.scenario]] or self.over:
            return
        earned = {key for key in self.seen | self._now() if not (key[:4] == "axis" and check in AT_END[self.scenario])}
        earned |= {key for key in self._now() if key[:4] == "axis"}
        for key in sorted(earned):
            points, rule = TERRITORY[key]
            if not self.state.tally.get((key.partition("/")[0], rule), 0) >= 2 * points:
                self.faults.append(f"{key} was not paid for after {check}")

    # --- the end ------------------------------------------------------------------------------------------------

    def _decided(self, event: Event) -> None:
        won, level = self._won(), str(event.data["level"])
        if event.data["how"] == "automatic":
            if level != won:
                self.faults.append(f"decided as {level}, the ground says {won or 'nothing'}")
        elif level != self._ratio():
            self.faults.append(f"decided as {level} with {dict(self.books)}")
        self.over = level

    def _ratio(self) -> str:
        allied, axis = self.books["allied"], self.books["axis"]
        if (allied > 0) != (axis > 0):
            return "allied substantial" if allied > 0 else "axis substantial"
        above, below = (allied, axis) if allied > 0 else (abs(axis) or Fraction(1), abs(allied) or Fraction(1))
        ratio = above / below
        return next(name for least, name in RATIOS if ratio >= least)

    def final(self, side: str) -> Fraction:
        """What pools and points count at the end, from the position alone."""
        state, total = self.state, Fraction(0)
        for uid, why in state.gone.items():
            unit = state.world.units[uid]
            if unit.side == side:
                total -= Fraction(unit.re2, 2) * {"eliminated": 1, "scrapped": 3}.get(why, 0)
        air = {row["id"]: str(row["side"]) for row in load_pack("western-desert").tree["air"]}
        total -= 2 * sum(kept.box == "air_pool" and air[aid] == side for aid, kept in state.boxes.items())
        axis = ("german", "italian", "libyan")
        for key, eighths in state.points.items():
            if (key.startswith(axis)) == (side == "axis"):
                total += eighths // 8 * (2 if key.endswith("_air") else 1)
        return total
