"""Checks what the fields of counters, air units, sources and types mean together."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.packs.faults import Faults, number
from adjudicator.packs.files import PackFiles
from adjudicator.packs.reading import Record, records
from adjudicator.packs.western_desert.check_printed import figures
from adjudicator.packs.western_desert.check_units import NATIONS
from adjudicator.packs.western_desert.printed import Printed
from adjudicator.packs.western_desert.turns import turn_number

TOGETHER: Final = (("aa", "aa_type"), ("cadre", "cadre_movement"))
RATINGS: Final = ("type", "attack", "defense", "tactical", "strategic", "movement", "night")
FAMILY: Final = {"british": ("british", "indian")}
"""Whose headquarters and divisions may be of either nationality (WD 28.B.1)."""
LINES: Final = "-n"
"""The end of a key of sources.yaml that stands for a row of pages: WITD1-n covers WITD1-5."""


class CounterCheck:
    """Counters and air units one by one, and against what the charts and sources say."""

    def __init__(self, files: PackFiles, printed: Printed, faults: Faults) -> None:
        self.files, self.faults = files, faults
        self.counters = list(records(files.rows("counters.yaml", "counters")))
        self.air = list(records(files.rows("air.yaml", "air")))
        self.re = {str(row["size"]): [str(re_) for re_ in row.get("re", [])] for row in printed.rows("re")}
        self.types = {str(row.get("slug")) for row in records(files.rows("types.yaml", "types"))}
        sources = records(files.rows("sources.yaml", "sources"))
        self.cites = {key for row in sources for key in _keys(str(row.get("key")))}
        self.divisions = {(r.get("nat"), r.get("designation")) for r in self.counters if r.get("size") == "division"}

    def run(self) -> None:
        """Check everything."""
        for row in self.counters:
            self._pairs(row)
            self._headquarters(row)
            self._re(row)
            self._components(row)
        self._models()
        self._types()
        self._keys()
        self._chart_words()
        lists: list[tuple[str, str]] = [("counters.yaml", "counters"), ("air.yaml", "air"), ("events.yaml", "events")]
        for file, key in lists:
            for row in records(self.files.rows(file, key)):
                self._cites(row)
        for scenario in self.files.scenarios:
            for value in scenario.values():
                for row in records(value):
                    self._cites(row)

    def _pairs(self, row: Record) -> None:
        for one, other in TOGETHER:
            if (one in row) != (other in row):
                has, lacks = (one, other) if one in row else (other, one)
                self.faults.add(row, "missing", f"{row.get('id')} has {has} but no {lacks}; add it")
        known = all(number(row.get(key)) for key in ("cadre", "attack", "defense"))
        if known and int(row["cadre"]) > max(int(row["attack"]), int(row["defense"])):
            text = f"the cadre {row['cadre']} of {row.get('id')} is stronger than its front; correct one (WD 9.E)"
            self.faults.add(row, "cadre", text)
        if "belongs" in row and (row.get("nat"), row["belongs"]) not in self.divisions and not row.corrected:
            text = f"{row.get('id')} shows division {row['belongs']}, which there is not; correct belongs (WD 15.C)"
            self.faults.add(row, "designation", text)
        aliases = row.get("aliases", [])
        if isinstance(aliases, list) and len(set(map(str, aliases))) < len(aliases):
            self.faults.add(row, "twice", f"{row.get('id')} has the same alias twice; keep one")

    def _headquarters(self, row: Record) -> None:
        size, kind = row.get("size"), row.get("type")
        if (size == "headquarters") != (kind == "headquarters"):
            self.faults.add(
                row, "size", f"{row.get('id')} is of size {size} and type {kind}; both or none is headquarters"
            )
        elif (size == "headquarters") != ("hq_of" in row):
            text = "says of no kind of division; add hq_of" if size == "headquarters" else "is no headquarters"
            self.faults.add(
                row, "hq_of", f"{row.get('id')} {text}{'' if size == 'headquarters' else '; take hq_of out'}"
            )
        elif size == "headquarters" and not row.corrected and "designation" in row:
            nations = FAMILY.get(str(row.get("nat")), (row.get("nat"),))
            if not any((nation, row["designation"]) in self.divisions for nation in nations):
                text = f"{row.get('id')} is the headquarters of a division {row['designation']} that there is not"
                self.faults.add(row, "designation", f"{text}; correct its designation (WD 15.B)")

    def _re(self, row: Record) -> None:
        allowed = self.re.get(str(row.get("size")))
        if allowed and row.get("re") not in allowed and not row.corrected:
            text = (
                f"{row.get('id')}, a {row.get('size')}, has {row.get('re')} RE; it is {' or '.join(allowed)} (WD 3.E)"
            )
            self.faults.add(row, "re", f"{text}; correct one of them")

    def _components(self, row: Record) -> None:
        """The parts a unit breaks down into are those of the breakdown chart (WD 15.B)."""
        forms = list(records(row.get("components")))
        chart = [r for r in self._chart("breakdowns") if r.get("side") == row.get("side")]
        own = f"{figures(row)} {row.get('type')}"
        for form in forms:
            parts = list(records(form.get("parts")))
            for part in parts:
                if part.get("type") not in self.types:
                    text = f"a part of {row.get('id')} is of type {part.get('type')}, which is not in types.yaml"
                    self.faults.add(row, "type", f"{text}; correct it")
            if row.corrected or "only" in form or any(r.corrected for r in chart):
                continue
            wanted = [r for r in chart if r.get("division") == own and r.get("form") == form.get("form")]
            found = sorted(_part(part, figures(part)) for part in parts)
            told = [sorted(_part(p, str(p.get("figures"))) for p in records(r.get("parts"))) for r in wanted]
            if told and not any(_same(found, parts_) for parts_ in told):
                text = f"{row.get('id')} breaks down into {', '.join(found)}; the chart has {', '.join(told[0])}"
                self.faults.add(row, "components", f"{text} for {own} (WD 15.B); correct one")

    def _chart(self, name: str) -> list[Record]:
        for row in records(self.files.rows("charts.yaml", "charts")):
            if row.get("name") == name:
                return list(records(row.get("rows")))
        return []

    def _models(self) -> None:
        """All air units of one model and nationality are alike."""
        first: dict[tuple[Any, Any], Record] = {}
        for row in self.air:
            known = first.setdefault((row.get("model"), row.get("nat")), row)
            differ = [key for key in RATINGS if row.get(key) != known.get(key)]
            if differ and not (row.corrected or known.corrected):
                text = f"{row.get('id')} differs from {known.get('id')} of the same model in {', '.join(differ)}"
                self.faults.add(row, "model", f"{text}; correct one of them")

    def _types(self) -> None:
        nations = {nation for names in NATIONS.values() for nation in names}
        for row in records(self.files.rows("types.yaml", "types")):
            for special in records(row.get("by_nat")):
                if special.get("nat") not in nations:
                    text = f"by_nat of {row.get('slug')} names {special.get('nat')}"
                    self.faults.add(row, "nation", f"{text}; use one of: {', '.join(sorted(nations))}")

    def _keys(self) -> None:
        seen: dict[str, Record] = {}
        for row in records(self.files.rows("sources.yaml", "sources")):
            self.faults.unique(seen, str(row.get("key")), row, "source")
        ids: dict[str, Record] = {}
        for row in records(self.files.rows("rulings.yaml", "rulings")):
            self.faults.unique(ids, str(row.get("n")), row, "ruling number")
        markers: dict[str, Record] = {}
        for row in records(self.files.rows("counters.yaml", "markers")):
            self.faults.unique(markers, str(row.get("id")), row, "marker")

    def _cites(self, row: Record) -> None:
        cites = row.get("cites", [])
        for cite in cites if isinstance(cites, list) else []:
            if not self._known(str(cite)):
                self.faults.add(row, "cite", f"{cite} is no key of sources.yaml; add it there or correct it")

    def _known(self, cite: str) -> bool:
        if cite in self.cites or re.fullmatch(r"WD [0-9][0-9A-Za-z.]*", cite):
            return True
        stem = re.sub(r"-[0-9]+$", LINES, cite)
        return stem in self.cites or cite.split("-", 1)[0] == "RB"

    def _chart_words(self) -> None:
        """Places, turns and unit types that charts name."""
        slugs = {_slug(row.get("name")) for row in records(self.files.rows("map.yaml", "places"))}
        for row in self._chart("port_exceptions"):
            if row.get("place") not in slugs:
                self.faults.add(row, "place", f"there is no place {row.get('place')} on the map; correct it")
        for row in self._chart("air_repair"):
            if turn_number(row.get("from")) is None:
                self.faults.add(row, "turn", f"{row.get('from')} is no turn of the game; write it as Jul I 41")
        for row in self._chart("breakdowns"):
            for part in records(row.get("parts")):
                if part.get("type") not in self.types:
                    self.faults.add(row, "type", f"type {part.get('type')} is not in types.yaml; correct it")


def _keys(key: str) -> tuple[str, ...]:
    """The keys that one of sources.yaml stands for: A-1/2 is A-1 and A-2, too."""
    head, slash, tail = key.rpartition("/")
    return (key, head, f"{head.rpartition('-')[0]}-{tail}") if slash and "-" in head else (key,)


def _slug(name: object) -> str:
    return re.sub(r"[^a-z0-9]+", "-", str(name).lower()).strip("-")


def _part(part: Record, shown: str) -> str:
    aa = f" {part['aa_type']}" if "aa_type" in part else ""
    return f"{part.get('n')} {shown} {part.get('type')}{aa} {part.get('size')}"


def _same(found: list[str], wanted: list[str]) -> bool:
    """Alike but for parts of which the chart says any."""
    return len(found) == len(wanted) and all(
        one == other or re.fullmatch(re.escape(other).replace(r"\ any\ ", r"\ \S+\ "), one) is not None
        for one, other in zip(found, wanted, strict=True)
    )
