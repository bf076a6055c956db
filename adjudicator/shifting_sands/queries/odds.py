"""``odds``: a combat as the program would work it out, its chances, and what it costs both sides (SS 11).

Both fires are those of :mod:`fire`. For the outcomes the combat is played by the parts of :mod:`combat` once for every
way the dice can fall, the other side reacting with nothing but its standing orders, and with cards that it is taken to
play: the open orders, and of the sealed ones those that whoever asks may know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from adjudicator.engine.borrowed import OneStep
from adjudicator.engine.branches import branches
from adjudicator.engine.core import Ctx, Event, Order, Problem, Proc, Tree
from adjudicator.engine.dice import DiceSource
from adjudicator.engine.driver import Checkpoint, Game, Message, play
from adjudicator.engine.queries import Reply, Scene, percent
from adjudicator.engine.tolls import ZERO, Toll, amount, expected
from adjudicator.shifting_sands.activation import ATTACK
from adjudicator.shifting_sands.card_rules import card_problems, with_card
from adjudicator.shifting_sands.card_words import card_line
from adjudicator.shifting_sands.combat import begin, close, fight, follow
from adjudicator.shifting_sands.combat_cards import lay
from adjudicator.shifting_sands.designate import attack_problems, designated, flank_bonus, flank_need, origins_of
from adjudicator.shifting_sands.fire import ATTACKER, DEFENDER, Combat
from adjudicator.shifting_sands.groups import Group
from adjudicator.shifting_sands.played import PlayedCard
from adjudicator.shifting_sands.prospects import both_fires, faces_line, fire_words
from adjudicator.shifting_sands.queries.stage import Staged, staged
from adjudicator.shifting_sands.state import State, other
from adjudicator.shifting_sands.words import moment, names, side_name, space_note

Given = Mapping[str, Sequence[str]]
"""Cards by the role that is taken to play them."""
FATES = ("success", "failure")
RUNS_AT_MOST = 2000
MESSAGES = 12
ROLES = (ATTACKER, DEFENDER)
CF, UNITS = "CF", "units"
ORDER = ("overrun", "attacker wins", "nobody wins", "defender wins")


def odds_reply(table: Game[State], scene: Scene, asked: Order) -> Reply:
    """The combat with both fires, chances and losses; the attackers' spaces are taken as activated for combat."""
    units = asked.texts("with")
    known = [uid for uid in units if uid in scene.state.pieces]
    side = scene.state.counter(known[0]).side if known else scene.side
    stage = staged(scene.state, side, [scene.state.pieces[uid].at for uid in known], ATTACK)
    order = _attack_order(asked, units)
    problems = attack_problems(stage.state, side, order)
    if problems:
        return Reply(problems=problems)
    found = designated(stage.state, side, order, stage.state.combats + 1)
    given = {ATTACKER: asked.texts("cards"), DEFENDER: asked.texts("against")}
    _deal(stage.state, found, given)
    problems = _card_faults(stage.state, found, given, order.text("flank") == "yes")
    if problems:
        return Reply(problems=problems)
    tolls = tolls_of(table, scene, stage.state, order, found, given)
    shown = _with_cards(stage.state, found, given)
    lines = [*_head(scene, stage, found), *_card_lines(stage.state, given), *_fire_lines(stage.state, shown)]
    lines += [*_flank_lines(stage.state, found, order), *_result_lines(tolls, bool(given[DEFENDER]))]
    return Reply(lines, _tree(stage, shown, tolls))


# --- cards that are taken to be played ------------------------------------------------------------------------------


def _deal(state: State, found: Combat, given: Given) -> None:
    """The cards lie in the hands, whatever lies there in fact: the question is what they would do."""
    for role, cards in given.items():
        side = found.side_of(role)
        held = (*state.hands.get(side, []), *state.face_up.get(side, []))
        state.hands.setdefault(side, []).extend(card for card in cards if card not in held)


