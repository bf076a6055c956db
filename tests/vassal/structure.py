"""Judges a module or save as the engine would, from lists of what VASSAL 3.7.26 knows.

`engine.json` holds each component's attributes, types, values and children, and each trait's number of
type fields. Every fault is a line; a sound file gives none.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lxml import etree

from adjudicator.vassal.reader import ReadError, ReadModule, ReadPiece, ReadSave, parse_xml, read_stream
from adjudicator.vassal.savefile import deobfuscate
from adjudicator.vassal.sequence import decode

ENGINE = (3, 7, 26)
MODULE, MAP, WIDGET = "VASSAL.build.module.", "VASSAL.build.module.map.", "VASSAL.build.widget."
GRID = MAP + "boardPicker.board."
# What the engine's lists leave out: attributes it reads without showing them, parts it adds by itself.
EXTRA_ATTRIBUTES = {
    "VASSAL.build.GameModule": (
        "name", "version", "VassalVersion", "description", "nextPieceSlotId", "ModuleOther1", "ModuleOther2",
    ),
    MAP + "BoardPicker": (
        "addColumnText", "addRowText", "boardPrompt", "slotHeight", "slotScale", "slotWidth", "title",
    ),
    WIDGET + "PieceSlot": ("entryName", "gpid", "width", "height"),
    WIDGET + "CardSlot": ("entryName", "gpid", "width", "height"),
    MODULE + "PrototypeDefinition": ("name", "description"),
}  # fmt: skip
PLAIN = {"entry": MODULE + "PlayerRoster", "setup": MAP + "BoardPicker", "option": MODULE + "GlobalOptions"}
MAP_PARTS = (
    "BoardPicker", "StackMetrics", "ForwardToKeyBuffer", "Scroller", "ForwardToChatter", "MenuDisplayer",
    "MapCenterer", "StackExpander", "PieceMover", "KeyBufferer", "SelectionHighlighters",
)  # fmt: skip
HAND_PARTS = ("HandMetrics", *(part for part in MAP_PARTS if part not in ("StackMetrics", "StackExpander")))
ROOT_PARTS = ("BasicCommandEncoder", "Documentation", "PlayerRoster", "GlobalOptions", "PrototypesContainer")


@cache
def engine() -> dict[str, Any]:
    """The lists, as read from the file beside this one."""
    tree: dict[str, Any] = json.loads((Path(__file__).parent / "engine.json").read_text(encoding="utf-8"))
    return tree


def module_problems(module: ReadModule) -> list[str]:
    """Everything wrong with a module."""
    checks = (
        _metadata, _elements, _required, _gpids, _pieces, _images, _pictures, _boards, _maps, _files, _zones,
        _trackers, _destinations, _piles, _camera,
    )  # fmt: skip
    found: list[str] = []
    for check in checks:
        try:
            found += check(module)
        except (ReadError, ValueError) as error:
            found.append(f"{check.__name__}: {error}")
    return found


# --- the whole -----------------------------------------------------------------------------


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))


def _metadata(module: ReadModule) -> Iterator[str]:
    if module.root.tag != "VASSAL.build.GameModule":
        yield f"the root is {module.root.tag}"
    if not module.metadata:
        yield "moduledata is missing"
    if "savedGame" in module.entries:
        yield "a module must hold no savedGame"
    for where, text in (
        ("buildFile", module.root.get("VassalVersion", "")),
        ("moduledata", module.metadata.get("VassalVersion", "")),
    ):
        if not text or _version(text) > ENGINE:
            yield f"{where}: VassalVersion {text!r} is newer than the engine"
    if module.metadata.get("name") != module.name:
        yield "moduledata and buildFile name the module differently"
    if module.metadata.get("version") != module.root.get("version"):
        yield "moduledata and buildFile give different versions"


def _elements(module: ReadModule) -> Iterator[str]:
    for element in module.root.iter():
        if not isinstance(element.tag, str):
            continue
        parent = element.getparent()
        if element.tag in PLAIN:
            if parent is None or parent.tag != PLAIN[element.tag]:
                yield f"<{element.tag}> in the wrong place"
            continue
        yield from _known(element)
        if parent is not None:
            yield from _child(parent, element)


def _known(element: etree._Element) -> Iterator[str]:
    tag = str(element.tag)
    spec = engine()["components"].get(tag)
    if spec is None and tag not in EXTRA_ATTRIBUTES and tag != MODULE + "BasicCommandEncoder":
        yield f"unknown class {tag}"
        return
    attributes = spec["attributes"] if spec else {}
    for name, value in ((str(k), str(v)) for k, v in element.attrib.items()):
        if name in attributes:
            fault = _attribute_fault(attributes[name], value)
            if fault:
                yield f"{tag}: {name}={value!r} is {fault}"
        elif name not in EXTRA_ATTRIBUTES.get(tag, ()):
            yield f"{tag}: unknown attribute {name}"


_STROKE = re.compile(r"\d+,\d+(,\w+)?")


def _attribute_fault(spec: Mapping[str, Any], value: str) -> str:
    """Why the engine would not take the value, or empty."""
    kind = spec["type"]
    if kind == "Integer" and not re.fullmatch(r"-?\d+", value):
        return "no whole number"
    if kind == "Double" and not re.fullmatch(r"-?\d+(\.\d+)?", value):
        return "no number"
    if kind == "Boolean" and value not in ("true", "false"):
        return "neither true nor false"
    if kind == "Color" and value and not re.fullmatch(r"\d{1,3}(,\d{1,3}){2,3}", value):
        return "no colour"
    if kind in ("NamedKeyStroke", "KeyStroke") and value and not _STROKE.fullmatch(value):
        return "no key stroke"
    if kind in ("Prompt", "PromptOnOff") and value not in spec["values"]:
        return f"none of {spec['values']}"
    return ""


_ADDED = {
    MODULE + "Map": {MAP + part for part in MAP_PARTS},
    MODULE + "PlayerHand": {MAP + part for part in (*MAP_PARTS, "HandMetrics")},
}


def _child(parent: etree._Element, element: etree._Element) -> Iterator[str]:
    allowed = (engine()["components"].get(parent.tag) or {}).get("children")
    if parent.tag == "VASSAL.build.GameModule" or (parent.tag.startswith(WIDGET) and allowed is None):
        return
    if allowed is not None and element.tag not in {*allowed, *_ADDED.get(str(parent.tag), ())}:
        yield f"{element.tag} is no child of {parent.tag}"


def windows(module: ReadModule) -> list[etree._Element]:
    """Maps and hands."""
    return [*module.elements("module.Map"), *module.elements("module.PlayerHand")]


def _required(module: ReadModule) -> Iterator[str]:
    present = {str(child.tag) for child in module.root}
    for part in ROOT_PARTS:
        if MODULE + part not in present:
            yield f"{part} is missing"
    for element in module.elements(".GlobalOptions"):
        if element.get("storeLeadingZeroIntegersAsStrings") != "true":
            yield "GlobalOptions: hexes such as 0406 would lose their zero"
        if element.get("inventoryForAll") != "Never":
            yield "GlobalOptions: the inventory would show private windows"
    for element in windows(module):
        children = [str(child.tag) for child in element]
        for part in HAND_PARTS if element.tag == MODULE + "PlayerHand" else MAP_PARTS:
            if MAP + part not in children:
                yield f"map {element.get('mapName')}: {part} is missing"
        if children and children[0] != MAP + "BoardPicker":
            yield f"map {element.get('mapName')}: the board picker is not first"


# --- pieces --------------------------------------------------------------------------------


def _gpids(module: ReadModule) -> Iterator[str]:
    for gpid in module.repeated:
        yield f"gpid {gpid} is there twice"
    highest = 0
    for gpid, piece in module.slots.items():
        if not gpid.isdigit():
            yield f"gpid {gpid!r} is no number"
            continue
        highest = max(highest, int(gpid))
        if piece.basic.gpid != gpid:
            yield f"slot {gpid}: its piece has gpid {piece.basic.gpid!r}"
        if piece.id != "null" or piece.basic.map != "null":
            yield f"slot {gpid}: its piece is on a map"
    if int(module.root.get("nextPieceSlotId", "0")) <= highest:
        yield "nextPieceSlotId is not above the highest gpid"


def _pieces(module: ReadModule) -> Iterator[str]:
    for element in (*module.elements(".PieceSlot"), *module.elements(".CardSlot")):
        if not (element.text or "").strip().endswith(tuple("0123456789")):
            yield f"slot {element.get('entryName')}: an empty state at the end would be trimmed"
    for where, piece in (*module.slots.items(), *module.prototypes.items()):
        for fault in piece_faults(piece):
            yield f"piece {where}: {fault}"
        for trait in piece.traits:
            if trait.name == "prototype" and trait.fields()[1] not in module.prototypes:
                yield f"piece {where}: there is no prototype {trait.fields()[1]!r}"


def piece_faults(piece: ReadPiece) -> Iterator[str]:
    """Traits the engine does not know, or that hold what it cannot use."""
    known = engine()["traits"]
    for trait in piece.traits[:-1]:
        if trait.name not in known:
            yield f"unknown trait {trait.name!r}"
        elif trait.name != "mark" and len(trait.fields()) > known[trait.name]:
            yield f"trait {trait.name} has {len(trait.fields())} type fields, at most {known[trait.name]}"
        if trait.name == "emb2":
            yield from _layer_faults(trait.fields(), trait.state)
        if trait.name == "mark":
            names = decode(trait.type.partition(";")[2], ",")
            if len(decode(trait.state, ",")) != len(names):
                yield f"mark {names} has another number of values"
        if trait.name == "markmoved" and trait.state not in ("true", "false"):
            yield f"markmoved has state {trait.state!r}"


def _layer_faults(fields: list[str], state: str) -> Iterator[str]:
    images, names = decode(fields[16], ","), decode(fields[17], ",")
    level = decode(state, ";")[0]
    if len(images) != len(names):
        yield f"layer {fields[19]} has {len(images)} pictures and {len(names)} names"
    if not level.lstrip("-").isdigit() or not 1 <= abs(int(level)) <= len(images):
        yield f"layer {fields[19]} has no level {level!r}"
    if fields[25] != "1":
        yield f"layer {fields[19]} is of an old version"


# --- pictures ------------------------------------------------------------------------------


def used_images(module: ReadModule) -> set[str]:
    """All pictures the module names, without the engine's own."""
    pieces = (*module.slots.values(), *module.prototypes.values())
    used: set[str] = {image for piece in pieces for image in piece.images()}
    for element in module.root.iter():
        if isinstance(element.tag, str):
            keys = [k for k in element.attrib if k == "image" or "icon" in str(k).lower()]
            used |= {str(element.get(k)) for k in keys if element.get(k)}
            if element.tag == WIDGET + "Chart" and element.get("fileName"):
                used.add(str(element.get("fileName")))
    return {image for image in used if not image.startswith("/")}


