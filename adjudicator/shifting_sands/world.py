"""What never changes in a game: spaces, links, counters, cards and tables out of the compiled pack (DESIGN, rule 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.shifting_sands.nations import side_of

Record = Mapping[str, object]
BOXES = ("@reserve", "@replacement", "@eliminated", "@unplaced")
SICILY = "Sicily Box"


def rows(tree: object, key: str) -> list[Record]:
    """The mappings listed under a key of a pack tree."""
    value = tree.get(key) if isinstance(tree, dict) else None
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def text(row: Record, key: str, default: str = "") -> str:
    """A text of a pack row; the default where it has none (SS errata.card.X40)."""
    value = row.get(key, default)
    return value if isinstance(value, str) else default


def texts(row: Record, key: str) -> list[str]:
    """A list of texts of a pack row."""
    value = row.get(key)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


@dataclass(frozen=True, slots=True)
class Source:
    """A supply source: who may trace to the space while his side controls it, and further conditions (effects)."""

    user: str
    conditions: tuple[Record, ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the map. ``fort`` is the CF of the fort printed there, 0 for none (SS 2.1, 14.1)."""

    name: str
    slug: str
    region: str = ""
    area: str = ""
    terrain: str = "clear"
    control: str = ""
    fort: int = 0
    port: bool = False
    vp: bool = False
    sources: tuple[Source, ...] = ()
    west_of_tripoli: bool = False
    hold_from: str = ""

    @property
    def box(self) -> bool:
        """A box without stacking limit (ruling A62)."""
        return self.terrain == "box"


@dataclass(frozen=True, slots=True)
class Link:
    """A line between two spaces. ``only`` is what a dotted line prints: ``battlegroups``, ``lrdg``, ``allied``.

    ``whole_move``: crossing starts at one end and takes the whole movement (SS 10.21). ``no_axis_attack`` and
    ``attack_drm`` are printed restrictions of an attack across (SS 10.21, 10.22, 11.263).
    """

    a: str
    b: str
    only: str = ""
    whole_move: bool = False
    rd_stops: bool = False
    attack_drm: int = 0


@dataclass(frozen=True, slots=True)
class Counter:
    """A combat unit. ``cf`` at full and reduced strength; LF and MF are the same on both sides (SS 2.22)."""

    id: str
    nation: str
    size: str
    type: str
    cf: tuple[int, int]
    lf: int
    mf: int
    name: str = ""
    short: str = ""
    kind: str = ""
    dot: bool = False

    @property
    def side(self) -> str:
        """The side of its nation."""
        return side_of(self.nation)

    @property
    def division(self) -> bool:
        """A division, not a battlegroup (SS 2.21)."""
        return self.size == "division"

    @property
    def armor(self) -> bool:
        """An armor unit (SS 2.23)."""
        return self.type == "armor"


@dataclass
class World:
    """Map, counters, cards and tables of one scenario. ``links`` by space, in order of name; ``places`` are the sets of
    spaces into which reinforcements come (SS 7.53)."""

    spaces: dict[str, Space]
    links: dict[str, dict[str, Link]]
    counters: dict[str, Counter]
    cards: Mapping[str, Record] = field(default_factory=dict)
    tables: Record = field(default_factory=dict)
    regions: Mapping[str, Record] = field(default_factory=dict)
    scenario: Record = field(default_factory=dict)
    switches: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, Record] = field(default_factory=dict)
    setups: Mapping[str, Record] = field(default_factory=dict)
    _effects: dict[str, list[tuple[str, Record]]] = field(default_factory=dict, repr=False)

    def effects(self, do: str) -> list[tuple[str, Record]]:
        """Every effect of one kind with the name of its event, in the order of the cards."""
        if do not in self._effects:
            self._effects[do] = [
                (text(card, "name"), effect)
                for card in self.cards.values()
                for effect in rows(card, "effects")
                if text(effect, "do") == do
            ]
        return self._effects[do]

    def lasting(self, do: str) -> list[tuple[str, Record]]:
        """As :meth:`effects`, but of several cards of one name those of the first alone: the event is one."""
        key = f"{do} once"
        if key not in self._effects:
            first = {text(card, "name"): card for card in reversed(list(self.cards.values()))}
            self._effects[key] = [
                (name, effect)
                for name, card in reversed(list(first.items()))
                for effect in rows(card, "effects")
                if text(effect, "do") == do
            ]
        return self._effects[key]

    def option(self, rule: str) -> bool:
        """True where an optional rule of chapter 19 is in use; the 5th Mountain Division is by default (A57).

        SS faq.counters.2.
        """
        return rule in self.switches.get("options", "19.11").split()

    def space(self, name: str) -> Space:
        """A space by name. Raises KeyError."""
        return self.spaces[name]

    def neighbours(self, name: str) -> list[str]:
        """The spaces joined to one, in order of name."""
        return list(self.links.get(name, {}))

    def link(self, a: str, b: str) -> Link | None:
        """The line between two spaces, if there is one."""
        return self.links.get(a, {}).get(b)

    def switch(self, name: str, default: str) -> str:
        """A house-rule switch, the ruling's value where the game does not set it."""
        return self.switches.get(name, default)

    def in_region(self, name: str, region: str) -> bool:
        """True where a space lies in a region, or in a region of the group ``near_east`` (SS faq.map.7)."""
        space = self.spaces.get(name)
        if space is None:
            return False
        if space.region == region:
            return True
        return text(self.regions.get(space.region, {}), "group") == region