def _with_cards(state: State, found: Combat, given: Given) -> Combat:
    """The combat with all of the cards that may be played in it, the attackers' first."""
    for role, cards in given.items():
        for card in cards:
            if not card_problems(state, found, role, card, card):
                found = with_card(state, found, PlayedCard(role, card, card))
    return found


def _card_faults(state: State, found: Combat, given: Given, flank: bool) -> list[Problem]:
    """Why a card can't be played however the flank die falls."""
    cases = [_with_cards(state, replace(found, flank=fate), given) for fate in (FATES if flank else ("none",))]
    played = {(one.role, one.card) for case in cases for one in case.cards}
    missing = [(role, card) for role, cards in given.items() for card in cards if (role, card) not in played]
    return [problem for role, card in missing for problem in card_problems(state, cases[-1], role, card, card)]


def _card_lines(state: State, given: Given) -> list[str]:
    return [
        f"The {role} is taken to play {', '.join(card_line(state.world, card) for card in cards)}."
        for role, cards in given.items()
        if cards
    ]


def _attack_order(asked: Order, units: Sequence[str]) -> Order:
    data: dict[str, Tree] = {"units": [*units], "target": asked.text("subject")}
    data |= {name: asked.text(name) for name in ("flank", "rommel") if asked.text(name)}
    return Order(0, "attack", data)


# --- every way the dice can fall --------------------------------------------------------------------------------


def tolls_of(
    table: Game[State], scene: Scene, state: State, order: Order, found: Combat, given: Given
) -> dict[str, Toll]:
    """Each outcome with its exact chance and losses."""
    seq = max((message.seq for message in scene.messages), default=scene.at) + 2
    silent = [Message(seq + n, found.attacker if n % 2 == 0 else other(found.attacker)) for n in range(MESSAGES)]
    messages = [*scene.messages, Message(seq, found.attacker, (order,)), *silent[1:]]
    start = Checkpoint(state, seq, 0, (*scene.answered, seq))
    bound = tuple(Order(n, "combat_card", {"card": card}) for n, card in enumerate(given[ATTACKER], 1))
    group = Group(order, bound, (seq,))

    def fighting(ctx: Ctx[State]) -> Proc[None]:
        course = begin(ctx, found.attacker, group, found.number, bound=True)
        yield from fight(ctx, course, last="attack")
        for card in given[DEFENDER]:
            if not card_problems(ctx.state, course.combat, DEFENDER, card, card):
                lay(ctx, course, PlayedCard(DEFENDER, card, card), ())
        yield from fight(ctx, course, "cards")
        yield from follow(ctx, course)
        close(ctx, course)

    def once(dice: DiceSource) -> tuple[State, list[Event]]:
        run = play(OneStep(table, "round", fighting), start, messages, dice, books=scene.books)
        return run.state, run.events

    tolls: dict[str, Toll] = {}
    for branch in branches(once, RUNS_AT_MOST):
        _count(tolls, state, found, branch.chance, *branch.result)
    return {name: tolls[name] for name in sorted(tolls, key=_rank)}


def _rank(name: str) -> tuple[int, str]:
    return next(n for n, start in enumerate(ORDER) if name.startswith(start)), name


def _count(
    tolls: dict[str, Toll], before: State, found: Combat, chance: Fraction, after: State, events: Sequence[Event]
) -> None:
    toll = tolls.setdefault(outcome(events), Toll())
    toll.count(chance)
    for role in ROLES:
        side = found.side_of(role)
        toll.lose(role, CF, cf_lost(before, after, side), chance)
        toll.lose(role, UNITS, units_lost(before, after, side), chance)
    toll.cleared += chance * (not after.enemies(found.target, found.attacker))


def outcome(events: Sequence[Event]) -> str:
    """Who has won, as the event of the winner says it: ``attacker wins, retreat of 2``."""
    event = next((event for event in reversed(events) if event.kind == "winner"), None)
    winner = str(event.data.get("winner", "")) if event is not None else ""
    if event is None or not winner:
        return "nobody wins"
    if event.data.get("overrun") == "yes":
        return "overrun, attacker wins"
    spaces = str(event.data.get("retreat", "0"))
    return f"{winner} wins, retreat of {spaces}" if spaces != "0" else f"{winner} wins"