def _images(module: ReadModule) -> Iterator[str]:
    there = {name.removeprefix("images/") for name in module.entries if name.startswith("images/")}
    used = used_images(module)
    for name in sorted(used - there):
        yield f"picture {name} is not in the archive"
    for name in sorted(there - used):
        yield f"picture {name} is never used"


def _pictures(module: ReadModule) -> Iterator[str]:
    for name, data in module.entries.items():
        if name.startswith("images/") and name.endswith(".svg"):
            for fault in svg_faults(data):
                yield f"{name}: {fault}"
        elif name.startswith("images/") and not name.endswith((".png", ".jpg", ".gif")):
            yield f"{name}: no kind of picture the engine reads"


_BAD_PAINT = re.compile(r"rgba\(|#[0-9a-fA-F]{8}\b|#[0-9a-fA-F]{4}\b|\btransparent\b|var\(")


def svg_faults(data: bytes) -> Iterator[str]:
    """What Batik draws black, wrong or not at all."""
    root = parse_xml(data)
    for key in ("width", "height"):
        if not re.fullmatch(r"\d+(\.\d+)?(px)?", root.get(key, "")):
            yield f"{key} is not in plain pixels"
    if root.get("version", "1.1") not in ("1.0", "1.1"):
        yield f"version {root.get('version')}"
    for element in root.iter():
        for name, text in ((str(k), str(v)) for k, v in element.attrib.items()):
            if _BAD_PAINT.search(text):
                yield f"{name}={text!r} comes out black"
            if name == "id" and len(text) < 3:
                yield f"id {text!r} is too short"
            if name == "dominant-baseline":
                yield "dominant-baseline is ignored"
            if name == "href":
                yield "href without xlink draws nothing"
            if text.endswith("%"):
                yield f"{name}={text!r}: percentages are unsafe"


