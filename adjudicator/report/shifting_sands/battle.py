"""A combat in words: who attacks whom, the flank die, both fires, losses, the winner and what came of it (SS 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, Heading, Item, Words, bullets, item, para, strong
from adjudicator.report.fields import get, items, rule
from adjudicator.report.shifting_sands import aftermath, losses
from adjudicator.report.shifting_sands.ground import KINDS, Ground
from adjudicator.report.shifting_sands.names import bare_list, list_units, people, space_words, verb
from adjudicator.report.shifting_sands.reckoning import fire_item, prospect_item
from adjudicator.report.shifting_sands.scene import Scene, Telling
from adjudicator.report.words import capital, chance, choose, counted, faces_words, joined
from adjudicator.shifting_sands.fight import Planned, opening_of, planned_of
from adjudicator.shifting_sands.fire import Combat
from adjudicator.shifting_sands.prospects import both_fires, under_way
from adjudicator.shifting_sands.provisos import proviso_words
from adjudicator.shifting_sands.state import State, other

OPENINGS = (
    "{attackers} {go} in against {defenders} at {place}.",
    "{attackers} {attack} {defenders} at {place}.",
    "At {place} {defenders} {face} the attack of {attackers_low}.",
)
OUTCOMES = {
    "overrun": ("The position is overrun", "The attack rolls over the position"),
    "attacker": ("The attack carries the day", "The defenders are beaten", "The position can't be held"),
    "wiped": ("The defence is wiped out", "Nothing is left of the defence"),
    "defender": ("The attack is beaten off", "The defenders stand firm", "The assault breaks down"),
    "": ("Neither side gains the upper hand", "The fight settles nothing", "Both sides claim the field"),
}
LOSS_KINDS = ("losses", "eliminated", "reduced", "replaced")


def combat_blocks(scene: Scene, events: Sequence[Event]) -> list[Block]:
    """Tell one combat, or what this message adds to it; the scene stands after it when this returns."""
    blocks, kinds = _begin(scene, events), {event.kind for event in events}
    ground, told = Ground(), list[Item]()
    for run in _runs(events):
        first = run[0]
        if first.kind in KINDS:
            _quietly(scene, run, ground)
        elif first.kind in ("designate", "marker-gone", "combat-over"):
            told += _nobody_advances(scene, first, events)
            _quietly(scene, run)
        elif first.kind in LOSS_KINDS:
            told += losses.loss_items(scene, run)
        elif first.kind in ("flank", "fire"):
            told += scene.tell_all(run)
        elif first.kind in aftermath.KINDS:
            told += aftermath.run_items(scene, run)
        elif first.kind == "winner":
            blocks += [*bullets(told), para(*_winner_words(scene, first))]
            told = []
            scene.apply(first)
        else:
            told += scene.tell_all(run)
        if first.kind == "designate":
            blocks += _designated(scene, fires="fire" not in kinds)
    return [*blocks, *bullets([*told, *ground.items(scene)])]


def _runs(events: Sequence[Event]) -> list[list[Event]]:
    """Losses that follow each other together, units that retreat or advance too; every other event by itself.

    Changes of control between them come after the run: nothing in it speaks of control.
    """
    runs: list[list[Event]] = []
    later: list[list[Event]] = []
    for event in events:
        before = runs[-1][-1].kind if runs else ""
        if event.kind in KINDS and before in aftermath.KINDS:
            later.append([event])
        elif _goes_on(before, event.kind):
            runs[-1].append(event)
        else:
            runs += [*later, [event]]
            later = []
    return runs + later


def _goes_on(before: str, kind: str) -> bool:
    return (kind in LOSS_KINDS[1:] and before in LOSS_KINDS) or (kind == before and kind in aftermath.KINDS)


def _quietly(scene: Scene, run: Sequence[Event], ground: Ground | None = None) -> None:
    for event in run:
        if ground is not None:
            ground.note(scene, event)
        scene.apply(event)


def _nobody_advances(scene: Scene, event: Event, events: Sequence[Event]) -> list[Item]:
    """Said at the end of a combat whose space lies open, where nobody goes in."""
    fight = scene.state.fight
    if event.kind != "combat-over" or fight is None or any(one.kind == "advance" for one in events):
        return []
    attacker = fight.combat.attacker
    able = [uid for uid in fight.combat.attackers if scene.state.on_map(uid)]
    if not able or not opening_of(scene.state, fight).category:
        return []
    return [item(f"{capital(people(attacker))} {verb(attacker, 'advances')} nobody into {fight.combat.target}.")]


def _begin(scene: Scene, events: Sequence[Event]) -> list[Block]:
    """The heading; where the combat began in an earlier message, who is fighting whom."""
    first = events[0]
    if first.kind == "designate":
        return [Heading(2, f"Combat {get(first, 'number')}: {get(first, 'target')}")]
    combat = under_way(scene.state)
    if combat is None:
        return []
    scene.stage(combat.target)
    scene.touch(*_origins(scene.state, combat))
    return [Heading(2, f"Combat {combat.number}: {combat.target}"), para(_recall(scene.state, combat))]


def _recall(state: State, combat: Combat) -> str:
    """How far a combat that began in an earlier message has come."""
    place, fight = space_words(state, combat.target), state.fight
    defenders = state.friends(combat.target, other(combat.attacker))
    attackers = [uid for uid in combat.attackers if state.on_map(uid)]
    if fight is not None and fight.decided:
        mine, theirs = fight.number("attacker") or 0, fight.number("defender") or 0
        if not fight.winner:
            return f"The combat for {place} is decided, {mine} all: nobody won."
        whose = people(combat.attacker if fight.winner == "attacker" else other(combat.attacker))
        return f"The combat for {place} is decided, {max(mine, theirs)} to {min(mine, theirs)} for {whose}."
    if not attackers or not defenders:
        return f"The combat for {place} goes on."
    flank = {"success": "; the flank attack has succeeded", "failure": "; the flank attack has failed"}
    verb_ = choose(("comes to its dice", "begins in earnest", "comes to blows"), combat.target, *attackers)
    who = f"{list_units(state, attackers)} from {joined(_origins(state, combat))}"
    whom = f"{list_units(state, defenders)} at {place}"
    return f"The attack of {who} on {whom} {verb_}{flank.get(combat.flank, '')}."


def _origins(state: State, combat: Combat) -> list[str]:
    return sorted({state.pieces[uid].at for uid in combat.attackers if state.on_map(uid)})


def _designated(scene: Scene, fires: bool) -> list[Block]:
    """Who attacks from where and whom; what the fires promise, where they don't follow. The scene stands after it."""
    state, combat = scene.state, under_way(scene.state)
    if combat is None:
        return []
    scene.stage(combat.target)
    scene.touch(*_origins(state, combat))
    sides = {"attacker": combat.attacker, "defender": other(combat.attacker)}
    shown = both_fires(state, combat) if fires else {}
    told = [prospect_item(state, fire, sides[role]) for role, fire in shown.items()]
    rommel = [item("Rommel takes part", rule("SS 11.274"), ".")] if combat.rommel else []
    return [para(_opening(state, combat)), *bullets([*rommel, *told])]


