"""The combat of a case: entered at a stage, played on by the game's procedure, paused where the case must speak."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudicator.engine.casecheck import NotBuilt
from adjudicator.engine.core import Answer, Ask, Ctx, Order, Proc, Roll, Tree
from adjudicator.shifting_sands.advance import CLEARED, ONE, TWO, Opening
from adjudicator.shifting_sands.cases.board import card_id
from adjudicator.shifting_sands.cases.core import (
    CaseFault,
    Record,
    as_flag,
    as_number,
    as_record,
    as_text,
    as_texts,
)
from adjudicator.shifting_sands.choices import PARTS
from adjudicator.shifting_sands.combat import announce, fight, fix_modifiers
from adjudicator.shifting_sands.combat_cards import lay
from adjudicator.shifting_sands.course import Course
from adjudicator.shifting_sands.designate import origins_of
from adjudicator.shifting_sands.fire import ATTACKER, BATTLEGROUP, DEFENDER, Combat, NoCell, terrain_of
from adjudicator.shifting_sands.nations import ENEMY
from adjudicator.shifting_sands.played import PlayedCard
from adjudicator.shifting_sands.state import State
from adjudicator.shifting_sands.supply import status

ENTRIES = {
    "flank": "flank",
    "cards": "cards",
    "fire": "exchange",
    "losses": "exchange",
    "winner": "winner",
    "relocate": "aftermath",
    "retreat": "winner",
    "advance": "",
}
"""The part of the combat at which a stage enters; an advance is judged by the opening that the case gives."""
GOING = ("relocate", "retreat")
CATEGORIES = {"overrun": CLEARED, "wiped_out": CLEARED, "held": "", "attackers_destroyed": ""}
KEYS = (
    "stage", "target", "attackers", "defenders", "flank", "rommel", "table", "cards", "loss_numbers", "bold", "overrun",
    "already_retreated", "outcome", "distance", "retreat_paths",
)  # fmt: skip


@dataclass
class Bout:
    """A combat and its procedure. ``request`` is what the procedure waits for; None where it rests.

    ``decided``: what becomes of the defenders is being settled, or was; ``taken`` are choices made without the case's
    word because there was only one; ``played`` tells that an order has touched the combat, so that it is played on as
    far as the dice go.
    """

    course: Course
    dice: dict[str, int]
    stage: str = "flank"
    proc: Proc[None] | None = None
    request: Ask[Any] | Roll | None = None
    decided: bool = False
    played: bool = False
    taken: dict[str, object] = field(default_factory=dict)

    def begin(self, ctx: Ctx[State], onward: bool) -> None:
        """Set the procedure in motion up to its first request.

        Between the winner and what becomes of the defenders it rests, unless it is an overrun or ``onward``.
        """
        entry = ENTRIES[self.stage]
        if self.proc is None and entry:
            self.decided = entry == "aftermath"
            self.proc = fight(ctx, self.course, entry, "aftermath" if self.decided else "winner")
            self._send(None)
        if self.request is None and not self.decided and (onward or self.course.overrun) and entry:
            self.decided = True
            self.proc = fight(ctx, self.course, "aftermath")
            self._send(None)

    def _send(self, answer: object) -> None:
        if self.proc is None:
            return
        try:
            self.request = self.proc.send(answer)
        except StopIteration:
            self.request = None
        except NoCell as missing:
            raise CaseFault(str(missing)) from None

    def run(
        self, ctx: Ctx[State], until: Callable[[str], bool], reply: Callable[[Ask[Any]], Any], onward: bool = False
    ) -> None:
        """Play on until a choice whose key satisfies ``until``, a die that the case does not give, or the end.

        ``reply`` settles the choices on the way, or returns None where the case must speak. ``onward``: into what
        becomes of the defenders.
        """
        self.played = True
        self.begin(ctx, onward)
        while self.request is not None:
            if isinstance(self.request, Roll):
                die = self.dice.pop(self.request.kind, None)
                if die is None:
                    return
                self._send((die,))
                self.begin(ctx, onward)
                continue
            if until(self.request.key):
                return
            answer = reply(self.request)
            if answer is None:
                return
            self.settle(answer)
            self.begin(ctx, onward)

    def settle(self, answer: Answer[Any]) -> None:
        """Answer the choice that the procedure waits for."""
        if isinstance(self.request, Ask):
            if answer.source == "forced":
                self.taken[self.request.key] = answer.value
            self._send(answer)


def lists_for(role: str, order: Order) -> list[Order]:
    """An order as the message of a role would hold it, for reading it by the game's own choice."""
    part: dict[str, Tree] = {"name": PARTS[role]}
    return [Order(0, "section", part), order]


