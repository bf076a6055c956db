"""Checks the counters of Shifting Sands, and that set-ups and cards bring each of them into play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from adjudicator.packs.faults import Faults, number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.shifting_sands.check_board import SLUG, aliases, part_source
from adjudicator.packs.shifting_sands.counters import counter_ids, how_many
from adjudicator.packs.shifting_sands.scenarios import times
from adjudicator.packs.shifting_sands.vocabulary import NATIONS

SIZES: Final = ("division", "battlegroup")
TYPES: Final = ("infantry", "armor")
FIGURES: Final = ("cf_full", "cf_reduced", "lf", "mf")
FIRST: Final = "campaign"
"""The scenario from whose set-up, with the cards and set-ups in play, every counter comes."""


class CounterCheck:
    """All checks of units.yaml."""

    def __init__(self, files: PackFiles, faults: Faults) -> None:
        self.files, self.faults = files, faults
        self.kinds = {str(r["kind"]): r for r in records(files.rows("units.yaml", "units")) if "kind" in r}
        self.options = {str(r.get("id")) for r in records(files.rows("rulings.yaml", "options"))}
        self.seen: dict[str, Record] = {}
        self.ids: dict[str, Record] = {}
        self.names: dict[str, Record] = {}

    def run(self) -> None:
        """Check everything."""
        for row in records(self.files.rows("units.yaml", "units")):
            self._kind(row)
        self._box()
        CounterMix(self.files, self.kinds, self.faults).run()

    def _kind(self, row: Record) -> None:
        if not self.faults.need(row, ("kind", "id", "nation", "size", "type", "name", *FIGURES)):
            return
        self.faults.unique(self.seen, str(row["kind"]), row, "kind")
        self.faults.one_of(row, "nation", NATIONS)
        self.faults.one_of(row, "size", SIZES)
        self.faults.one_of(row, "type", TYPES)
        self._identity(row)
        self._figures(row)
        self._sources(row)
        self._special(row)

    def _identity(self, row: Record) -> None:
        if not SLUG.fullmatch(str(row["id"])):
            text = f"id {row['id']} is no slug; use small letters, digits and hyphens, a letter first"
            self.faults.add(row, "id", text)
        count = row.get("count", "1")
        if not number(count) or int(count) < 1 or (int(count) > 1 and row["size"] == "division"):
            text = f"count {count} of {row['kind']}: there is one of each division, and at least one battlegroup"
            self.faults.add(row, "count", f"{text}; correct it")
        for uid in counter_ids(row):
            self.faults.unique(self.ids, uid, row, "counter")
        for word in (str(row["kind"]), *aliases(self.faults, row)):
            self.faults.unique(self.names, word.lower(), row, "name")

    def _figures(self, row: Record) -> None:
        wrong = [key for key in FIGURES if not number(row[key]) or int(row[key]) < 0]
        for key in wrong:
            self.faults.add(row, "number", f"{key} {row[key]} is no whole number; correct it")
        if not wrong and int(row["cf_reduced"]) > int(row["cf_full"]):
            text = f"{row['kind']} fights with {row['cf_reduced']} reduced but {row['cf_full']} at full strength"
            self.faults.add(row, "figures", f"{text}; correct one of them")

    def _sources(self, row: Record) -> None:
        self.faults.source(row)
        for key in ("cf_source", "lf_source", "mf_source"):
            part_source(self.faults, row, key, True)
        if "cf_reduced_source" in row:
            self.faults.source_word(row, "cf_reduced_source")
        part_source(self.faults, row, "dot_source", row.get("dot") == "yes")

    def _special(self, row: Record) -> None:
        self.faults.one_of(row, "dot", ("yes", "no"))
        if "option" in row and str(row["option"]) not in self.options:
            self.faults.add(row, "option", f"{row['option']} is no optional rule of rulings.yaml; correct it")
        base = self.kinds.get(str(row.get("upgrade_of")))
        if "upgrade_of" in row and base is None:
            self.faults.add(row, "name", f"upgrade_of: there is no unit {row['upgrade_of']}; correct the name")
        elif base is not None and any(base.get(key) != row.get(key) for key in ("nation", "size", "type")):
            text = f"{row['kind']} upgrades {base['kind']} but differs in nation, size or type; correct it"
            self.faults.add(row, "upgrade", text)

    def _box(self) -> None:
        """No more counters than the box holds (SS 2.21): divisions are large ones, battlegroups small ones."""
        box = self.files.files["pack.yaml"].get("box")
        if not isinstance(box, Record) or not self.faults.need(box, ("large", "small")):
            return
        for size, key in (("division", "large"), ("battlegroup", "small")):
            total = sum(how_many(row) for row in self.kinds.values() if row.get("size") == size)
            if number(box[key]) and total > int(box[key]):
                text = f"{total} {size}s are more than the {box[key]} {key} counters of the box; correct the counts"
                self.faults.add(box, "total", text)


class CounterMix:
    """Set-ups, cards and options bring every counter into play exactly once."""

    def __init__(self, files: PackFiles, kinds: dict[str, Record], faults: Faults) -> None:
        self.files, self.kinds, self.faults = files, kinds, faults
        self.cards = list(records(files.rows("cards.yaml", "cards")))
        self.in_play = self._placed(records(files.rows("setups.yaml", "setups")))

    def run(self) -> None:
        """Check the first scenario exactly, the others for too many."""
        for scenario in self.files.scenarios:
            gone = {(str(r.get("side")), str(r.get("number"))) for r in records(scenario.get("removed"))}
            need = self._placed([scenario]) + self.in_play + self._by_cards(gone)
            if scenario.get("id") == FIRST:
                self._exact(need)
            for kind, wanted in sorted(need.items()):
                if kind in self.kinds and wanted > how_many(self.kinds[kind]):
                    text = f"{scenario.get('id')}, set-ups and cards need {wanted} of {kind}"
                    has = how_many(self.kinds[kind])
                    self.faults.add(self.kinds[kind], "mix", f"{text}, there are {has}; correct the count")

    def _exact(self, need: Counter[str]) -> None:
        for kind, row in self.kinds.items():
            if need[kind] < how_many(row) and not (need[kind] == 0 and "option" in row):
                text = f"set-ups and cards bring {need[kind]} of {kind}, there are {how_many(row)}"
                self.faults.add(row, "mix", f"{text}; add a card or correct the count")

    def _placed(self, rows: Iterable[Record]) -> Counter[str]:
        found: Counter[str] = Counter()
        for row in rows:
            for entry in records(row.get("units")):
                found[str(entry.get("unit"))] += times(entry)
        return found

    def _by_cards(self, gone: set[tuple[str, str]]) -> Counter[str]:
        found: Counter[str] = Counter()
        for card in self.cards:
            if (str(card.get("side")), str(card.get("number"))) in gone:
                continue
            for effect in records(card.get("effects")):
                if effect.get("do") == "place":
                    found[str(effect.get("unit"))] += times(effect)
                elif effect.get("do") == "upgrade":
                    found[str(effect.get("to"))] += 1
        return found
