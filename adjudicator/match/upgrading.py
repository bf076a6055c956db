"""Agreeing to other rules in the course of a game (PROTOCOL 7, upgrade): making ready, offering, accepting, and what
changes in words.

The game passes over with its public position, read by the new rules; whatever can't be passed over so is refused here,
before anything is signed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.match.files import PRIVATE, write_whole
from adjudicator.match.folder import Folder
from adjudicator.match.match import Match, shelf_of
from adjudicator.match.resolver import table_of_run
from adjudicator.match.rulesets import MissingRules, RulesError, RuleSet, Switches, made_of
from adjudicator.match.sheets import layout_of
from adjudicator.protocol.log import read_line

AHEAD = 2
"""So many messages after its offer an upgrade may begin at the earliest."""
NAMES = ("id", "slug", "hex", "name")
STAYING = ("air", "cards", "counters", "hexes", "places", "spaces")
"""Parts of a pack whose records may stand in a position: none may be gone in the new data."""
QUIET = ("overlay", "assumptions", "citations", "chart_sources")
"""Parts of a pack that are told of elsewhere, or that no rule reads."""
SOURCES = ("cites", "confidence", "look", "source", "where", "why")
"""Fields that say where a datum comes from."""


@dataclass(frozen=True)
class Offer:
    """Rules offered by the newest message: which, from which message on, by whom, and in which message."""

    rules: str
    start: int
    side: str
    seq: int


def offer_of(match: Match) -> Offer | None:
    """The offer that the next message may accept; None where there is none."""
    history = match.verifier.history
    pair = history.offered_upgrade
    return None if pair is None else Offer(*pair, history.author(history.head).side, history.head)


def lapsed(match: Match) -> Offer | None:
    """The offer that the newest message could have accepted and did not; None where there was none."""
    seq = match.verifier.head - 1
    pair = match.verifier.body(seq).get("upgrade") if seq > 0 else None
    if not isinstance(pair, dict) or match.verifier.body(seq + 1).get("upgrade") == pair:
        return None
    found = Offer(str(pair["rules"]), int(str(pair["from"])), str(match.verifier.body(seq)["side"]), seq)
    return None if (found.start, found.rules) in match.verifier.history.upgrades else found


def coming(match: Match) -> list[tuple[int, str]]:
    """The upgrades agreed that no message has begun yet: first message and hash."""
    return [one for one in match.verifier.history.upgrades if one[0] >= match.verifier.next_seq]


def latest(match: Match) -> RuleSet:
    """The rules that hold once all that is agreed has begun. Raises MissingRules."""
    last = max((start for start, _ in match.verifier.history.upgrades), default=0)
    return match.rules_at(max(last, match.verifier.next_seq))


# --- making ready -----------------------------------------------------------------------------------------------


def prepare(
    match: Match, version: int | None, switches: Mapping[str, str], overlay: tuple[str, str] | None
) -> RuleSet:
    """Make rules ready to be offered, as the present ones with these changes. A switch with "" goes back to how it is
    printed; ``overlay`` is the text and name of a file laid over the program's pack, ("", "") for none.

    Raises RulesError, OverlayError, UnknownVersion, MissingRules.
    """
    base = latest(match)
    house = {name: value for name, value in (dict(base.switches) | dict(switches)).items() if value}
    dropped = [name for name, value in switches.items() if not value and name not in dict(base.switches)]
    if dropped:
        raise RulesError(f"the house rule {dropped[0]} is not in use; there is nothing to drop")
    text, shown = (base.overlay, "the overlay in use") if overlay is None else overlay
    number = base.version if version is None else version
    made = made_of(match.verifier.genesis.body, number, tuple(sorted(house.items())), text, shown)
    must_fit(match, made, match.verifier.next_seq + AHEAD)
    match.shelf.keep(made)
    write_whole(match.folder.next_rules, f"{made.hash}\n".encode(), PRIVATE)
    return made


def take(folder: Folder, data: bytes, shown: str) -> tuple[RuleSet, Path]:
    """Take a rules file into a game folder, also one that can't be opened for want of it.

    Raises RulesError, OverlayError, and FolderError for a folder without a game that has begun.
    """
    folder.require()
    lines = folder.lines()
    if not lines:
        raise RulesError(f"{folder.root}: the game has not begun; `receive` the other side's genesis first")
    shelf = shelf_of(read_line(lines[0]).body, folder)
    found = shelf.read(data, shown)
    return found, shelf.keep(found)


def ready(match: Match) -> RuleSet | None:
    """The rules that this player made ready and that are not agreed yet. Raises MissingRules."""
    path = match.folder.next_rules
    if not path.is_file():
        return None
    rules = path.read_text("utf-8", "replace").strip()
    return None if rules == latest(match).hash else match.shelf.find(rules)


# --- what the next message may carry ----------------------------------------------------------------------------


def offering(match: Match, start: int | None) -> tuple[str, int]:
    """The pair for the next message that offers what was made ready. Raises RulesError and MissingRules."""
    found, seq = ready(match), match.verifier.next_seq
    if found is None:
        text = f"no other rules are made ready; say which with `adjudicator upgrade {match.folder.root}` first"
        raise RulesError(text)
    first = seq + AHEAD if start is None else start
    if first < seq + AHEAD:
        raise RulesError(
            f"new rules can begin with message {seq + AHEAD} at the earliest, not {first}: message {seq} offers them, "
            f"message {seq + 1} accepts them; name a later one with --upgrade-from"
        )
    offer = offer_of(match)
    if offer is not None and (offer.rules, offer.start) == (found.hash, first):
        raise RulesError(f"message {offer.seq} offers you the very same; accept it with --accept-upgrade")
    must_fit(match, found, first)
    return found.hash, first


def accepting(match: Match) -> tuple[str, int]:
    """The pair for the next message that accepts what the newest one offers. Raises RulesError and MissingRules."""
    offer = offer_of(match)
    if offer is None:
        gone = lapsed(match)
        late = f"; that of message {gone.seq} has lapsed, it held for message {gone.seq + 1} only" if gone else ""
        raise RulesError(
            f"message {match.verifier.head} offers no other rules, so there are none to accept{late}; offer them "
            "yourself with --offer-upgrade"
        )
    must_fit(match, match.shelf.find(offer.rules), offer.start)
    return offer.rules, offer.start


def must_fit(match: Match, new: RuleSet, start: int) -> None:
    """Raise RulesError where the game can't go on by these rules from a message on."""
    old = match.rules_at(start - 1)
    if new.hash == old.hash:
        raise RulesError("these are the rules that hold then anyway; nothing would change")
    try:
        table = new.table
    except ValueError as error:
        raise RulesError(f"these rules can't be played: {error}") from None
    first = match.resolver.table
    if table.sides != first.sides or layout_of(table) != layout_of(first):
        raise RulesError(
            f"version {new.version} of {new.system} has other sides, or other books or topics of sealed standing "
            "orders, than the game was begun with; such a change is not possible while a game goes on, begin a new one"
        )
    gone = [name for part in STAYING for name in _gone(old.pack.tree, new.pack.tree, part)]
    if gone:
        more = f" and {len(gone) - 8} more" if len(gone) > 8 else ""
        raise RulesError(
            f"the new data lack what this game has or may bring on the map: {', '.join(gone[:8])}{more}; correct these "
            "records, don't remove them"
        )
    run = match.resolver.last
    if run is not None:
        try:
            match.resolver.eras.carry(run.state, table_of_run(run, first), table)
        except (ValueError, LookupError) as error:
            raise RulesError(f"the position of this game can't be passed on to these rules: {error}") from None