# --- boards --------------------------------------------------------------------------------


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG. Raises ValueError for what is none."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        raise ValueError("a board picture is no PNG")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _boards(module: ReadModule) -> Iterator[str]:
    names: set[str] = set()
    for element in module.elements("boardPicker.Board"):
        name = element.get("name", "")
        if name in names:
            yield f"board {name} is there twice"
        names.add(name)
        if not element.get("image") and not element.get("width"):
            yield f"board {name} has neither picture nor size"
    for setup in module.root.iter("setup"):
        tokens = decode(setup.text or "", "\t")
        window = setup.getparent().getparent()  # type: ignore[union-attr]
        if window is None or tokens[0] != f"{window.get('mapName')}BoardPicker":
            yield f"set-up {tokens[0]!r} is not that of its map"
        for board in tokens[1::3]:
            if board not in names:
                yield f"set-up names an unknown board {board!r}"


def tile_problems(module: ReadModule) -> list[str]:
    """Boards that may show old tiles. It is our own rule: the engine keeps tiles by a picture's name and time, and the
    times in our archives are always the same.
    """
    found: list[str] = []
    for element in module.elements("boardPicker.Board"):
        image = element.get("image", "")
        data = module.entries.get(f"images/{image}", b"")
        if hashlib.sha256(data).hexdigest()[:10] not in image:
            found.append(f"board picture {image}: its name does not come from its content")
    return found