def joined(links: list[Link]) -> dict[str, dict[str, Link]]:
    """Links by space and neighbour, both ways, in order of name."""
    found: dict[str, dict[str, Link]] = {}
    for link in links:
        found.setdefault(link.a, {})[link.b] = link
        found.setdefault(link.b, {})[link.a] = link
    return {name: dict(sorted(ends.items())) for name, ends in sorted(found.items())}


def _flag(row: Record, key: str) -> bool:
    return row.get(key) == "yes"


def space_from_pack(row: Record) -> Space:
    """A space of the compiled pack (SS errata.map, faq.map.2, faq.map.4, faq.map.5, faq.map.6).

    Rules: SS 2.1, faq.map.7.
    """
    sources = tuple(
        Source(text(s, "user"), tuple(rows(s, "conditions")), text(s, "rule")) for s in rows(row, "sources")
    )
    return Space(
        name=text(row, "name"),
        slug=text(row, "slug"),
        region=text(row, "region"),
        area=text(row, "area"),
        terrain=text(row, "terrain") or "clear",
        control=text(row, "control"),
        fort=int(text(row, "fort") or "0"),
        port=_flag(row, "port"),
        vp=_flag(row, "vp"),
        sources=sources,
        west_of_tripoli=_flag(row, "west_of_tripoli"),
        hold_from=text(row, "hold_from"),
    )


def link_from_pack(row: Record) -> Link:
    """A line of the compiled pack."""
    return Link(
        a=text(row, "a"),
        b=text(row, "b"),
        only=text(row, "only"),
        whole_move=_flag(row, "whole_move"),
        rd_stops=_flag(row, "rd_stops"),
        attack_drm=int(text(row, "attack_drm") or "0"),
    )


def counter_from_pack(row: Record) -> Counter:
    """A counter of the compiled pack."""
    return Counter(
        id=text(row, "id"),
        nation=text(row, "nation"),
        size=text(row, "size"),
        type=text(row, "type"),
        cf=(int(text(row, "cf_full")), int(text(row, "cf_reduced"))),
        lf=int(text(row, "lf")),
        mf=int(text(row, "mf")),
        name=text(row, "name"),
        short=text(row, "short"),
        kind=text(row, "kind"),
        dot=_flag(row, "dot"),
    )


class UnknownScenario(ValueError):
    """The pack has no scenario of that name."""


def world_from_pack(pack: Record, scenario: str, switches: Mapping[str, str] | None = None) -> World:
    """Build the world. Raises :class:`UnknownScenario` with the names the pack has."""
    found = next((row for row in rows(pack, "scenarios") if text(row, "id") == scenario), None)
    if found is None:
        names = ", ".join(text(row, "id") for row in rows(pack, "scenarios"))
        raise UnknownScenario(f"the pack has no scenario {scenario}; it has {names}")
    tables = pack.get("tables")
    return World(
        spaces={text(row, "name"): space_from_pack(row) for row in rows(pack, "spaces")},
        links=joined([link_from_pack(row) for row in rows(pack, "links")]),
        counters={text(row, "id"): counter_from_pack(row) for row in rows(pack, "counters")},
        cards={text(row, "id"): row for row in rows(pack, "cards")},
        tables=tables if isinstance(tables, dict) else {},
        regions={text(row, "name"): row for row in rows(pack, "regions")},
        scenario=found,
        switches=dict(switches or {}),
        places={text(row, "name"): row for row in rows(pack, "places")},
        setups={text(row, "id"): row for row in rows(pack, "setups")},
    )
