"""The combat phase in words: each attack with its reckoning, its die, and all that came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from adjudicator.engine.core import Event
from adjudicator.report.document import Block, Heading, Item, bullets, capital_first, item, para, strong
from adjudicator.report.western_desert.common import LOSSES, loss_items
from adjudicator.report.western_desert.control import Ground
from adjudicator.report.western_desert.flights import landing_items
from adjudicator.report.western_desert.names import hex_words, list_units, people, ranked, the, where
from adjudicator.report.western_desert.odds import chance_words, die_words, reckoning, result_name
from adjudicator.report.western_desert.scene import Scene, Telling, by_choice, get, items, rule
from adjudicator.report.words import capital, choose, counted, figure, joined, third
from adjudicator.western_desert.state import State

CLASSES = {
    "1": "free of enemy zones of control and within stacking",
    "2": "free of enemy zones of control, but over-stacked",
    "3": "in an enemy zone of control, for want of a better",
}
LOSSES_DEFAULT = "the cheapest set that suffices"
RETREAT_DEFAULT = "the way with least harm, then supply, cover and distance from the enemy"
FAMILIES = ("loss", "retreat", "advance")
BETWEEN = ("void", "skipped", "supply-spent", "supply-merged", "supply-split", "supply-destroyed")
HOMEWARD = ("air-landed", "air-lost")
"""Ground support on its way home, when all attacks have been made (WD 20.F.2.c)."""
PRELUDE = ("aa-fire", "air-hit")
"""What is fired at defensive support before an attack, and what comes of it (WD 20.F.2.d.aa)."""
OPENINGS = (
    "{attackers} {go} in against {defenders} at {place}.",
    "{attackers} {attack} {defenders} at {place}.",
    "At {place} {defenders} {face} the attack of {attackers_low}.",
)
OUTCOMES = {
    "AE": ("The attack breaks down entirely", "The attack ends in disaster"),
    "AH": ("The attackers are badly mauled", "The attack is beaten off with heavy loss"),
    "AR": ("The attackers are thrown back", "The attack is repulsed"),
    "NE": ("Neither side gives way", "The fight sways to and fro and settles nothing"),
    "DR": ("The defenders are driven out", "The defence gives way"),
    "HX": ("The weaker side is broken, at a price", "A costly fight breaks the weaker side"),
    "EX": ("Both sides bleed", "It is a slaughter on both sides"),
    "DH": ("The defence is shattered and what is left of it gives way", "Half of the defence goes down"),
    "DE": ("The defence is overwhelmed", "The position falls and its garrison with it"),
    "auto": ("Nothing in the hex can fight", "The defenders have no strength to resist with"),
}


@dataclass
class Engagement:
    """One attack and all events that belong to it, in order.

    ``attack`` is the event of the attack itself, None for what comes between attacks; ``begun`` tells that something
    else than supply for it was there. Both are kept, since a phase may have thousands of voids.
    """

    events: list[Event] = field(default_factory=list)
    attack: Event | None = None
    begun: bool = False

    def add(self, event: Event) -> None:
        """Take an event up."""
        self.events.append(event)
        self.begun = self.begun or event.kind not in ("supply-used", *PRELUDE)
        if self.attack is None and event.kind == "attack":
            self.attack = event


def engagements(events: Sequence[Event]) -> list[Engagement]:
    """Cut a combat phase into attacks: supply paid for an attack stands before it and belongs to it."""
    found = [Engagement()]
    for event in events:
        if _begins(event, found[-1]):
            found.append(Engagement())
        found[-1].add(event)
    return [engagement for engagement in found if engagement.events]


def _begins(event: Event, current: Engagement) -> bool:
    if event.kind in ("attack", *PRELUDE) or (event.kind == "supply-used" and get(event, "use") == "attack"):
        return current.begun
    return event.kind in (*BETWEEN, *HOMEWARD) and current.attack is not None


def combat_blocks(scene: Scene, events: Sequence[Event], ground: Ground) -> list[Block]:
    """Tell the combat phase; the scene stands after it when this returns."""
    found = engagements(events)
    attacks = sum(engagement.attack is not None for engagement in found)
    side = scene.state.player
    verb = "make" if side == "allied" else "makes"
    lead = f"{capital(people(side))} {verb} {counted(attacks, 'attack')}."
    blocks: list[Block] = [para(lead)]
    number = 0
    for engagement in found:
        if engagement.attack is None:
            blocks += bullets(_asides(scene, engagement.events, ground))
        else:
            number += 1
            blocks += _engagement_blocks(scene, engagement, ground, number)
    return blocks


def _asides(scene: Scene, events: Sequence[Event], ground: Ground) -> list[Item]:
    """What happens between attacks; landings together."""
    told: list[Item] = []
    for homeward, run in groupby(events, key=lambda event: event.kind in HOMEWARD):
        if homeward:
            told += landing_items(scene, list(run), ground)
        else:
            told += [one for event in run for one in _aside(scene, event, ground)]
    return told


def _aside(scene: Scene, event: Event, ground: Ground) -> list[Item]:
    if event.kind == "control":
        ground.note(scene, event)
        scene.apply(event)
        return []
    told = scene.tell(event)
    scene.apply(event)
    return [told]


# --- one attack -------------------------------------------------------------------------------------------------


def _engagement_blocks(scene: Scene, engagement: Engagement, ground: Ground, number: int) -> list[Block]:
    before: list[Item] = []
    blocks: list[Block] = []
    rest: list[Event] = []
    for at, event in enumerate(engagement.events):
        if event.kind == "attack":
            blocks = _attack_blocks(scene, event, before, number)
            scene.apply(event)
            rest = engagement.events[at + 1 :]
            break
        before.append(scene.tell(event))
        scene.apply(event)
    return [*blocks, *_aftermath(scene, rest, ground)]


def _attack_blocks(scene: Scene, event: Event, before: Sequence[Item], number: int) -> list[Block]:
    h = scene.find(get(event, "hex"))
    title = f"{_ordinal(number)} attack: {where(scene.board, h)}"
    scene.named.add(h)
    supply = _supply_items(scene.state, event, before)
    return [
        Heading(3, title),
        para(_opening(scene, event, h)),
        *bullets([*supply, *reckoning(scene, event)]),
    ]


def _ordinal(number: int) -> str:
    words = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth")
    return words[number - 1] if number <= len(words) else f"No. {number}"


def _opening(scene: Scene, event: Event, h: int) -> str:
    """Who attacks from where, and whom."""
    state = scene.state
    by_hex: dict[int, list[str]] = {}
    for uid in items(event, "with"):
        by_hex.setdefault(state.hex_of(uid), []).append(uid)
    parts = [f"{list_units(state, ids)} from {hex_words(scene.board, origin)}" for origin, ids in by_hex.items()]
    attackers, defenders = joined(parts), list_units(state, items(event, "defenders"))
    phrase = choose(OPENINGS, get(event, "hex"), *items(event, "with"))
    many = len(items(event, "with")) > 1
    words = phrase.format(
        attackers=capital(attackers),
        attackers_low=attackers,
        defenders=defenders,
        place=hex_words(scene.board, h),
        go="go" if many else "goes",
        attack="attack" if many else "attacks",
        face="face" if len(items(event, "defenders")) > 1 else "faces",
    )
    return capital(words)


def _supply_items(state: State, event: Event, before: Sequence[Item]) -> list[Item]:
    """The supply paid for the attack, and who goes without."""
    supplied = set(items(event, "supplied"))
    without = [uid for uid in items(event, "with") if uid not in supplied and state.unit(uid).attack > 0]
    if not without:
        return list(before)
    names = list_units(state, ranked(state, without))
    verb = "attacks" if len(without) == 1 else "attack"
    return [*before, item(f"{capital(names)} {verb} without attack supply", rule("WD 12.C"), ".")]


# --- what came of it --------------------------------------------------------------------------------------------


def _aftermath(scene: Scene, events: Sequence[Event], ground: Ground) -> list[Block]:
    """Die and result, then losses, retreats, captures and advances in the order in which they happened."""
    blocks: list[Block] = []
    told: list[Item] = []
    for kind, run in _runs(scene, events, ground):
        if kind == "result":
            blocks += [*bullets(told), *_result_blocks(scene, run[0])]
            told = []
            scene.apply(run[0])
        else:
            told += _run_items(scene, kind, run)
    return [*blocks, *bullets(told)]


def _runs(scene: Scene, events: Sequence[Event], ground: Ground) -> Iterator[tuple[str, list[Event]]]:
    """Events of one family that follow each other; changes of control between them are noted on the way.

    The control events of a run are applied before it is told: no sentence about losses or retreats speaks of control.
    """
    run: list[Event] = []
    family = ""
    for event in events:
        if event.kind == "control":
            ground.note(scene, event)
            scene.apply(event)
            continue
        this = "loss" if event.kind in LOSSES else event.kind
        if run and (this != family or this not in FAMILIES):
            yield family, run
            run = []
        run.append(event)
        family = this
    if run:
        yield family, run


def _run_items(scene: Scene, family: str, run: Sequence[Event]) -> list[Item]:
    """A run in words; applies its events."""
    if family == "loss":
        return loss_items(scene, run)
    if family == "retreat":
        return _retreats(scene, run)
    if family == "advance":
        return advance_items(scene, run)
    told = []
    for event in run:
        told.append(scene.tell(event))
        scene.apply(event)
    return told


def _result_blocks(scene: Scene, event: Event) -> list[Block]:
    result = get(event, "result")
    words = choose(OUTCOMES.get(result, ("The fight is over",)), get(event, "hex"), result)
    if not get(event, "die"):
        means = get(event, "means") or result
        return [para("No die is rolled: ", strong(means), f". {words}", rule(event.rule), ".")]
    rolled = capital_first(die_words(scene, event))
    told = para(*rolled, ": ", strong(result_name(result)), f". {words}", rule(event.rule), ".")
    return [told, para(*chance_words(scene.state, event))]


def _losses_item(scene: Scene, event: Event) -> Item:
    """What a side had to give up, and how it chose."""
    side, units = get(event, "side"), items(event, "units")
    need, given = figure(get(event, "required", "0")), figure(get(event, "strength", "0"))
    verb = "give" if side == "allied" else "gives"
    chosen = by_choice(event, LOSSES_DEFAULT) or "as ordered"
    names = list_units(scene.state, units) if units else "nobody"
    words = f"{capital(people(side))} must lose {need} of printed strength and {verb} up {given}: {names} ({chosen})"
    return item(words, rule(event.rule), ".")


def _stays_item(scene: Scene, event: Event) -> Item:
    uid = get(event, "unit")
    at = f" in {scene.place(scene.find(get(event, 'hex')))}" if get(event, "hex") else ""
    words = f"{capital(the(scene.state, uid))} does not advance and stays{at}: {get(event, 'why')}"
    return item(words, rule(event.rule), ".")


# --- retreats and advances --------------------------------------------------------------------------------------


@dataclass
class _Way:
    unit: str
    origin: int
    steps: list[int]
    notes: list[str]
    rule: str


def _retreats(scene: Scene, events: Sequence[Event]) -> list[Item]:
    """A run of retreats, units that went the same way for the same reason together."""
    ways: list[_Way] = []
    for event in events:
        _add_step(scene, event, ways)
        scene.apply(event)
    return [_way_item(scene, group) for group in _grouped(ways)]


def _add_step(scene: Scene, event: Event, ways: list[_Way]) -> None:
    uid, origin = get(event, "unit"), scene.state.hex_of(get(event, "unit"))
    path = [scene.find(text) for text in items(event, "path")]
    parts = (CLASSES.get(get(event, "priority"), ""), by_choice(event, RETREAT_DEFAULT) or "as ordered")
    why = "; ".join(part for part in parts if part)
    last = ways[-1] if ways else None
    if last is not None and last.unit == uid and last.steps and last.steps[-1] == origin:
        last.steps += path
        last.notes.append(f"then on, for the hex was full: {why}")
        return
    ways.append(_Way(uid, origin, path, [why], event.rule))


def _grouped(ways: Sequence[_Way]) -> list[list[_Way]]:
    groups: list[list[_Way]] = []
    for way in ways:
        same = next(
            (g for g in groups if (g[0].origin, g[0].steps, g[0].notes) == (way.origin, way.steps, way.notes)), None
        )
        if same is None:
            groups.append([way])
        else:
            same.append(way)
    return groups


def _way_item(scene: Scene, group: Sequence[_Way]) -> Item:
    first, units = group[0], [way.unit for way in group]
    verb = choose(("fall back", "retreat", "draw off"), *units)
    verb = verb if len(units) > 1 else third(verb)
    through = [hex_words(scene.board, h) for h in first.steps[:-1]]
    by = f" by {joined(through)}" if through else ""
    end = scene.place(first.steps[-1]) if first.steps else "nowhere"
    notes = f": {'; '.join(first.notes)}"
    words = f"{capital(list_units(scene.state, units))} {verb} from {hex_words(scene.board, first.origin)}{by} to {end}"
    return item(words, notes, rule(first.rule), ".")


def advance_items(scene: Scene, events: Sequence[Event]) -> list[Item]:
    """A run of advances, by the hexes they set out from."""
    groups: dict[tuple[int, int, str], list[str]] = {}
    for event in events:
        uid = get(event, "unit")
        key = (scene.state.hex_of(uid), scene.find(get(event, "to")), event.rule)
        groups.setdefault(key, []).append(uid)
        scene.apply(event)
    return [_advance_item(scene, *key, units) for key, units in groups.items()]


def _advance_item(scene: Scene, origin: int, to: int, address: str, units: Sequence[str]) -> Item:
    board = scene.board
    verb = choose(("advance", "move up", "push on"), *units, "advance")
    words = f"{capital(list_units(scene.state, units))} {verb if len(units) > 1 else third(verb)} "
    return item(f"{words}from {hex_words(board, origin)} into {hex_words(board, to)}", rule(address), ".")


def _lone_attack(scene: Scene, event: Event) -> Item:
    """An attack by itself: who attacks whom."""
    return item(_opening(scene, event, scene.find(get(event, "hex"))), rule(event.rule))


def _lone_result(scene: Scene, event: Event) -> Item:
    """A result by itself."""
    rolled = capital_first(die_words(scene, event)) if get(event, "die") else ["No die is rolled"]
    return item(*rolled, ": ", strong(result_name(get(event, "result"))), rule(event.rule), ".")


def _lone_retreat(scene: Scene, event: Event) -> Item:
    """One step of a retreat by itself."""
    ways: list[_Way] = []
    _add_step(scene, event, ways)
    return _way_item(scene, ways)


def _lone_advance(scene: Scene, event: Event) -> Item:
    """One advance by itself."""
    uid = get(event, "unit")
    return _advance_item(scene, scene.state.hex_of(uid), scene.find(get(event, "to")), event.rule, [uid])


ITEMS: dict[str, Telling] = {
    "attack": _lone_attack,
    "result": _lone_result,
    "losses": _losses_item,
    "stays": _stays_item,
    "retreat": _lone_retreat,
    "advance": _lone_advance,
}