def cf_lost(before: State, after: State, side: str) -> Fraction:
    """The combat factors that a side has fewer on the map, battlegroups that came for divisions counted."""
    return Fraction(_cf(before, side) - _cf(after, side))


def _cf(state: State, side: str) -> int:
    return sum(state.cf(uid) for uid in state.side_units(side) if state.on_map(uid))


def units_lost(before: State, after: State, side: str) -> Fraction:
    """The units of a side that have left the map."""
    return Fraction(sum(before.on_map(uid) and not after.on_map(uid) for uid in before.side_units(side)))


# --- for programs and people ------------------------------------------------------------------------------------


def _tree(stage: Staged, found: Combat, tolls: dict[str, Toll]) -> dict[str, Any]:
    fires = {role: fire.as_data() for role, fire in both_fires(stage.state, found).items()}
    results = [
        {
            "result": name,
            "chance": str(toll.chance),
            "percent": percent(toll.chance),
            "cleared": str(toll.cleared / toll.chance),
            "loses": {role: {m: str(toll.mean(role, m)) for m in (CF, UNITS)} for role in ROLES},
        }
        for name, toll in tolls.items()
    ]
    return {
        "space": found.target,
        "side": found.attacker,
        "with": list(found.attackers),
        "defenders": list(found.defenders),
        "origins": list(found.origins),
        "assumed": list(stage.notes),
        "fires": fires,
        "results": results,
        "expected": {role: {m: str(expected(tolls, role, m)) for m in (CF, UNITS)} for role in ROLES},
        "cleared": str(sum((toll.cleared for toll in tolls.values()), ZERO)),
    }


def _head(scene: Scene, stage: Staged, found: Combat) -> list[str]:
    state = stage.state
    origins = ", ".join(origins_of(state, found.attackers))
    lines = [
        f"Attack on {found.target} ({space_note(state, found.target)}), held by {names(state, found.defenders)}, "
        f"with {names(state, found.attackers)} from {origins}. {moment(scene.state)}."
    ]
    return [*lines, *(f"{note}." for note in stage.notes)]


def _fire_lines(state: State, found: Combat) -> list[str]:
    lines = []
    for role, fire in both_fires(state, found).items():
        lines.append(f"Fire of the {role} ({side_name(found.side_of(role))}): {fire_words(state, found, fire)}.")
        lines.append(f"  loss numbers: {faces_line(state, fire)}")
    return lines


def _flank_lines(state: State, found: Combat, order: Order) -> list[str]:
    if order.text("flank") != "yes":
        return []
    bonus = flank_bonus(state, found)
    return [f"Flank attack (SS 11.3): {flank_need(state)} or more, {bonus:+d} for further attacking spaces."]


def _result_lines(tolls: dict[str, Toll], cards: bool = False) -> list[str]:
    """A row for each outcome, then what is to be expected."""
    lines = [f"  {'outcome':30} {'chance':16} {'attacker loses':20} {'defender loses':20} space cleared"]
    for name, toll in tolls.items():
        lost = "".join(f" {_pair(toll.mean(role, CF), toll.mean(role, UNITS)):20}" for role in ROLES)
        chance = f"{toll.chance} {percent(toll.chance)}"
        lines.append(f"  {name:30} {chance:16}{lost} {percent(toll.cleared / toll.chance)}")
    cleared = sum((toll.cleared for toll in tolls.values()), ZERO)
    said = [f"{role} {_pair(expected(tolls, role, CF), expected(tolls, role, UNITS))}" for role in ROLES]
    lines.append(f"To be expected: {'; '.join(said)}; the space is cleared with {cleared} ({percent(cleared)}).")
    other_cards = "no other card" if cards else "no card"
    return [*lines, f"The defender is taken to react with his standing orders only, and to play {other_cards}."]


def _pair(cf: Fraction, units: Fraction) -> str:
    return f"{amount(cf)} CF, {amount(units)} unit{'' if units == 1 else 's'}"