def _maps(module: ReadModule) -> Iterator[str]:
    names: set[str] = set()
    for element in windows(module):
        name = element.get("mapName", "")
        if name in names:
            yield f"map {name} is there twice"
        names.add(name)
        boards = element.findall(f"{MAP}BoardPicker/{MAP}boardPicker.Board")
        if len(boards) > 1 and element.find(f"{MAP}BoardPicker/setup") is None:
            yield f"map {name}: the player would be asked for boards at every new game"
    for element in module.elements("map.Zoomer"):
        levels = [float(text) for text in element.get("zoomLevels", "").split(",")]
        if levels != sorted(levels) or not 1 <= int(element.get("zoomStart", "0")) <= len(levels):
            yield "zoom levels do not rise, or the first is none of them"
    for element in module.elements("map.SetupStack"):
        board = element.get("owningBoard")
        if board not in {b.get("name") for b in module.elements("boardPicker.Board")}:
            yield f"at-start stack {element.get('name')} lies on no board"


def _zones(module: ReadModule) -> Iterator[str]:
    for board in module.elements("boardPicker.Board"):
        data = module.entries.get(f"images/{board.get('image')}")
        if data is None or not str(board.get("image")).endswith(".png"):
            continue
        width, height = png_size(data)
        for zone in board.iter(GRID + "mapgrid.Zone"):
            path = [tuple(map(int, p.split(","))) for p in zone.get("path", "").split(";")]
            if len(path) < 3:
                yield f"zone {zone.get('name')} has no area"
            if any(not (0 <= x <= width and 0 <= y <= height) for x, y in path):
                yield f"zone {zone.get('name')} reaches beyond its board"
            if len([child for child in zone if "Grid" in str(child.tag)]) > 1:
                yield f"zone {zone.get('name')} has two grids"


def _piles(module: ReadModule) -> Iterator[str]:
    """Piles of cards: their names, boards and cards, and the sides of the hands."""
    names: set[str] = set()
    boards = {b.get("name") for b in module.elements("boardPicker.Board")}
    for pile in module.elements(".DrawPile"):
        name = pile.get("name", "")
        if name in names:
            yield f"pile {name} is there twice"
        names.add(name)
        if pile.get("owningBoard") not in boards:
            yield f"pile {name} lies on no board"
        for slot in pile.iter(WIDGET + "CardSlot"):
            if "obs" not in {trait.name for trait in module.slots[slot.get("gpid", "")].traits}:
                yield f"pile {name}: card {slot.get('entryName')} has no back"
    for hand in module.elements("module.PlayerHand"):
        if not set(decode(hand.get("side", ""), ",")) <= set(module.sides):
            yield f"hand {hand.get('mapName')} is of no side"


def _trackers(module: ReadModule) -> Iterator[str]:
    for element in module.elements(".ListTurnLevel"):
        if not decode(element.get("list", ""), ",")[0]:
            yield f"turn level {element.get('name')} has no entries"


