"""Units, small boards and states out of case records (CASE-FORMS 3 and 4). Every form builds its position from these.

Small boards are ordinary boards: what a case does not mention is clear, empty land. The sample units of a case get
what the type table of the pack gives their type; what the record says itself goes before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

from adjudicator.engine.casecheck import NotBuilt, as_number
from adjudicator.packs import load_pack
from adjudicator.packs.western_desert.units import capabilities
from adjudicator.western_desert import hexes
from adjudicator.western_desert.board import Board, City, HexInfo, add_line, add_side
from adjudicator.western_desert.cases.core import Case, Record, as_record, as_texts
from adjudicator.western_desert.state import State, World
from adjudicator.western_desert.units import Unit, cadre_of, default_re2, fraction, with_back
from adjudicator.western_desert.world import world_from_pack

SCENARIO = "compass"
CENTRE = hexes.code(51, 10)
CLEAR = HexInfo()
NAMES = "ABCDEF"
SIZES_BY_TYPE = {
    "supply_counter": "none",
    "transport_counter": "none",
    "position_aa": "none",
    "headquarters": "headquarters",
}
_GONE_FOR_GOOD = ("libyan",)
_UNREPLACED = ("CCNN", "GAF", "Libyan")
"""Units that no replacement point brings back, by nationality or name (WD 29.B.pool)."""
_AXIS_NATIONS = ("german", "italian", "libyan")
_FLAGS = {
    "mot": "motorized",
    "arty": "artillery",
    "cav": "cavalry",
    "airborne": "airborne",
    "aslt": "assault",
    "giver": "giver",
}
_TEXTS = ("aeca", "aecd", "atec", "name")


# --- the pack ---------------------------------------------------------------------------------------------------


@cache
def real_world() -> World:
    """Board, counters and charts of the pack. Shared by all cases: never change it."""
    return world_from_pack(load_pack("western-desert").tree, SCENARIO)


@cache
def _types() -> dict[str, Mapping[str, object]]:
    return {str(row["slug"]): row for row in load_pack("western-desert").tree["types"]}


def find_hex(board: Board, text: str) -> int:
    """The hex of a number, a name on a small board, or a place as cases write it (``Tripoli, Lebanon``).

    Raises :class:`hexes.HexError` for anything else.
    """
    for place in board.places.values():
        if text in (place.name, place.slug) or text in place.aliases:
            return place.hex
    return board.find(text)


# --- units ------------------------------------------------------------------------------------------------------


def full_record(case: Case, record: Record) -> dict[str, object]:
    """A unit record with its template filled in."""
    return {**as_record(case.templates.get(str(record.get("t", "")))), **record}


def unit_from_record(case: Case, record: Record, owner: str = "") -> list[Unit]:
    """The ``n`` equal units of a record. ``owner`` serves where neither record nor template nor nation tells it."""
    full = full_record(case, record)
    count = int(str(full.get("n", 1)))
    base = str(full.get("id", ""))
    made = []
    for number in range(1, count + 1):
        case.made += 1
        uid = (f"{base}{number}" if count > 1 else base) if base else f"u{case.made:03d}"
        made.append(make_unit(uid, full, owner))
    return made


def units_from(case: Case, records: Iterable[Record], owner: str = "") -> list[Unit]:
    """The units of several records in order."""
    return [unit for record in records for unit in unit_from_record(case, record, owner)]


def is_cadre(case: Case, record: Record) -> bool:
    """True where the record says that the counter lies on its cadre side."""
    return full_record(case, record).get("state") == "cadre"


def make_unit(uid: str, full: Record, owner: str) -> Unit:
    """A unit of that id out of a record without template. ``owner`` as in :func:`unit_from_record`."""
    kind, nat = str(full.get("type", "infantry")), str(full.get("nat", ""))
    if kind not in _types() and kind not in SIZES_BY_TYPE:
        raise NotBuilt(f"a unit of the type {kind}: the data of the game have none")
    size = str(full.get("size") or SIZES_BY_TYPE.get(kind) or ("division" if "cadre" in full else "brigade"))
    attack, defense, movement = _figures(full)
    caps = _capabilities(full, kind, size, nat)
    re = as_number(full.get("re"))
    unit = Unit(
        id=uid,
        side=str(full.get("owner") or _side(nat, owner)),
        nat=nat,
        type=kind,
        size=size,
        attack=attack,
        defense=defense,
        movement=movement,
        name=str(full.get("name") or uid),
        short=str(full.get("name") or uid),
        re2=int(2 * re) if re is not None else default_re2(size, nat),
        division_re2=int(2 * (as_number(full.get("division_re")) or 0)),
        aa=as_number(full.get("aa")) or Fraction(0),
        armored=caps.get("armored") == "yes" or _types().get(kind, {}).get("armored") == "yes",
        replaceable=nat not in _GONE_FOR_GOOD and not any(word in str(full.get("name", "")) for word in _UNREPLACED),
    )
    return _with_cadre(_with_caps(unit, full, caps), full)


def _side(nat: str, owner: str) -> str:
    if nat:
        return "axis" if nat in _AXIS_NATIONS else "vichy" if nat == "vichy" else "allied"
    return owner or "allied"


def _figures(full: Record) -> tuple[Fraction, Fraction, int]:
    printed = as_number(full.get("printed"))
    attack = defense = printed if printed is not None else Fraction(0)
    movement = 8
    if "figures" in full:
        parts = [fraction(part) for part in str(full["figures"]).split("-")]
        attack, defense, movement = parts[0], parts[-2] if len(parts) > 1 else parts[0], int(parts[-1])
    attack = as_number(full.get("att")) if "att" in full else attack  # type: ignore[assignment]
    defense = as_number(full.get("def")) if "def" in full else defense  # type: ignore[assignment]
    return attack, defense, int(str(full.get("mp", movement)))


def _capabilities(full: Record, kind: str, size: str, nat: str) -> dict[str, str]:
    types = _types()
    row = {
        "size": size,
        "nat": nat,
        "supported": "yes" if _supported(full, kind, size) else "no",
        "motorized": "yes" if full.get("mot") is True else "no",
    }
    found = capabilities(row, dict(types.get(kind, types["infantry"])), ["division"], ["division", "headquarters"])
    return {key: str(value) for key, value in found.items()}


def _supported(full: Record, kind: str, size: str) -> bool:
    """Support as the record says, else as the size or type has it; a plain unit (``printed``) is supported."""
    if "supported" in full:
        return full["supported"] is True
    artillery = _types().get(kind, {}).get("artillery") == "yes"
    return size in ("division", "headquarters", "cadre") or artillery or "type" not in full


def _with_caps(unit: Unit, full: Record, caps: Mapping[str, str]) -> Unit:
    """Flags as the record says; where it is silent a template leaves them out and a bare type takes the table's.

    Heavy equipment by type only; what support gives is added with the cadre face (WD 3.F, ruling HEAVY-CADRE).
    """
    bare = "t" not in full
    flags: dict[str, bool] = {}
    for key, name in _FLAGS.items():
        table = {"assault": "assault_engineer", "giver": "gives_support"}.get(name, name)
        flags[name] = full[key] is True if key in full else bare and caps[table] == "yes"
    texts = {key: str(full[key]) for key in _TEXTS if key in full}
    if bare and "type" in full:
        texts = {**{key: caps[key] for key in ("aeca", "aecd", "atec")}, **texts}
    supported = _supported(full, unit.type, unit.size)
    heavy = caps["motorized"] == "yes" or _types().get(unit.type, {}).get("heavy") == "yes"
    return replace(unit, supported=supported, heavy=heavy, **flags, **texts)  # type: ignore[arg-type]


def _with_cadre(unit: Unit, full: Record) -> Unit:
    strength = as_number(full.get("cadre"))
    if strength is not None:
        return with_back(unit, str(strength))
    if full.get("state") == "cadre" and unit.size == "division":
        return replace(unit, back=cadre_of(unit, unit.defense))
    return with_back(unit, "")


# --- boards -----------------------------------------------------------------------------------------------------


def mini_board(radius: int = 5) -> Board:
    """Clear land around T; A to F are the six neighbours of T, clockwise from the north."""
    board = Board(dict.fromkeys(hexes.within(CENTRE, radius), CLEAR))
    board.names = {CENTRE: "T", **dict(zip(hexes.neighbours(CENTRE), NAMES, strict=True))}
    return board


def strip(length: int, prefix: str = "P", row: int = 10, first: int = 20) -> list[int]:
    """The hexes of a straight row from west to east. Each touches two of them; :func:`lone` gives one that touches
    only it."""
    return [hexes.code(first + i, row) for i in range(length)]


def lone(h: int) -> int:
    """The neighbour of a hex of a strip that touches no other hex of the strip."""
    return hexes.neighbours(h)[0 if hexes.column(h) % 2 else 3]


def beyond(h: int) -> int:
    """The hex two hexes off a hex of a strip, and farther from all others."""
    around = lone(h)
    return hexes.neighbours(around)[0 if hexes.column(h) % 2 else 3]


def strip_board(length: int, prefix: str = "P") -> tuple[Board, list[int]]:
    """Clear land with a strip of named hexes on it, P0, P1, ..."""
    path = strip(length)
    board = Board({h: CLEAR for step in path for h in hexes.within(step, 3)})
    board.names = {h: f"{prefix}{i}" for i, h in enumerate(path)}
    return board, path


def set_hex(board: Board, h: int, terrain: str = "clear", features: Sequence[str] = (), **more: object) -> None:
    """Print terrain and features in a hex; counters among the features are the state's (see :func:`set_features`)."""
    names = board.name(h)
    sizes = {"dot_city": "dot", "reference_city": "ref", "full_city": "full"}
    kinds = [*features, *(["full_city"] if terrain == "full_city" else [])]
    cities = tuple(City(names, sizes[kind]) for kind in dict.fromkeys(kinds) if kind in sizes)
    fortress = any(kind in ("fortress", "unimproved_fortress") for kind in features)
    board.land[h] = HexInfo(terrain=terrain, cities=cities, fortress=fortress, **more)  # type: ignore[arg-type]
    board.forget()


