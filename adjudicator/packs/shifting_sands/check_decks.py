"""Checks the decks of Shifting Sands: numbers, kinds, conditions, effects and place sets of the cards."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.packs.faults import Faults, number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, Rows, records
from adjudicator.packs.shifting_sands.check_board import SLUG, part_source
from adjudicator.packs.shifting_sands.vocabulary import CLASSES, PLAYED, POOLS, SIDES, STATE
from adjudicator.packs.shifting_sands.words import Words

KINDS: Final = ("event", "combat", "reinforcement")
FLAGS: Final = ("square", "asterisk", "red_name", "t_card")
AFTER: Final = ("keep_if_won", "discard")
KNOWN: Final = ("exact", "part", "fits", "reported", "none")
NEEDED: Final = ("id", "side", "number", "name", "year", "ops", *FLAGS, "kind", "known")
KEYS: Final = frozenset((
    *NEEDED, "aliases", "reinforcement_class", "rp", "conditions", "switches", "effects", "after_combat", "refs",
    "note", "source", "number_source", "ops_source", "rp_source", "effect_source",
))  # fmt: skip
LEAST_OPS: Final = 2
MOST_OPS: Final = 5


class DeckCheck:
    """All checks of cards.yaml that look at one card or place set."""

    def __init__(self, files: PackFiles, words: Words, faults: Faults) -> None:
        self.files, self.words, self.faults = files, words, faults
        self.ids: dict[str, Record] = {}
        self.numbers: dict[str, Record] = {}
        self.switches = {
            str(row["switch"].get("name"))
            for row in records(files.rows("rulings.yaml", "rulings"))
            if isinstance(row.get("switch"), Record)
        }

    def run(self) -> None:
        """Check everything."""
        self._places()
        for row in records(self.files.rows("cards.yaml", "cards")):
            if self.faults.need(row, NEEDED):
                self._card(row)
        self._complete()

    def _places(self) -> None:
        seen: dict[str, Record] = {}
        used = {
            str(effect.get("where"))
            for card in records(self.files.rows("cards.yaml", "cards"))
            for effect in records(card.get("effects"))
        }
        sets = list(records(self.files.rows("cards.yaml", "places")))
        used |= {str(part.get("include")) for row in sets for part in records(row.get("any"))}
        typed = any(card.corrected for card in records(self.files.rows("cards.yaml", "cards")))
        for row in sets:
            if not self.faults.need(row, ("name", "rule", "any")):
                continue
            self.faults.unique(seen, str(row["name"]), row, "place set")
            for part in records(row["any"]):
                self.words.place(part)
            if str(row["name"]) not in used and not typed:
                self.faults.add(row, "unused", f"no card places into {row['name']}; take it out or use it")

    def _card(self, row: Record) -> None:
        for key in row:
            if key not in KEYS:
                self.faults.add(row, "key", f"a card knows no {key}; correct the key")
        if not self.faults.one_of(row, "side", SIDES):
            return
        self.faults.one_of(row, "kind", KINDS)
        self.faults.one_of(row, "known", KNOWN)
        for key in FLAGS:
            self.faults.one_of(row, key, ("yes", "no"))
        self._number(row)
        self._values(row)
        self._class(row)
        self._event(row)
        self._sources(row)

    def _number(self, row: Record) -> None:
        side, card = str(row["side"]), str(row["number"])
        self.faults.unique(self.numbers, f"{side} {card}", row, "card")
        self.faults.unique(self.ids, str(row["id"]), row, "card id")
        if not SLUG.fullmatch(str(row["id"])) or not str(row["id"]).endswith(f"-{card}"):
            text = f"id {row['id']} must be a slug that begins with a letter and ends with -{card}"
            self.faults.add(row, "id", f"{text}; correct it")
        block = next((r for r in self._blocks() if r.get("year") == row["year"]), None)
        if block is None:
            self.faults.add(row, "year", f"pack.yaml has no deck of {row['year']}; correct the year")
        elif number(card) and not int(block["first"]) <= int(card) <= int(block["last"]):
            text = f"card {card} is not of {row['year']}, whose cards are {block['first']} to {block['last']} (SS 2.3)"
            self.faults.add(row, "year", f"{text}; correct one of them")

    def _blocks(self) -> list[Record]:
        rows = records(self.files.files["pack.yaml"].get("decks"))
        return [row for row in rows if number(row.get("first")) and number(row.get("last"))]

    def _values(self, row: Record) -> None:
        """Every card is worth two to five operations points (SS 3.ops)."""
        if not number(row["ops"]) or not LEAST_OPS <= int(row["ops"]) <= MOST_OPS:
            text = f"ops {row['ops']} is no number from {LEAST_OPS} to {MOST_OPS}; correct it"
            self.faults.add(row, "number", text)
        if isinstance(row.get("rp"), Record):
            self.words.points(row["rp"], POOLS[str(row["side"])])

    def _class(self, row: Record) -> None:
        """Reinforcements have a class, T cards are square events of class T that wait for Torch (SS 7.53, 10.53)."""
        class_, kind = row.get("reinforcement_class"), row["kind"]
        self.faults.one_of(row, "reinforcement_class", CLASSES[str(row["side"])])
        if (kind == "reinforcement") != (class_ is not None):
            text = f"kind {kind} does not fit reinforcement_class {class_ or 'left out'}"
            self.faults.add(row, "class", f"{text}; a reinforcement has a class and nothing else has")
        if (class_ == "T") != (row["t_card"] == "yes"):
            self.faults.add(row, "class", f"t_card {row['t_card']} does not fit its class; correct one (SS 7.53)")
        if class_ != "T":
            return
        torch = any(c.get("played") == "Torch" for c in records(row.get("conditions")))
        if not torch or row["square"] != "yes":
            self.faults.add(row, "class", "a T card is square and needs Torch (SS 10.53); correct it")

    def _event(self, row: Record) -> None:
        read = STATE if row["kind"] == "combat" else PLAYED
        self.words.conditions(row, row.get("conditions"), read)
        for switch in records(row.get("switches")):
            self._switch(switch, read)
        effects: Any = row.get("effects")
        if not isinstance(effects, Rows) or not effects:
            self.faults.add(row, "missing", "the card has no effects; add them, or {do: nothing}")
            return
        for effect in records(effects):
            self.words.effect(effect)
        self._combat(row, [str(effect.get("do")) for effect in records(effects)])
        self._points(row)

    def _switch(self, switch: Record, read: str) -> None:
        if not self.faults.need(switch, ("adds",)):
            return
        self.words.conditions(switch, switch["adds"], read)
        if "option" in switch and str(switch["option"]) not in self.words.names["option"]:
            self.faults.add(switch, "option", f"{switch['option']} is no optional rule of rulings.yaml; correct it")
        elif "option" not in switch and str(switch.get("name")) not in self.switches:
            text = f"{switch.get('name', 'a switch without name')} is no switch of rulings.yaml; correct it"
            self.faults.add(switch, "switch", text)

    def _combat(self, row: Record, done: list[str]) -> None:
        fights = "combat" in done
        if fights != (row["kind"] == "combat") or fights != ("after_combat" in row):
            text = "a combat card, and no other, has a combat effect and says what becomes of it (after_combat)"
            self.faults.add(row, "combat", f"{text}; correct kind, effects or after_combat")
        self.faults.one_of(row, "after_combat", AFTER)
        if fights and set(done) != {"combat"}:
            text = "a combat card is no event: all its effects are combat effects (SS 7.61); take the others out"
            self.faults.add(row, "combat", text)
        self._square(row, fights, done.count("activate"))

    def _square(self, row: Record, fights: bool, activations: int) -> None:
        """A square gives the operations points of the card along with its event; an event that activates spaces itself
        gives its markers instead (SS 7.13)."""
        if activations > 1:
            self.faults.add(row, "square", "an event activates by one effect; put the markers into one activate")
        if row["square"] == "yes" and (fights or activations):
            what = "a combat card, which has no event" if fights else "an event that activates by its own markers"
            self.faults.add(row, "square", f"a square gives nothing to {what} (SS 7.13); square: no, or another effect")

    def _points(self, row: Record) -> None:
        """A card that comes back gives points once, else the game has no end of them."""
        for effect in records(row.get("effects")):
            if effect.get("do") == "vp" and row["asterisk"] != "yes" and effect.get("once_per_game") != "yes":
                text = f"{row['name']} comes back and would give points each time; add once_per_game or the asterisk"
                self.faults.add(effect, "vp", text)

    def _sources(self, row: Record) -> None:
        self.faults.source(row)
        for key in ("number_source", "ops_source", "rp_source", "effect_source"):
            part_source(self.faults, row, key, True)

    def _complete(self) -> None:
        """Both decks have every number of every year (SS 2.3)."""
        rows = self.files.rows("cards.yaml", "cards")
        for side in SIDES:
            for block in self._blocks():
                for card in range(int(block["first"]), int(block["last"]) + 1):
                    if f"{side} {card}" not in self.numbers:
                        text = f"the {side} deck has no card {card}; add it"
                        self.faults.at("cards.yaml", rows.line, "gap", text)