def _opening(state: State, combat: Combat) -> str:
    """Who attacks from where, and whom."""
    parts = []
    for place in _origins(state, combat):
        ids = [uid for uid in combat.attackers if state.pieces[uid].at == place]
        parts.append(f"{list_units(state, ids)} from {place}")
    attackers, defenders = joined(parts), list_units(state, combat.defenders)
    many = len(combat.attackers) > 1
    words = choose(OPENINGS, combat.target, *combat.attackers).format(
        attackers=capital(attackers),
        attackers_low=attackers,
        defenders=defenders,
        place=space_words(state, combat.target),
        go="go" if many else "goes",
        attack="attack" if many else "attacks",
        face="face" if len(combat.defenders) > 1 else "faces",
    )
    return capital(words)


# --- die, winner ------------------------------------------------------------------------------------------------


def _flank_item(scene: Scene, event: Event) -> Item:
    """The flank attack die, what it needed, and who fires first for it."""
    if not get(event, "die"):
        why = f" for {get(event, 'why')}" if get(event, "why") else ""
        return item("Flank attack: no die is needed", why, ", ", strong("it succeeds"), rule(event.rule), ".")
    modifier, need = int(get(event, "modifier") or "0"), int(get(event, "need"))
    success = get(event, "result") == "success"
    faces = [face for face in range(1, 7) if (face + modifier >= need) is success]
    spaces = f"; +{modifier} for {counted(modifier, 'further space')}, {get(event, 'total')}" if modifier else ""
    result = strong("it succeeds" if success else "it fails")
    odds = f"; {need} or more was needed, this had {chance(faces)} ({faces_words(faces)})"
    first = "the attackers fire first" if success else "the defenders fire first"
    return item("Flank attack: ", *scene.die(event), spaces, odds, ": ", result, f", {first}", rule(event.rule), ".")