# --- entering -----------------------------------------------------------------------------------------------------


def enter(ctx: Ctx[State], record: Record, dice: Mapping[str, int]) -> Bout:
    """A combat in progress as a case gives it: everything before its stage is done."""
    for key in record:
        if key not in KEYS:
            raise NotBuilt(f"combat {key}")
    stage = as_text(record.get("stage"))
    if stage not in ENTRIES:
        raise NotBuilt(f"combat stage {stage}")
    for uid in as_texts(record.get("already_retreated")):
        ctx.state.pieces[uid].retreated = True
    course = Course(_combat(ctx.state, record))
    course.flank_tried = stage == "flank" and "flank" in dice
    if course.combat.attackers and stage != "advance":
        announce(ctx, course)
    _lay_cards(ctx, course, as_record(record.get("cards")))
    _known_so_far(ctx.state, course, record, stage)
    fix_modifiers(ctx.state, course)
    return Bout(course, dict(dice), stage)


def _lay_cards(ctx: Ctx[State], course: Course, given: Record) -> None:
    """The cards that lie in the combat already."""
    for role in (ATTACKER, DEFENDER):
        side = course.combat.side_of(role)
        for card in (card_id(ctx.state.world, side, name) for name in as_texts(given.get(role))):
            if card not in (*ctx.state.hands[side], *ctx.state.face_up[side]):
                ctx.state.hands[side].append(card)
            lay(ctx, course, PlayedCard(role, card, card), ())


def _combat(state: State, record: Record) -> Combat:
    attackers, defenders = as_texts(record.get("attackers")), as_texts(record.get("defenders"))
    for uid in (*attackers, *defenders):
        if uid not in state.pieces:
            raise CaseFault(f"{uid} is no unit of the case")
    target = as_text(record.get("target"))
    if target not in state.world.spaces:
        raise CaseFault(f"{target} is no space of the board")
    side = state.counter(attackers[0]).side if attackers else ""
    side = side or (ENEMY[state.counter(defenders[0]).side] if defenders else state.active)
    return Combat(
        target=target,
        attacker=side,
        attackers=tuple(attackers),
        defenders=tuple(defenders) or tuple(state.enemies(target, side)),
        origins=origins_of(state, attackers),
        flank=as_text(record.get("flank"), "none"),
        rommel=as_flag(record.get("rommel")),
        statuses={uid: status(state, uid) for uid in (*attackers, *defenders) if state.on_map(uid)},
    )


def _known_so_far(state: State, course: Course, record: Record, stage: str) -> None:
    numbers(course, as_record(record.get("loss_numbers")), stage)
    course.bold = as_flag(record.get("bold")) and as_text(record.get("table")) != BATTLEGROUP
    course.overrun = as_flag(record.get("overrun"))
    if stage == "relocate":
        course.winner = ATTACKER
    if stage == "advance":
        course.opening = _opening(state, course.combat, record)


def numbers(course: Course, given: Record, stage: str) -> None:
    """Loss numbers that are known; at the stage of losses a side that fired at once and has none inflicted nothing."""
    for role in (ATTACKER, DEFENDER):
        if f"by_{role}" in given:
            course.numbers[role] = as_number(given.get(f"by_{role}"))
        elif stage == "losses" and course.combat.flank == "none":
            course.numbers.setdefault(role, 0)


def _opening(state: State, combat: Combat, record: Record) -> Opening:
    outcome = as_text(record.get("outcome"))
    if outcome != "retreat":
        if outcome not in CATEGORIES:
            raise NotBuilt(f"outcome {outcome}")
        return Opening(CATEGORIES[outcome], combat.target)
    paths = tuple(tuple(as_texts(path)) for path in as_record(record.get("retreat_paths")).values())
    category = ONE if as_number(record.get("distance")) == 1 else TWO
    return Opening(category, combat.target, paths, terrain_of(state, combat))