def _destinations(module: ReadModule) -> Iterator[str]:
    """Where menu commands send pieces, and the commands a sub-menu gathers."""
    zones = {e.get("name") for e in module.elements("mapgrid.Zone")}
    maps = {e.get("mapName") for e in module.elements("module.Map")}
    for piece in (*module.slots.values(), *module.prototypes.values()):
        for trait in piece.traits:
            fields = trait.fields()
            if trait.name == "sendto" and (fields[3] not in maps or fields[15] not in zones):
                yield f"{piece.name}: sends to {fields[3]!r}, {fields[15]!r}, which are not there"
            if trait.name == "submenu":
                menus = {t.fields()[1] for t in piece.traits if t.name == "sendto"}
                for command in decode(fields[2], ","):
                    if command not in menus:
                        yield f"{piece.name}: sub-menu names {command!r}, which is no command"


def _files(module: ReadModule) -> Iterator[str]:
    named = {"buildFile.xml", "moduledata"}
    for element in module.root.iter():
        for key in ("fileName", "file", "pdfFile", "logfile"):
            value = str(element.get(key) or "")
            if value and element.tag != WIDGET + "Chart":
                named.add(value)
                if value not in module.entries:
                    yield f"{element.tag}: file {value} is not in the archive"
    for name in module.entries:
        if name not in named and not name.startswith("images/"):
            yield f"file {name} is never used"


def _properties(module: ReadModule) -> set[str]:
    return {element.get("name", "") for element in module.elements("properties.GlobalProperty")}


def _camera(module: ReadModule) -> Iterator[str]:
    """Buttons that move the view, and what presses them when a game is opened."""
    for element in module.elements("map.MoveCameraButton"):
        for key in ("xPos", "yPos"):
            name = element.get(key, "").strip("$")
            if not name.isdigit() and name not in _properties(module):
                yield f"the camera looks at {name!r}, which is no property"
    listening = {str(element.get("hotkey")) for element in module.root.iter() if element.get("hotkey")}
    for element in module.elements(".StartupGlobalKeyCommand"):
        key = element.get("globalHotkey", "")
        if element.get("hotkeyOrKeyCommand") == "sendHotkey" and key not in listening:
            yield f"nobody listens to {key}"


# --- saves ---------------------------------------------------------------------------------


def read_entries(entries: Mapping[str, bytes]) -> ReadSave:
    """A save from the entries of its archive."""
    return read_stream(deobfuscate(entries["savedGame"]))


def save_problems(save: ReadSave, module: ReadModule) -> list[str]:
    """Everything wrong with a save of this module."""
    found = [f"unknown command {command[:60]!r}" for command in save.unknown]
    commands = save.commands
    if not commands or commands[0] != "begin_save" or commands[-1] != "end_save":
        found.append("the position does not begin and end as the engine needs")
    if not save.has_setup_mark:
        found.append("without SETUP_STACK every at-start stack would be there twice")
    if save.module_metadata and save.module_metadata.get("name") != module.name:
        found.append("the save names another module")
    found += _board_faults(save, module)
    maps = {e.get("mapName") for e in module.root.iter() if e.get("mapName")}
    for piece in save.pieces.values():
        found += [f"piece {piece.id}: {fault}" for fault in _placed_faults(piece, module, maps)]
    found += _stack_faults(save)
    found += _pile_faults(save, module)
    found += _tracker_faults(save, module)
    found += _property_faults(save, module)
    return found


def _property_faults(save: ReadSave, module: ReadModule) -> Iterator[str]:
    """Values of global properties that the engine would drop."""
    for command in save.commands:
        if command.startswith("GlobalProperty\t;"):
            _, name, _, container = decode(command, ";")
            if name not in _properties(module):
                yield f"there is no property {name!r}"
            if container != "Module":
                yield f"the property {name} is not the module's"


def _board_faults(save: ReadSave, module: ReadModule) -> Iterator[str]:
    for element in windows(module):
        name = element.get("mapName", "")
        boards = [b.get("name") for b in element.iter(MAP + "boardPicker.Board")]
        if save.boards.get(name, [])[::3] != boards:
            yield f"map {name}: the save lays out other boards"


