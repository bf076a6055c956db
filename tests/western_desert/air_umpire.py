"""A second look at air phases that were played: it reads the events, the printed counters and the printed charts, and
nothing of the rules of the air. What it works out for itself must be what the events say (WD 16 to 25).

It keeps a log of its own of who is in the air. The ground under the air units is followed by the umpire of the ground.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from adjudicator.engine.core import Event
from adjudicator.western_desert import hexes
from adjudicator.western_desert.state import State
from tests.western_desert.staging_umpire import look_staged
from tests.western_desert.umpire import FOES, Umpire, chart, effect_fits, within

Data = Mapping[str, Any]
FIGHTERS, TRANSPORTS = ("F", "NF"), ("T", "NT")
STRATEGIC = ("bomb_port", "bomb_canal")
BOMBS = (*STRATEGIC, "bomb_port_tactical", "bomb_air", "bomb_airbase", "bomb_rail", "aa_suppress")
POINTS = ("ground_support", "defensive_support", "harass")
CARRIES = ("transport", "transport_and_stay", "air_drop")
REACTS = ("intercept", "scramble")
STAYS = ("scramble", "transfer", "transport_and_stay")
AT_NIGHT = ("transfer", "intercept", *CARRIES, *STRATEGIC)
FAR = ("escort", *BOMBS, *POINTS, *CARRIES)
WORST = ("", "turned_back", "aborted", "eliminated")
FATES = dict(zip(("none", "R", "A", "K"), WORST, strict=True))


@dataclass
class Flown:
    """An air unit in the air, as the events told of it."""

    air: str
    side: str
    mission: str
    base: int
    over: int
    night: bool = False
    extended: bool = False
    tow: str = ""
    cargo: tuple[str, ...] = ()
    path: tuple[int, ...] = ()
    jettisoned: bool = False
    fate: str = ""
    late: bool = False
    """It came in an earlier phase."""
    met: Counter[int] = field(default_factory=Counter)


class AirUmpire:
    """Follows the events of a stretch of play from the position before it; ``faults`` says what did not fit."""

    def __init__(self, before: State) -> None:
        self.ground = Umpire(before)
        self.faults: list[str] = []
        self.up: dict[str, Flown] = {}
        for aid, unit in before.air.items():
            if unit.sortie is not None:
                one = unit.sortie
                flown = Flown(aid, self._row(before, aid)["side"], one.mission, unit.hex, one.over, one.night)
                flown.extended, flown.tow, flown.cargo, flown.fate = one.extended, one.tow, one.cargo, one.fate
                flown.jettisoned, flown.late = one.jettisoned, flown.side != before.player or before.step != "reaction"
                self.up[aid] = flown
        self.used = Counter(before.take_offs)
        self.legs = {aid: [leg for leg, _barred in unit.legs] for aid, unit in before.air.items() if unit.legs}
        self.patrolled = {aid for aid, unit in before.air.items() if unit.patrolled}
        self.cargo: dict[str, tuple[int, list[Flown]]] = {}
        self.fired, self.shots = dict[str, str](), list[Data]()
        self.aimed, self.bombed, self.quieted = set[tuple[str, str, str]](), set[str](), list[int]()
        for flown in self.up.values():
            self._load(flown)

    @property
    def state(self) -> State:
        """The position now."""
        return self.ground.state

    def follow(self, events: Iterable[Event]) -> AirUmpire:
        """Read the events one by one: judge each by the position before it, then let it happen."""
        lookers: dict[str, Callable[[Data], None]] = {
            "flight": self._look_flight,
            "patrol-attack": self._look_patrol,
            "air-combat": self._look_combat,
            "jettisoned": self._look_jettisoned,
            "air-shot": self._look_shot,
            "aa-fire": self._look_flak,
            "air-hit": self._look_hit,
            "bombing": self._look_bombing,
            "air-bombed": self._look_bombed,
            "harassment": self._look_harassment,
            "attack": self._look_attack,
            "unloaded": self._look_unloaded,
            "dropped": self._look_dropped,
            "air-landed": self._look_landed,
            "air-lost": self._look_lost,
            "air-escape": self._look_escape,
            "glider-expended": self._look_expended,
            "phase": self._look_phase,
            "staged": partial(look_staged, self),
        }
        for event in events:
            look = lookers.get(event.kind)
            if look is not None:
                look(event.data)
            self.ground.follow([event])
        return self

    def fault(self, text: str) -> None:
        """Something that does not fit."""
        self.faults.append(text)

    def want(self, holds: bool, text: str) -> None:
        """A fault unless something holds."""
        if not holds:
            self.fault(text)

    # --- printed figures ----------------------------------------------------------------------------------------

    @staticmethod
    def _row(state: State, aid: str) -> dict[str, str]:
        row: Any = state.world.air[aid]
        return {str(name): str(value) for name, value in row.items()}

    def row(self, aid: str) -> dict[str, str]:
        """The counter of an air unit."""
        return self._row(self.state, aid)

    def figure(self, aid: str, name: str) -> int:
        """A printed figure."""
        return int(self.row(aid)[name])

    def kind(self, aid: str) -> str:
        """The type code, with its night prefix."""
        return self.row(aid)["type"]

    def hampered(self, one: Flown) -> bool:
        """A fighter with bombs aboard, or far from home (WD 24.A, 24.B)."""
        bombs = one.mission in (*BOMBS, *POINTS)
        return self.kind(one.air) in FIGHTERS and not one.jettisoned and (bombs or one.extended)

    def air_figure(self, one: Flown, name: str) -> int:
        """Air attack or defense as flown: two less, not below 1, and less a glider's defense (WD 24.A, 24.B, 24.C)."""
        printed = self.figure(one.air, name)
        flown = max(min(printed, 1), printed - 2) if self.hampered(one) else printed
        if name == "defense" and one.tow:
            return max(0, flown - self.figure(one.tow, name))
        return flown

    def load(self, one: Flown, kind: str) -> Fraction:
        """Bombing strength as flown: a third far away, half for a day unit at night (WD 20.F.2.a, 24.B, 24.E)."""
        points = Fraction(self.figure(one.air, kind))
        if one.mission == "bomb_air" and self.kind(one.air) in FIGHTERS:
            points += 1
        points = points / 3 if one.extended else points
        points = points / 2 if one.night and not self.kind(one.air).startswith("N") else points
        return Fraction(0) if one.jettisoned else points

    def capacity(self, h: int) -> int:
        """What the printed features of a base add up to, less its hits (WD 17.A, 17.D)."""
        worth = {row["kind"]: int(row["capacity"]) for row in chart(self.state, "airbases")}
        info = self.state.board.land[h]
        sizes = {"full": "full_city", "dot": "dot_city", "ref": "reference_city"}
        found = [sizes[city.size] for city in info.cities if city.size in sizes]
        found += ["full_city"] if info.terrain == "full_city" and "full_city" not in found else []
        found += (["fortress"] if info.fortress else []) + (["airfield"] if h in self.state.airfields else [])
        return max(0, sum(worth[one] for one in found) - self.state.base_hits.get(h, 0))

    def range_of(self, one: Flown) -> int:
        """Hexes that a mission may lead away (WD 18, 20, 24.B)."""
        rating = self.figure(one.air, "movement")
        if one.mission == "intercept":
            return rating // 2
        times = {"transfer": 3, "transport_and_stay": 2}.get(one.mission, 1)
        return rating * times * (2 if one.extended else 1)

    def where(self, data: Data, name: str = "hex") -> int:
        """A hex that an event names."""
        return self.state.board.find(str(data[name]))

    # --- flights (WD 17.A, 18, 20) ------------------------------------------------------------------------------

    def _look_flight(self, data: Data) -> None:
        aid, base = str(data["air"]), self.where(data, "base")
        path = tuple(self.state.board.find(text) for text in data["path"])
        one = Flown(aid, str(data["side"]), str(data["mission"]), base, self.where(data, "over"), path=path)
        one.night, one.extended = data.get("night") == "yes", data.get("extended") == "yes"
        one.tow, one.cargo = str(data["tow"]), tuple(str(uid) for uid in data["cargo"])
        self._take_off(one)
        self._way(one)
        self._fitting(one)
        self._towing(one)
        self.used[base] += 1
        if one.mission == "transfer":
            self.legs.setdefault(aid, []).append(len(path))
        self.up[aid] = one
        self._load(one)

    def _take_off(self, one: Flown) -> None:
        """From where it stands, able to, as one of those that its base lets go (WD 16.B.1, 17, 17.A, 20.D)."""
        unit, before = self.state.air[one.air], self.up.get(one.air)
        moved = before is not None and before.mission == "transfer" and not before.fate and not before.late
        self.want(before is None or moved, f"{one.air} flies {one.mission} and is in the air already")
        stands = before.over if before is not None and moved else unit.hex
        self.want(one.base == stands, f"{one.air} takes off from {one.base} and stands at {stands}")
        self.want(unit.operative, f"{one.air} takes off and is inoperative")
        self.want(self.state.owner(one.base) == one.side, f"{one.air} takes off from a base of the enemy")
        self.want(one.air not in self._towed(), f"{one.air} takes off and is on the tow of another")
        room = self.capacity(one.base)
        self.want(self.used[one.base] < room, f"{one.air} is take-off {self.used[one.base] + 1} of {room}")
        mine = one.side == self.state.player
        self.want(mine != (one.mission in REACTS), f"{one.air} of {one.side} flies {one.mission}")

    def _way(self, one: Flown) -> None:
        """Hex by hex to its target, within its range (WD 18, 20.D.long)."""
        whole = (one.base, *one.path)
        self.want(whole[-1] == one.over, f"{one.air} ends at {whole[-1]}, not over {one.over}")
        self.want(all(hexes.adjacent(a, b) for a, b in pairwise(whole)), f"{one.air} skips hexes on its way")
        self.want(len(one.path) <= self.range_of(one), f"{one.air} flies {len(one.path)} hexes on {one.mission}")
        legs, rating = self.legs.get(one.air, []), self.figure(one.air, "movement")
        if legs and one.mission != "transfer":
            self.want(len(legs) == 1 and legs[0] <= rating, f"{one.air} flies {one.mission} after transfers of {legs}")

    def _fitting(self, one: Flown) -> None:
        """The right kind of air unit, hex and time of day for its mission (WD 20, 24)."""
        kind, own = self.kind(one.air), self.state.owner(one.over) == one.side
        self.want(kind != "GT", f"{one.air} is a glider and flies by itself")
        if one.mission in (*REACTS, "escort"):
            self.want(kind in FIGHTERS, f"{one.air} of type {kind} flies {one.mission}")
        if one.mission in CARRIES:
            self.want(kind in TRANSPORTS, f"{one.air} of type {kind} flies {one.mission}")
        if one.mission in (*BOMBS, *POINTS):
            self.want(self.load(one, self._strength(one)) > 0, f"{one.air} has no bombs for {one.mission}")
            self.want(not (one.extended and kind in FIGHTERS), f"{one.air} is a fighter and bombs at extended range")
            self.want(not own or one.mission == "defensive_support", f"{one.air} is to bomb a hex of its own")
        if one.mission in (*STAYS, "transport"):
            self.want(own and self._is_base(one.over), f"{one.air} flies {one.mission} to no base of its own")
        if one.night:
            self.want(one.mission in AT_NIGHT, f"{one.air} flies {one.mission} at night")
            self.want(one.mission != "intercept" or kind == "NF", f"{one.air} of type {kind} intercepts at night")
        self.want(not one.extended or one.mission in FAR, f"{one.air} flies {one.mission} at extended range")
        self._reacting(one)

    def _reacting(self, one: Flown) -> None:
        """Interceptors meet somebody, who scrambles flees from somebody (WD 20.A, 20.B)."""
        there = [other for other in self.up.values() if other.side != one.side and not other.fate and not other.late]
        over = {(other.over, other.night) for other in there}
        if one.mission == "intercept":
            self.want((one.over, one.night) in over, f"{one.air} intercepts nobody")
        if one.mission == "scramble":
            self.want((one.base, False) in over, f"{one.air} scrambles from a base that nobody flies to")
            self.want(one.over not in {h for h, _night in over}, f"{one.air} scrambles into a raid")

    def _towing(self, one: Flown) -> None:
        """WD 24.C: one glider of the same base, not on the tow of anybody else."""
        if not one.tow:
            return
        glider = self.state.air[one.tow]
        before = self.up.get(one.air)
        same = before is not None and before.tow == one.tow
        self.want(self.kind(one.tow) == "GT" and self.kind(one.air) == "T", f"{one.air} tows {one.tow}")
        self.want(glider.operative and (same or glider.hex == one.base), f"{one.tow} is not at hand for {one.air}")
        self.want(same or one.tow not in self._towed(), f"{one.tow} is on two tows")

    def _towed(self) -> set[str]:
        return {one.tow for one in self.up.values() if one.tow}

    def _is_base(self, h: int) -> bool:
        hits = self.state.base_hits.get(h, 0)
        return self.capacity(h) + hits > 0

    def _strength(self, one: Flown) -> str:
        return "strategic" if one.mission in STRATEGIC else "tactical"

    # --- patrols (WD 19) ----------------------------------------------------------------------------------------

    def _look_patrol(self, data: Data) -> None:
        fighter, one, h = str(data["fighter"]), self.up[str(data["air"])], self.where(data)
        unit = self.state.air[fighter]
        self.want(self.kind(fighter) in FIGHTERS and unit.operative, f"{fighter} can't patrol")
        self.want(self.row(fighter)["side"] != one.side, f"{fighter} attacks its own side")
        self.want(fighter not in self.up and fighter not in self.patrolled, f"{fighter} patrols and can't any more")
        self.patrolled.add(fighter)
        near = hexes.distance(unit.hex, h) <= self.figure(fighter, "movement") // 2
        one.met[h] += 1
        self.want(near and one.met[h] <= one.path.count(h), f"{fighter} attacks {one.air} where it may not")
        self.want(not one.fate, f"{fighter} attacks {one.air}, which was {one.fate}")
        self.want(not one.night or self.kind(fighter) == "NF", f"{fighter} patrols at night")
        attack, defense = self.figure(fighter, "attack"), self.air_figure(one, "defense")
        odds = "1 or less" if attack <= defense else "2 or more" if attack >= 2 * defense else "more than 1 and under 2"
        least = next(int(row["turn_back_from"]) for row in chart(self.state, "patrol") if row["ratio"] == odds)
        back = "turned_back" if int(data["die"]) >= least else ""
        told = (str(attack), str(defense), back)
        self.want((data["attack"], data["defense"], data["result"]) == told, f"{fighter} at {one.air}: {told}, {data}")
        if back:
            one.fate, one.over = back, h

    # --- air combat (WD 21) -------------------------------------------------------------------------------------

    def _look_combat(self, data: Data) -> None:
        """All who fly there at that time of day, and were not turned back, are in it."""
        h, night = self.where(data), data["night"] == "yes"
        there = {one.air for one in self.up.values() if (one.over, one.night) == (h, night) and not one.fate}
        there -= {one.air for one in self.up.values() if one.late or one.mission == "scramble"}
        parts = [[str(aid) for aid in data[name]] for name in ("interceptors", "screen", "force")]
        told = [aid for part in parts for aid in part]
        self.want(sorted(told) == sorted(there), f"in the air over {h}: {sorted(there)}, told {sorted(told)}")
        missions = {"intercept": 0, "escort": 1}
        for aid in told:
            part = missions.get(self.up[aid].mission, 2)
            self.want(aid in parts[part], f"{aid} on {self.up[aid].mission} fights in the wrong part")
        self.shots, self.fired = [], {}

    def _look_jettisoned(self, data: Data) -> None:
        for aid in map(str, data["air"]):
            one = self.up[aid]
            fits = self.kind(aid) in FIGHTERS and one.mission in (*BOMBS, *POINTS) and not one.jettisoned
            self.want(fits, f"{aid} drops bombs that it has not")
            one.jettisoned = True

    def _look_shot(self, data: Data) -> None:
        firer, target, step = str(data["air"]), str(data["target"]), str(data["step"])
        one, other = self.up[firer], self.up[target]
        gap = self.air_figure(one, "attack") - self.air_figure(other, "defense")
        bombers = self.state.world.switches.get("ac_bomber_types", "B,NB").split(",")
        modifier = 0
        if self.kind(firer) in FIGHTERS and self.kind(target) in bombers:
            modifier = -1
        if self.kind(firer) in bombers and self.kind(target) in FIGHTERS:
            modifier = 1
        self._dice(data, "air_combat", "difference", gap, modifier)
        self.want(int(data["differential"]) == gap, f"{firer} at {target}: a differential of {gap}, not {data}")
        self._fair_shot(data, step, firer, target)
        fate = FATES[str(data["result"])]
        self.fired[target] = max(self.fired.get(target, ""), fate, key=WORST.index)
        self.shots.append(data)

    def _fair_shot(self, data: Data, step: str, firer: str, target: str) -> None:
        """Enemies, who both still fly; whoever meets several is all that any of them meets (WD 21.B.2)."""
        self.want(self.up[firer].side != self.up[target].side, f"{firer} fires at its own side")
        for shot in self.shots:
            pair, before = {firer, target}, {str(shot["air"]), str(shot["target"])}
            if not pair & before or pair == before:
                continue
            self.want(shot["step"] == step or shot["step"] == "bypass", f"{pair & before} fight in two steps")
        again = [shot for shot in self.shots if (shot["air"], shot["target"]) == (firer, target)]
        self.want(not again, f"{firer} fires twice at {target}")
        hunted = self.up[firer].mission == "intercept"
        self.want(step != "bypass" or not hunted, f"{firer} fires while it passes the screen")

    def at_battles_end(self) -> None:
        """Nobody met two who met two, in one step."""
        met: dict[tuple[str, str], set[str]] = {}
        for shot in self.shots:
            pair = str(shot["air"]), str(shot["target"])
            for one, other in (pair, pair[::-1]):
                met.setdefault((str(shot["step"]), one), set()).add(other)
        for (step, one), others in met.items():
            alone = all(met[(step, other)] == {one} for other in others)
            self.want(len(others) < 2 or alone, f"{one} fights twice in the step {step}")

    def _dice(self, data: Data, name: str, across: str, value: int, modifier: int) -> None:
        """Two dice, their modifier, and the cell of a printed chart."""
        dice = [int(die) for die in data["dice"]]
        used = sum(dice) + modifier
        listed = chart(self.state, name)
        lines = [int(row["roll"]) for row in listed]
        line = str(max(min(lines), min(max(lines), used)))
        cells = [row["result"] for row in listed if row["roll"] == line and within(row[across], value)]
        result = cells[0] if cells else "none"
        found = (str(modifier), str(sum(dice)), str(used), result, FATES[result])
        told = tuple(str(data[key]) for key in ("modifier", "roll", "used", "result", "fate"))
        self.want(all(1 <= die <= 6 for die in dice) and told == found, f"{data['label']}: {found}, told {told}")

    # --- antiaircraft (WD 22) -----------------------------------------------------------------------------------

    def guns(self, side: str, units: Iterable[str], heavy: bool) -> Fraction:
        """Antiaircraft of units of a side: printed, or the light 1 of a large one (WD 22.A)."""
        found = Fraction(0)
        for uid in units:
            unit = self.ground._face(uid)
            own = unit.size in ("division", "headquarters", "cadre") or unit.type == "support_group"
            strength = unit.aa or Fraction(1 if own else 0)
            if unit.side == side and (not heavy or (unit.aa and unit.aa_type == "heavy")):
                found += strength
        return found

    def _look_flak(self, data: Data) -> None:
        one, h, side, when = self.up[str(data["air"])], self.where(data), str(data["side"]), str(data["when"])
        mark = (one.air, str(data["hex"]), when)
        once = mark not in self.aimed or self.state.phase != "air"
        self.want(once, f"{one.air} is fired at twice over {data['hex']}")
        self.aimed.add(mark)
        aimed = one.mission in (*BOMBS, *POINTS, *CARRIES) and not one.jettisoned
        self.want(aimed and not one.fate and one.over == h, f"{one.air} on {one.mission} is fired at over {h}")
        self.want(one.side != side, f"{one.air} is fired at by its own side")
        strength = Fraction(str(data["strength"]))
        if when == "aa":
            strength = self._flak_over(side, h, self.kind(one.air) == "HB")
            self.want(Fraction(str(data["strength"])) == strength, f"AA over {h} is {strength}, not {data['strength']}")
        types = self.state.world.switches.get("aa_plus1_types", "B,NB,HB").split(",")
        modifier = (self.kind(one.air) in types) + one.night + self.quieted.count(h) * (when == "aa")
        self.want(int(data["column"]) == int(strength) >= 1, f"AA of {strength} fires on column {data['column']}")
        self._dice(data, "antiaircraft", "strength", int(strength), modifier)
        self.fired[one.air] = str(data["fate"])

    def _flak_over(self, side: str, h: int, heavy: bool) -> Fraction:
        strength = self.guns(side, self.state.at.get(h, ()), heavy)
        country = self.state.board.land[h].country if h in self.state.board.land else ""
        island = side == "axis" and country in ("Sicily", "Rhodes", "Crete") and self.state.owner(h) == side
        return strength + (3 if island and self._is_base(h) else 0)

    def _look_hit(self, data: Data) -> None:
        """The worst of what was rolled befalls the air unit, and the glider on its tow."""
        one, fate = self.up[str(data["air"])], str(data["fate"])
        self.want(fate == self.fired.get(one.air, ""), f"{one.air} is {fate}, the dice say {self.fired.get(one.air)}")
        self.want(str(data["tow"]) == one.tow, f"{one.air} tows {one.tow}, told {data['tow']}")
        one.fate = fate
        if data["cause"] == "air-combat":
            self.at_battles_end()
        if fate == "eliminated":
            del self.up[one.air]

    # --- missions (WD 20.F) -------------------------------------------------------------------------------------

    def _look_bombing(self, data: Data) -> None:
        party, h = [self.up[str(aid)] for aid in data["with"]], self.where(data)
        strength, kinds = Fraction(0), {self.kind(one.air).removeprefix("N") for one in party}
        for one in party:
            self.want(one.air not in self.bombed, f"{one.air} bombs twice")
            self.bombed.add(one.air)
            self._over(one, h, str(data["mission"]))
            strength += self.load(one, self._strength(one))
        self.want(self.state.owner(h) != party[0].side, f"{h} is bombed by its owner")
        self.want(Fraction(str(data["strength"])) == strength, f"a bombing of {strength} is told as {data['strength']}")
        change = 1 if kinds == {"D"} else 0
        if self.state.world.switches.get("bomb_mods", "chart") == "chart":
            change += (-1 if party[0].night else 0) + (-1 if "HB" in kinds else 0)
        if int(strength) < 2:
            self.want("die" not in data and data["result"] == "M", f"a strength of {strength} rolls")
            return
        used = int(data["die"]) + change
        line = str(max(0, min(6, used)))
        listed = chart(self.state, "bombing")
        result = next(r["result"] for r in listed if r["die"] == line and within(r["strength"], int(strength)))
        told = (str(used), result)
        self.want((data["used"], data["result"]) == told, f"{data['label']}: {told}, told {data}")
        self.want(effect_fits(self.state, data, h), f"{data['label']} has the effect {data['effect']}")
        self.quieted += [h] * (result == "H" and data["mission"] == "aa_suppress")

    def _over(self, one: Flown, h: int, mission: str) -> None:
        """It is there, unhurt, on its mission, and was fired at by all that could (WD 22.B)."""
        fits = one.over == h and not one.fate and one.mission == mission and not one.jettisoned
        self.want(fits, f"{one.air} on {one.mission} delivers {mission}")
        guns = self._flak_over(FOES[one.side], h, self.kind(one.air) == "HB")
        fired = (one.air, self.state.board.name(h), "aa") in self.aimed
        self.want(fired or guns < 1 or mission in CARRIES, f"{one.air} is not fired at by {guns} over {h}")

    def _look_bombed(self, data: Data) -> None:
        aid, h = str(data["air"]), self.where(data)
        unit = self.state.air[aid]
        self.want(unit.hex == h and aid not in self.up and aid not in self._towed(), f"{aid} is bombed and not there")
        self.want(data["fate"] == ("inoperative" if unit.operative else "eliminated"), f"{aid} is {data['fate']}")

    def _look_harassment(self, data: Data) -> None:
        party, h = [self.up[str(aid)] for aid in data["with"]], self.where(data)
        for one in party:
            self._over(one, h, "harass")
        points = int(sum((self.load(one, "tactical") for one in party), Fraction(0)))
        self.want(int(data["points"]) == points, f"harassment of {points} is told as {data['points']}")

    def _look_attack(self, data: Data) -> None:
        """Support counts up to the printed strength of those it supports (WD 20.F.2.c, 20.F.2.d, ruling GS-CAP)."""
        h, side = self.where(data), str(data["side"])
        printed = sum((self.ground._face(str(uid)).attack for uid in data["with"]), Fraction(0))
        against = sum((self.ground._face(str(uid)).defense for uid in data["defenders"]), Fraction(0))
        sums = (("ground_support", side, printed), ("defensive_support", FOES[side], against))
        for name, whose, most in sums:
            there = [one for one in self.up.values() if (one.side, one.mission, one.over) == (whose, name, h)]
            points = sum((self.load(one, "tactical") for one in there if not one.fate), Fraction(0))
            told = Fraction(str(data.get(name) or 0))
            self.want(told == min(points, most), f"{name} of {points}, at most {most}, is told as {told}")

    # --- cargo (WD 20.E, 25) ------------------------------------------------------------------------------------

    def _load(self, one: Flown) -> None:
        for uid in one.cargo:
            base, carriers = self.cargo.setdefault(uid, (one.base, []))
            self.want(base == one.base == self.state.hex_of(uid), f"{uid} is not at the base of {one.air}")
            carriers.append(one)
            self.want(not self.ground._face(uid).heavy, f"{uid} has heavy equipment and is carried")

    def _lifted(self, uid: str, carriers: Sequence[Flown]) -> None:
        """One RE to an airbase, half of one to a drop, half that far away; the same for a glider (WD 20.E, 24)."""
        lift = Fraction(0)
        for one in carriers:
            each = Fraction(1, 2 if one.mission == "air_drop" else 1) / (2 if one.extended else 1)
            lift += each * (2 if one.tow else 1)
        unit = self.ground._face(uid)
        self.want(unit.counter or Fraction(unit.re2, 2) <= lift, f"{uid} of {unit.re2} half REs is lifted by {lift}")

    def _look_unloaded(self, data: Data) -> None:
        for uid in map(str, data["units"]):
            _base, carriers = self.cargo.pop(uid)
            self._lifted(uid, carriers)
            sound = all(one.over == self.where(data) and not one.fate for one in carriers)
            self.want(sound, f"{uid} is set down by {[(one.air, one.fate) for one in carriers]}")

    def _look_dropped(self, data: Data) -> None:
        uid, h = str(data["unit"]), self.where(data)
        _base, carriers = self.cargo.pop(uid)
        self.want(all(one.over == h and not one.fate for one in carriers), f"{uid} drops from where nobody is")
        self._lifted(uid, carriers)
        aids = sorted(one.air for one in carriers)
        self.want(sorted(map(str, data["air"])) == aids, f"{uid} drops from {data['air']}, not {aids}")
        side, die, terrain = carriers[0].side, int(data["die"]), self.state.board.terrain(h)
        hard = bool(self.state.enemy_in(h, side)) or self.ground.zoned(h, FOES[side]) or terrain == "rough"
        change = (-1 if hard else 0) + (-2 if carriers[0].night else 0)
        told = int(data["used"])
        self.want(told in {die + change, *({die + change + 1} if any(c.tow for c in carriers) else ())}, f"{data}")
        self.want((data["disrupted"] == "yes") == (told <= 1), f"{uid} is disrupted by {told}: {data}")
        self.want(terrain not in ("mountain", "swamp", "salt_marsh", "full_city", "sea"), f"{uid} drops on {terrain}")

    # --- home (WD 17.B, 18, 24.E) -------------------------------------------------------------------------------

    def _look_landed(self, data: Data) -> None:
        one, base = self.up.pop(str(data["air"])), self.where(data, "base")
        self.want(self.state.owner(base) == one.side and self._is_base(base), f"{one.air} lands at no base of its own")
        self.want(self.where(data, "from") == one.over, f"{one.air} comes from {data['from']}")
        away = hexes.distance(one.over, base)
        self.want(away <= self.range_of(one), f"{one.air} flies {away} hexes home from {one.mission}")
        if one.mission in STAYS and not one.fate and self.state.owner(one.over) == one.side:
            self.want(base == one.over, f"{one.air} does not stay where {one.mission} took it")
        rolls = one.night and not self.kind(one.air).startswith("N")
        self.want(("die" in data) == rolls, f"{one.air} rolls for a crash: {data}")
        crash = rolls and int(data["die"]) == 6
        sound = "inoperative" if crash or one.fate == "aborted" else "operative"
        self.want(data["state"] == sound, f"{one.air} lands {data['state']}, it is {sound}")

    def _look_lost(self, data: Data) -> None:
        aid = str(data["air"])
        one = self.up.pop(aid, None)
        if one is not None:
            one.fate = "eliminated"
            land = [h for h in self.state.board.land if self.state.owner(h) == one.side and self._is_base(h)]
            near = [h for h in land if hexes.distance(h, one.over) <= self.range_of(one)]
            self.want(not near, f"{aid} is lost and might land at {near}")
        else:
            side = self.row(aid)["side"]
            self.want(self.state.owner(self.where(data)) != side, f"{aid} is lost at a base of its own")

    def _look_escape(self, data: Data) -> None:
        aid, h = str(data["air"]), self.where(data)
        unit = self.state.air[aid]
        there = unit.hex == h and unit.operative and aid not in self.up
        self.want(there and self.kind(aid) != "GT", f"{aid} can't escape from {h}")
        if "die" not in data:
            self.want(data["result"] == "remains", f"{aid} stays and is {data['result']}")
            return
        table = {row["die"]: row["result"] for row in chart(self.state, "air_escape")}
        fled = table[str(data["die"])] == "escapes"
        self.want((data["result"] == "escaped") == fled, f"{aid} rolls {data['die']}: {data['result']}")
        if fled:
            to = self.where(data, "to")
            near = hexes.distance(h, to) <= 3 * self.figure(aid, "movement")
            self.want(near and self.state.owner(to) == self.row(aid)["side"], f"{aid} escapes to {data['to']}")

    def _look_expended(self, data: Data) -> None:
        for one in self.up.values():
            if one.tow == str(data["air"]):
                self.want(one.mission == "air_drop", f"{one.tow} is expended on {one.mission}")
                one.tow = ""

    def _look_phase(self, data: Data) -> None:
        """A phase is over: in the air is only support; cargo is where its transports left it (WD 16.C, 20.E.fate)."""
        stay = ("defensive_support",) if self.state.phase != "air" else ("ground_support", "defensive_support")
        for one in self.up.values():
            self.want(one.mission in stay and not one.jettisoned, f"{one.air} is still on {one.mission}")
        for uid, (base, carriers) in self.cargo.items():
            worst = max((one.fate for one in carriers), key=WORST.index)
            if worst == "eliminated":
                self.want(uid not in self.state.pieces, f"{uid} outlives its transport")
            else:
                self.want(self.state.hex_of(uid) == base, f"{uid} is not back at its base")
        self.cargo, self.legs, self.used = {}, {}, Counter()
        self.patrolled, self.aimed, self.bombed, self.fired, self.quieted = set(), set(), set(), {}, []
        for one in self.up.values():
            one.late = True


def air_faults(before: State, events: Sequence[Event]) -> list[str]:
    """What does not fit in a stretch of play."""
    return AirUmpire(before).follow(events).faults
