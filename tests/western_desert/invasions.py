"""The invasion of Malta by programs over the whole protocol: planned in January 1942 on a position of the campaign,
sealed in the books of five turns, proved, carried out in two waves."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any
from unittest import mock

from adjudicator.engine.chance import Chance
from adjudicator.engine.core import Ask, Event, Tree, texts_of
from adjudicator.engine.dice import Local
from adjudicator.engine.driver import Checkpoint, Run, play
from adjudicator.match.play import Pairing, Playing, Scene, Settings
from adjudicator.match.play.players import Draft, RandomPlayer, draft_of
from adjudicator.match.play.seats import Seat
from adjudicator.match.resolver import SETUP_MESSAGES
from adjudicator.packs import load_pack
from adjudicator.protocol.resolve import Resolved
from adjudicator.western_desert.bot_air import flying_orders
from adjudicator.western_desert.bot_more import landing
from adjudicator.western_desert.bot_special import invasion
from adjudicator.western_desert.game import WesternDesertTable
from adjudicator.western_desert.state import WITHDRAWN, State, turn_name, turn_number
from adjudicator.western_desert.theatre.assault import ready
from adjudicator.western_desert.theatre.forces import pool_box, pool_rows
from adjudicator.western_desert.theatre.plans import Desk, begins
from adjudicator.western_desert.theatre.special import GERMAN_1941, LEAD, SIDE
from adjudicator.western_desert.world import first_state
from tests.western_desert.accounts import Accounts
from tests.western_desert.endings import SCENARIO, campaign
from tests.western_desert.operations import GOZO, VALLETTA

WINTER = "Jan I 42"
THIRD = "br-3m"
"""The third Malta brigade, which came in 1941."""
TRIES = 40
Row = dict[str, Tree]


@cache
def winter() -> State:
    """The Axis initial phase of January 1942, on the ground of the set-up; the special forces of 1942 lie ready."""
    begun = Checkpoint(first_state(campaign().world))
    state = play(campaign(), begun, [], Local(random.Random("set-up").randrange)).state
    state.turn, state.player, state.phase, state.step = turn_number(WINTER), SIDE, "initial", "initial"
    state.surprise = False
    for uid in [uid for uid in sorted(state.pieces) if not near(state, state.pieces[uid].hex)]:
        state.put_by(uid, WITHDRAWN)
    for aid in [aid for aid in sorted(state.air) if not near(state, state.air[aid].hex)]:
        state.put_by(aid, WITHDRAWN)
        state.air.pop(aid, None)
    state.place(THIRD, state.board.find(VALLETTA))
    for uid, pools in pool_rows(state.world).items():
        for pool in sorted(pools.keys() - {GERMAN_1941}):
            state.put_by(uid, pool_box(pool))
    return state


def near(state: State, h: int) -> bool:
    """Whether a hex has to do with an invasion of Malta; who is elsewhere would only take time."""
    return any(state.board.in_region(h, name) for name in ("Malta", "Sicily", "Palestine"))


class Invader(RandomPlayer):
    """The Axis player plans one invasion and carries it out; whoever else is asked does nothing."""

    standing = sealed = 0.0

    def __init__(self, at: str) -> None:
        self.at = at

    def write(self, seat: Seat, chance: Chance) -> Draft:
        """Phase by phase; never silent where a wave waits."""
        if seat.verifier.over or seat.verifier.next_seq <= SETUP_MESSAGES:
            return draft_of(seat, [])
        run = seat.now()
        return self._planned(seat, self._on(seat, chance, [], run), run, chance)

    def _orders(self, seat: Seat, state: Any, ask: Ask[Any], chance: Chance, written: list[Row]) -> list[Row]:
        head: Row = {"type": "section", "name": state.phase}
        if ask.key == "orders/initial":
            return [{"type": "pass"}]
        if ask.key in ("orders/movement", "orders/exploitation") and seat.side == SIDE:
            tries = (landing(state, SIDE, [head], chance) for _ in range(TRIES if ready(state) else 1))
            return next((rows for rows in tries if len(rows) > 1), [head])
        if ask.key == "orders/air" and state.theatre.operations:
            return flying_orders(state, seat.side, chance)
        return [head] if ask.key == f"orders/{state.phase}" else []

    def _planned(self, seat: Seat, draft: Draft, run: Run[Any], chance: Chance) -> Draft:
        state: State = run.state
        if not begins(state, seat.side, run.waits) or state.theatre.sealed:
            return draft
        desk, soonest = Desk(state, seat.kept(state)), turn_name(state.turn + LEAD)
        plans = (invasion(state, chance, desk) for _ in range(TRIES))
        wanted = (row for row in plans if (row.get("at"), row.get("turn")) == (self.at, soonest))
        return draft_of(seat, [*draft.rows, next(wanted)])


class _Until(Playing):
    """A game that ends with the turn of the landing."""

    def __init__(self, settings: Settings, invasion: Invasion) -> None:
        super().__init__(settings)
        self.invasion = invasion

    def _ending(self, resolved: Resolved) -> str:
        over = self.invasion.accounts.state.turn > turn_number(WINTER) + LEAD
        return "landed" if over else super()._ending(resolved)


class Invasion:
    """A game from that winter until the landing is over: what happened, and the points reckoned a second time. Raises
    Broken where something is wrong with the game."""

    def __init__(self, at: str, malta: int, seed: str) -> None:
        self.events = list[Event]()
        start = winter().copy()
        start.malta = malta
        self.accounts = Accounts(start, SCENARIO)
        sides = dict.fromkeys(campaign().sides, "random")
        settings = Settings(Pairing("western-desert", SCENARIO, (), seed), sides, stories=[self._follow])
        with mock.patch.object(WesternDesertTable, "start", lambda _table: start.copy()):
            self.playing = _Until(settings, self)
            self.playing.players = {side: Invader(at) for side in sides}
            self.playing.run()

    def _follow(self, scene: Scene) -> list[str]:
        self.events += scene.events
        self.accounts.follow(scene.events)
        return []

    def of_kind(self, kind: str) -> list[Event]:
        """The events of a kind, in order."""
        return [event for event in self.events if event.kind == kind]

    def sent(self, wave: str) -> list[str]:
        """The units that set out by ship with the ``first`` wave or the ``second``."""
        used = (event for event in self.of_kind("special-used") if (event.data.get("wave") or "first") == wave)
        return [uid for event in used for uid in texts_of(event.data.get("units")) if uid in by_sea()]

    def points(self) -> dict[str, Fraction]:
        """What the game says of the points of both sides."""
        return {side: Fraction(half, 2) for side, half in self.accounts.state.vp2.items()}

    def taken(self) -> bool:
        """Whether the Axis player took ground on Malta."""
        ground = {h for event in self.of_kind("control") for h in texts_of(event.data["hexes"])}
        return bool(ground & {GOZO, VALLETTA})

    def price(self) -> Fraction:
        """What use and loss of the forces cost by WD 27.B, reckoned from the pack and the events alone."""
        used = self.of_kind("special-used")
        lost = [event for event in self.of_kind("special-over") if event.data["why"] == "lost"]
        units = [uid for event in (*used, *lost) for uid in texts_of(event.data.get("units"))]
        steps = sum(int(str(event.data.get("steps", 0))) for event in used)
        return sum((price_of(uid) for uid in units), Fraction(3 * steps))


@cache
def by_sea() -> frozenset[str]:
    """The units of the pools that go to Malta by ship."""
    rows = load_pack("western-desert").tree["events"]
    return frozenset(row["unit"] for row in rows if row.get("wave") == "seaborne" and row.get("unit"))


def price_of(uid: str) -> Fraction:
    """German regiments 3 points, Italians 2 for each RE, transports 2, gliders nothing."""
    rows = load_pack("western-desert").tree["counters"]
    unit = next((row for row in rows if row["id"] == uid), None)
    if unit is None:
        return Fraction(0 if "dfs" in uid else 2)
    return (3 if unit["nat"] == "german" else 2) * Fraction(str(unit["re"]))