def _gone(old: Mapping[str, Any], new: Mapping[str, Any], part: str) -> list[str]:
    there = set(_named(new.get(part)))
    return [f"{part} {name}" for name in _named(old.get(part)) if name not in there]


def _named(rows: Any) -> dict[str, Any]:
    """The records of a part of a pack by their names; {} where they have none of their own."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return {}
    for key in NAMES:
        found = {str(row[key]): row for row in rows if key in row}
        if len(found) == len(rows):
            return found
    return {}


# --- in words ---------------------------------------------------------------------------------------------------


def differences(old: RuleSet, new: RuleSet) -> list[str]:
    """What changes between two rules sets, one thing a line."""
    found = []
    if old.version != new.version:
        found.append(f"version of the rules: {old.version} -> {new.version}")
    found += _switched(old.switches, new.switches)
    if old.digest != new.digest:
        found += _of_packs(old.pack.tree, new.pack.tree)
    return found


def _switched(old: Switches, new: Switches) -> Iterator[str]:
    before, after = dict(old), dict(new)
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            yield f"house rule {name}: {before.get(name, 'as printed')} -> {after.get(name, 'as printed')}"


def _of_packs(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    for part in sorted({*old, *new} - set(QUIET)):
        if old.get(part) != new.get(part):
            yield from _changed(part, old.get(part), new.get(part))


def _changed(path: str, old: Any, new: Any) -> Iterator[str]:
    """The places where two parts differ: records by their names, all else by its place."""
    one, two = _named(old), _named(new)
    if one or two:
        for name in dict.fromkeys((*one, *two)):
            if one.get(name) != two.get(name):
                yield from _changed(f"{path} {name}", one.get(name), two.get(name))
    elif isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(key for key in {*old, *new} if key not in SOURCES and not key.endswith("_source")):
            if old.get(key) != new.get(key):
                where = f"{path} {key}" if ":" in path else f"{path}: {key}"
                yield from _changed(where, old.get(key), new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for at, (left, right) in enumerate(zip(old, new, strict=True), 1):
            if left != right:
                yield from _changed(f"{path} {at}", left, right)
    else:
        yield f"{path} {_shown(old)} -> {_shown(new)}"


def _shown(tree: Any) -> str:
    if tree is None:
        return "nothing"
    if isinstance(tree, str):
        return tree or "nothing"
    if isinstance(tree, Sequence):
        return ", ".join(map(_shown, tree)) or "nothing"
    return ", ".join(f"{key} {_shown(value)}" for key, value in sorted(tree.items())) if isinstance(tree, dict) else "?"


def changes_at(match: Match, seq: int) -> list[str]:
    """What is different in the rules for a message from those for the one before; [] for none, and the reason where
    it can't be told here."""
    history = match.verifier.history
    return [] if seq < 1 else changes(match, history.rules(seq - 1), history.rules(seq))


def changes(match: Match, old: str, new: str) -> list[str]:
    """What is different between the rules of two hashes."""
    if old == new:
        return []
    try:
        return differences(match.shelf.find(old), match.shelf.find(new)) or ["data that no rule reads"]
    except MissingRules as error:
        return [f"{error}"]


def agreed_in(match: Match, start: int, rules: str) -> int:
    """The message that accepted an upgrade."""
    pair = {"rules": rules, "from": str(start)}
    seqs = [seq for seq in match.verifier.history.marked if match.verifier.body(seq).get("upgrade") == pair]
    return next((seq for seq in seqs if seq - 1 in seqs), seqs[-1])