def set_side(board: Board, a: int, b: int, kind: str) -> None:
    """Print the side crossed from a into b, as the one who crosses sees it."""
    if kind.startswith("escarpment"):
        add_side(board, a, b, "escarpment", low=b if kind == "escarpment_down" else a)
    elif kind:
        add_side(board, a, b, kind)
    board.forget()


def set_line(board: Board, kind: str, a: int, b: int, name: str = "") -> None:
    """Join two hexes by ``road`` or ``rail``."""
    if kind in ("road", "rail"):
        add_line(board, kind, a, b, name or {"road": "the road", "rail": "the railroad"}[kind])


# --- states -----------------------------------------------------------------------------------------------------


def world(board: Board, units: Iterable[Unit] = ()) -> World:
    """A world of its own with the charts of the pack."""
    return World(board, {unit.id: unit for unit in units}, real_world().charts)


def new_state(board: Board, player: str = "allied", phase: str = "movement", owner: str = "") -> State:
    """An empty state; every land hex belongs to ``owner``, or as the map prints it where none is given."""
    state = State(world(board), turn=1, player=player, phase=phase, step=phase)
    state.control = {h: owner or info.control for h, info in board.land.items() if owner or info.control}
    return state


def put(state: State, unit: Unit, h: int, record: Record | None = None) -> None:
    """Add a unit to the world of the state and place it; ``gs``, ``state``, ``mp_used``, ``dropped`` of its record."""
    record = record or {}
    state.world.units[unit.id] = unit
    state.place(unit.id, h, cadre=record.get("state") == "cadre" and unit.back is not None)
    piece = state.pieces[unit.id]
    piece.gs = record.get("gs", True) is not False
    used = as_number(record.get("mp_used"))
    if used:
        piece.spent2, piece.entered, piece.means = int(2 * used), 1, "normal"
    if record.get("dropped") is True or record.get("seaborne") is True:
        state.set_dropped(unit.id, True)


def put_all(case: Case, state: State, records: Iterable[Record], h: int, owner: str = "") -> list[str]:
    """Place the units of records in a hex and return their ids."""
    ids: list[str] = []
    for record in records:
        full = full_record(case, record)
        for unit in unit_from_record(case, record, owner):
            put(state, unit, h, full)
            ids.append(unit.id)
    return ids


def set_features(state: State, h: int, features: Sequence[str], owner: str) -> None:
    """The features of a hex that are no print: forts, airfields and the state of a fortress."""
    if "fort" in features:
        state.forts[h] = owner
    if "airfield" in features:
        state.airfields[h] = owner
    if "unimproved_fortress" in features:
        state.unimproved.add(h)


def mp_used(case: Case, record: Record, state: State, uid: str) -> None:
    """``mp_left`` of a record: what is not left has been spent."""
    left = as_number(full_record(case, record).get("mp_left"))
    if left is not None:
        piece = state.pieces[uid]
        piece.spent2 = max(0, int(2 * (state.unit(uid).movement - left)))
        piece.entered = 1 if piece.spent2 else 0


def order_texts(record: Record, key: str) -> list[str]:
    """A list argument of an order record."""
    return as_texts(record.get(key))