def _winner_words(scene: Scene, event: Event) -> list[Words]:
    """Who wins by which numbers, and what the defenders must do for it."""
    winner, fight = get(event, "winner"), scene.state.fight
    if fight is None:
        return [f"The combat is decided: {winner or 'nobody'} wins", rule(event.rule), "."]
    mine, theirs = fight.number("attacker") or 0, fight.number("defender") or 0
    high, low = max(mine, theirs), min(mine, theirs)
    side = {"attacker": fight.combat.attacker, "defender": other(fight.combat.attacker)}.get(winner, "")
    said = f"{people(side)} {verb(side, 'wins')} by {high} to {low}" if side else f"nobody wins, {high} all"
    due = _due(scene.state, event, fight.combat)
    outcome = choose(OUTCOMES[_outcome(scene.state, event, fight.combat)], fight.combat.target, winner, str(high))
    return [f"{outcome}: ", strong(said), due, rule(event.rule), "."]


def _outcome(state: State, event: Event, combat: Combat) -> str:
    if get(event, "winner") != "attacker":
        return get(event, "winner")
    if get(event, "overrun") == "yes":
        return "overrun"
    return "attacker" if state.friends(combat.target, other(combat.attacker)) else "wiped"


def _due(state: State, event: Event, combat: Combat) -> str:
    """What follows for the defenders."""
    if get(event, "forced") == "yes":
        spaces = counted(int(get(event, "retreat")), "space")
        return f"; whoever wins, the defenders must retreat {spaces}, as their card says"
    if get(event, "why"):
        return f"; nobody has to retreat, as {get(event, 'why')} says"
    what = _outcome(state, event, combat)
    if what == "overrun":
        return ", with a number printed bold: an overrun"
    if what == "attacker":
        return f"; the defenders must retreat {counted(int(get(event, 'retreat')), 'space')}"
    if what == "wiped":
        return "; no defender is left"
    return "; nobody has to retreat"


def _winner_item(scene: Scene, event: Event) -> Item:
    return item(*_winner_words(scene, event))


def _ordered_item(scene: Scene, event: Event) -> Item:
    """Several attacks ordered together, in the order in which they are fought."""
    planned = planned_of(event.data, "combats")
    told = [
        f"{number}. {bare_list(scene.state, one.units)} on {one.target}{_provided(one)}"
        for number, one in _known(scene, planned)
    ]
    are = "is" if len(planned) == 1 else "are"
    return item(f"{capital(counted(len(planned), 'attack'))} {are} ordered: {', '.join(told)}", rule(event.rule), ".")


def _provided(planned: Planned) -> str:
    return f", {proviso_words(planned.provisos)}" if planned.provisos else ""


def _called_off_item(scene: Scene, event: Event) -> Item:
    """An attack ordered under a condition that failed."""
    who, at = bare_list(scene.state, items(event, "units")), get(event, "target")
    return item(f"The attack on {at} by {who} is not made: {get(event, 'why')}", rule(event.rule), ".")


def _known(scene: Scene, planned: Sequence[Planned]) -> list[tuple[int, Planned]]:
    """The attacks with those of their units that the game knows: orders are judged only when they are fought."""
    counters = scene.state.world.counters
    return [(one.number, replace(one, units=tuple(u for u in one.units if u in counters))) for one in planned]


def _flag(scene: Scene, event: Event) -> Item:
    """The designation, or the end, of a combat by itself."""
    if event.kind == "combat-over":
        return item(f"The combat for {get(event, 'target')} is over", rule(event.rule), ".")
    words = f"{capital(list_units(scene.state, items(event, 'units')))} attack {get(event, 'target')}"
    return item(words, rule(event.rule), ".")


ITEMS: dict[str, Telling] = {
    "ordered": _ordered_item,
    "called-off": _called_off_item,
    "designate": _flag,
    "flank": _flank_item,
    "fire": fire_item,
    "winner": _winner_item,
    "combat-over": _flag,
}