def expanded_types(piece: ReadPiece, module: ReadModule) -> list[str]:
    """A slot's trait types with its prototypes expanded."""
    types: list[str] = []
    for trait in piece.traits:
        if trait.name == "prototype":
            types += expanded_types(module.prototypes[trait.fields()[1]], module)[:-1]
        else:
            types.append(trait.type)
    return types


def _placed_faults(piece: ReadPiece, module: ReadModule, maps: set[str | None]) -> Iterator[str]:
    yield from piece_faults(piece)
    basic = piece.basic
    if any(trait.name == "prototype" for trait in piece.traits):
        yield "a prototype must be expanded in a save"
    if basic.map not in maps:
        yield f"there is no map {basic.map!r}"
    if basic.properties.get("UniqueID") != piece.id:
        yield "its UniqueID is not its id"
    slot = module.slots.get(basic.gpid)
    if slot is None:
        yield f"no counter has gpid {basic.gpid!r}"
    elif expanded_types(slot, module) != [trait.type for trait in piece.traits]:
        yield f"its traits are not those of counter {basic.gpid}"


def _stack_faults(save: ReadSave) -> Iterator[str]:
    homes: dict[str, str] = {}
    spots: set[tuple[str, int, int, int]] = set()
    for stack in save.stacks.values():
        spot = (stack.map, stack.x, stack.y, stack.layer)
        if spot in spots:
            yield f"stack {stack.id}: a second stack of its layer on one spot"
        spots.add(spot)
        layers = {save.pieces[member].marks().get("PieceLayer") for member in stack.pieces}
        if len(layers) > 1:
            yield f"stack {stack.id}: mixes visual layers"
        for member in stack.pieces:
            basic = save.pieces[member].basic
            if member in homes:
                yield f"piece {member} is in two stacks"
            homes[member] = stack.id
            if (basic.map, basic.x, basic.y) != (stack.map, stack.x, stack.y):
                yield f"piece {member} is not where its stack is"
    for deck in save.decks.values():
        homes.update((card, "deck") for cards in decode(deck, ";")[4:] for card in decode(cards, ","))
    for piece_id, piece in save.pieces.items():
        loose = any(t.name == "immob" and t.fields()[3][:1] == "R" for t in piece.traits)
        if piece_id not in homes and not loose:
            yield f"piece {piece_id} is in no stack"


def _pile_faults(save: ReadSave, module: ReadModule) -> Iterator[str]:
    """Every pile of the module must be in the save once, by its name, and hold pieces that lie there."""
    known = {pile.get("name", ""): pile for pile in module.elements(".DrawPile")}
    found: list[str] = []
    for name, state in save.decks.items():
        fields, type_fields = decode(state, ";"), decode(save.deck_types[name], ";")
        found.append(type_fields[13])
        pile = known.get(type_fields[13])
        if pile is None:
            yield f"pile {name}: the module has no pile {type_fields[13]!r}"
            continue
        if len(type_fields) != 50 or type_fields[5] != pile.get("faceDown") or type_fields[6] != pile.get("shuffle"):
            yield f"pile {name}: its fields are not those of the module's"
        for card in decode(fields[4], ",") if len(fields) > 4 else []:
            basic = save.pieces[card].basic
            if [basic.map, str(basic.x), str(basic.y)] != fields[:3]:
                yield f"card {card} does not lie where its pile is"
    if sorted(found) != sorted(known):
        yield f"the save has the piles {sorted(found)}, the module {sorted(known)}"


def _tracker_faults(save: ReadSave, module: ReadModule) -> Iterator[str]:
    trackers = module.elements(".TurnTracker")
    for number, state in save.trackers.items():
        index = int(number.removeprefix("TurnTracker"))
        if index >= len(trackers):
            yield f"there is no turn tracker {index}"
            continue
        text = decode(state, "|")[1]
        for level in trackers[index].iter(MODULE + "turn.ListTurnLevel", MODULE + "turn.CounterTurnLevel"):
            fields = decode(text, ";")
            text = fields[4] if len(fields) > 4 else ""
            if str(level.tag).endswith("CounterTurnLevel"):
                continue
            entries = decode(str(level.get("list", "")), ",")
            if not fields[0].isdigit() or int(fields[0]) >= len(entries):
                yield f"turn level {level.get('name')} has no entry {fields[0]!r}"
            if len(decode(fields[3], ",")) != len(entries):
                yield f"turn level {level.get('name')} has {len(entries)} entries, the save another number"
