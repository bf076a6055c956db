"""Saves and logs: the command stream, its obfuscation and the archive round it."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from html import escape

from adjudicator.vassal.model import VIEW, Deck, Map, Module, Piece, Placement, PrototypeDefinition, Save, expand
from adjudicator.vassal.sequence import ESC, TAB, encode, nest
from adjudicator.vassal.traits import Trait

# The engine compares this with its own: an older patch level of the same minor is silent.
ENGINE_VERSION = "3.7.0"
# A fixed date: the file says which state it shows by its comment, not by the clock.
FIXED_DATE = "1700000000000"
MARKER = "!VCSK"
NEW_MARKER = b"VOBS"


class SaveError(ValueError):
    """A save that cannot be written or read; the message says why."""


# --- obfuscation ---------------------------------------------------------------------------


def obfuscate(text: str) -> bytes:
    """The text as the engine stores it: a key byte, then each byte XOR the key, all in hex.

    The key comes from the text itself, so that equal positions give equal files.
    """
    data = text.encode("utf-8")
    key = (zlib.crc32(data) & 0xFF) or 0x5A
    return (MARKER + f"{key:02x}" + data.translate(_xor_table(key)).hex()).encode("ascii")


def _xor_table(key: int) -> bytes:
    return bytes(b ^ key for b in range(256))


def deobfuscate(data: bytes) -> str:
    """The text of a saved game in the hex form, the newer raw form, or plain.

    Raises SaveError for a broken header, broken hex or broken UTF-8.
    """
    try:
        if data.startswith(MARKER.encode("ascii")):
            if len(data) < 7:
                raise SaveError("the saved game ends within its header")
            key = int(data[5:7], 16)
            body = bytes.fromhex(data[7:].decode("ascii"))
        elif data.startswith(NEW_MARKER):
            if len(data) < 5:
                raise SaveError("the saved game ends within its header")
            key, body = data[4], data[5:]
        else:
            key, body = 0, data
        return body.translate(_xor_table(key)).decode("utf-8")
    except (ValueError, UnicodeDecodeError) as error:
        raise SaveError(f"the saved game cannot be read ({error})") from error


# --- commands ------------------------------------------------------------------------------

_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\ufffe\uffff]")


def plain(text: str) -> str:
    """Text without control characters: the engine splits commands at an escape wherever it stands."""
    return _CONTROL.sub("", text)


def add_command(piece_id: str, type_text: str, state: str) -> str:
    """Adds a piece, a stack or a deck."""
    return "+/" + encode((piece_id, type_text, state), "/")


def remove_command(piece_id: str) -> str:
    """Takes a piece out of the game."""
    return f"-/{piece_id}"


def change_command(piece_id: str, new_state: str, old_state: str) -> str:
    """Changes the traits of a piece from one state to another. It must not move it."""
    return "D/" + encode((piece_id, new_state, old_state), "/")


def move_command(
    piece_id: str,
    map_name: str,
    to: tuple[int, int],
    from_map: str,
    start: tuple[int, int],
    player: str = "",
    under: str = "null",
    left: str = "null",
) -> str:
    """Moves a piece between two points, onto another piece or (`null`) under those that are there.

    It lay on the piece `left`: undo puts it back there.
    """
    there = (map_name, str(to[0]), str(to[1]), under)
    here = (from_map, str(start[0]), str(start[1]), left)
    return "M/" + encode((piece_id, *there, *here, player), "/")


def stack_command(stack_id: str, map_name: str, at: tuple[int, int], ids: Iterable[str], layer: int) -> str:
    """A stack of pieces, bottom first, in a visual layer (-1 for none)."""
    state = encode((map_name, str(at[0]), str(at[1]), *ids, f"@@{layer}"), ";")
    return add_command(stack_id, "stack", state)


def deck_type(deck: Deck) -> str:
    """The fixed part of a pile, in the order of the engine's fields; its name ties it to the module's."""
    face = "Always" if deck.face_down else "Never"
    head = ("deck", "true", "0,0,0", str(deck.width), str(deck.height), face, "Never", "false", "true", "false", "", "")
    texts = ("Shuffle", "Reverse", "", "Draw multiple cards", "Draw specific cards", "Face up", "Face down")
    tail = ("", "", "", "", "Save Deck", "", "", "Load Deck", "", "", "false", "")
    middle = ("", deck.name, "", "", "", "false", "false", "", "", "15", "", "false", "", "false", "")
    return encode((*head, *middle, "$BasicName$", "", "false", "", *texts, *tail), ";")


def deck_state(deck: Deck, map_name: str, at: tuple[int, int], ids: Iterable[str]) -> str:
    """Where a pile lies, which side its cards show, and the cards, the top one last."""
    found = list(ids)
    place = [map_name, str(at[0]), str(at[1]), "true" if deck.face_down else "false"]
    return encode([*place, encode(found, ",")] if found else place, ";")


def chat_command(text: str) -> str:
    """A line in the chat. Markup signs are written out: the engine would take them for tags."""
    return "CHAT" + plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def boards_command(window: Map) -> str:
    """The boards of a map, in one row."""
    places = [token for i, b in enumerate(window.boards) for token in (b.name, str(i), "0")]
    return encode((f"{window.name}BoardPicker", *places), TAB)


def turn_command(tracker: int, state: str) -> str:
    """Sets a turn tracker, named by its number in build order."""
    return encode((f"TURNTurnTracker{tracker}", state), TAB)


def notes_command(prefix: str, text: str) -> str:
    """Scenario notes (NOTES) or public notes (PNOTES); line feeds become bars."""
    lines = encode([plain(line) for line in text.split("\n")], "|")
    return encode((prefix, lines), TAB)


def property_command(name: str, value: str) -> str:
    """Sets a global property of the module."""
    return encode(("GlobalProperty" + TAB, name, value, "Module"), ";")


def log_step(commands: Iterable[str]) -> str:
    """One press of Step: each command logged, together one token of the stream."""
    return encode([f"LOG{TAB}{command}" for command in commands], ESC)


def stream(commands: Iterable[str]) -> str:
    """The commands of a game file as one text."""
    return encode(commands, ESC)


def turn_state(levels: tuple[int, ...], sizes: tuple[int, ...]) -> str:
    """The state of a tracker of nested lists: the index of each level, outermost first."""
    state = ""
    for index, size in reversed(list(zip(levels, sizes, strict=True))):
        own = (str(index), "0", "0", encode(["true"] * size, ","))
        state = encode((*own, state) if state else own, ";")
    return encode(("0", state), "|")


# --- a position ----------------------------------------------------------------------------


class Writer:
    """Writes positions and logs of one module; keeps the expanded traits of its pieces."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._pieces: Mapping[str, Piece] = {piece.key: piece for piece in module.pieces}
        self._prototypes: Mapping[str, PrototypeDefinition] = {p.name: p for p in module.prototypes}
        self._expanded: dict[str, tuple[Trait, ...]] = {}
        self._types: dict[str, str] = {}
        self.decks: Mapping[str, tuple[Deck, Map]] = {d.id: (d, window) for window in module.maps for d in window.decks}

    def traits(self, key: str) -> tuple[Trait, ...]:
        """All traits of a kind of counter as a save holds them, the basic piece last."""
        if key not in self._expanded:
            piece = self._pieces[key]
            self._expanded[key] = (*expand(piece.traits, self._prototypes), piece.basic())
        return self._expanded[key]

    def type_text(self, key: str) -> str:
        """The nested type of a kind of counter."""
        if key not in self._types:
            self._types[key] = nest([trait.type() for trait in self.traits(key)])
        return self._types[key]

    def state_text(self, placement: Placement) -> str:
        """The nested state of a piece where it stands."""
        place = {"map": placement.map, "x": str(placement.x), "y": str(placement.y), "id": placement.id}
        values = {**{key: plain(value) for key, value in placement.states.items()}, **place}
        return nest([trait.state(values) for trait in self.traits(placement.piece)])

    def piece_command(self, placement: Placement) -> str:
        """Adds one piece of the position."""
        if placement.piece not in self._pieces:
            raise SaveError(f"{placement.id}: no counter {placement.piece!r} in the module")
        return add_command(placement.id, self.type_text(placement.piece), self.state_text(placement))

    def position_commands(self, save: Save) -> list[str]:
        """Everything between begin and end: pieces, stacks, players, boards, turn, notes."""
        commands = ["begin_save"]
        commands += self._pieces_and_stacks(save.placements)
        commands += [encode(("PLAYER", *entry), TAB) for entry in save.roster]
        commands += [boards_command(window) for window in self.module.maps]
        commands.append("SETUP_STACK" + TAB)
        if self.module.tracker is not None and save.turn:
            commands.append(turn_command(0, self.tracker_text(save.turn)))
        commands += self._view(save)
        commands.append(notes_command("NOTES", save.notes))
        commands.append(notes_command("PNOTES", save.public_notes))
        commands.append("end_save")
        return commands

    def _view(self, save: Save) -> list[str]:
        """Where the camera of the main map looks, if it has one and the save says so."""
        if save.view is None or self.module.maps[0].camera is None:
            return []
        return [property_command(name, str(value)) for name, value in zip(VIEW, save.view, strict=True)]

    def layer_of(self, key: str, map_name: str) -> int:
        """The number of the visual layer a counter lies in on a map, -1 on a map without layers."""
        layers = self.module.map(map_name).layers
        name = self._pieces[key].layer
        if not layers:
            return -1
        return layers.index(name) if name in layers else len(layers)

    def _pieces_and_stacks(self, placements: tuple[Placement, ...]) -> list[str]:
        """Pieces spot by spot; the stack of a spot follows the pieces it names."""
        spots: dict[tuple[str, int, int, int], list[Placement]] = {}
        seen: set[str] = set()
        for placement in placements:
            if placement.id in seen:
                raise SaveError(f"{placement.id}: placed twice")
            seen.add(placement.id)
            if placement.piece not in self._pieces:
                raise SaveError(f"{placement.id}: no counter {placement.piece!r} in the module")
            layer = self.layer_of(placement.piece, placement.map)
            spots.setdefault((placement.map, placement.x, placement.y, layer), []).append(placement)
        commands: list[str] = []
        piled: dict[str, list[str]] = {name: [] for name in self.decks}
        for (map_name, x, y, layer), group in spots.items():
            commands += [self.piece_command(placement) for placement in group]
            for placement in group:
                if placement.deck:
                    piled[placement.deck].append(placement.id)
            ids = [p.id for p in group if self._pieces[p.piece].stacks and not p.deck]
            if ids:
                commands.append(stack_command(stack_id(map_name, x, y, layer), map_name, (x, y), ids, layer))
        return commands + [self.deck_command(name, ids) for name, ids in piled.items()]

    def deck_command(self, deck_id: str, ids: Iterable[str]) -> str:
        """Adds a pile with its cards."""
        return add_command(deck_id, deck_type(self.decks[deck_id][0]), self.pile_text(deck_id, ids))

    def pile_text(self, deck_id: str, ids: Iterable[str]) -> str:
        """The state of a pile that holds these cards."""
        deck, window = self.decks[deck_id]
        return deck_state(deck, window.name, (window.board_x(deck.board) + deck.x, deck.y), ids)

    def stacks(self, key: str) -> bool:
        """Whether a kind of counter lies in stacks."""
        return self._pieces[key].stacks

    def tracker_text(self, turn: tuple[int, ...]) -> str:
        """The turn tracker's state. Raises SaveError for a turn that is not on it."""
        tracker = self.module.tracker
        if tracker is None:
            raise SaveError("the module has no turn tracker")
        sizes: list[int] = []
        level = tracker.level
        while True:
            sizes.append(len(level.values))
            if not level.children:
                break
            level = level.children[0]
        if len(turn) != len(sizes) or any(not 0 <= i < n for i, n in zip(turn, sizes, strict=True)):
            raise SaveError(f"turn {turn} is not on the tracker, whose lists have {tuple(sizes)} entries")
        return turn_state(turn, tuple(sizes))


def stack_id(map_name: str, x: int, y: int, layer: int) -> str:
    """The id of the stack at a spot: the same spot has the same stack in every file."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", map_name)
    return f"stack.{slug}.{x}.{y}.{layer}"


# --- archives ------------------------------------------------------------------------------


def metadata(version: str, description: str, name: str | None = None) -> bytes:
    """`moduledata` (with a name) or `savedata` (without)."""
    lines = ['<?xml version="1.0" encoding="UTF-8" standalone="no"?>', '<data version="1">']
    elements = [("version", version), ("extra1", ""), ("extra2", ""), ("VassalVersion", ENGINE_VERSION)]
    elements += [("dateSaved", FIXED_DATE), ("description", description)]
    if name is not None:
        elements.append(("name", name))
    lines += [f"  <{tag}>{escape(plain(text), quote=False)}</{tag}>" for tag, text in elements]
    return ("\n".join([*lines, "</data>"]) + "\n").encode("utf-8")


def save_entries(module: Module, title: str, commands: Iterable[str]) -> list[tuple[str, bytes]]:
    """The entries of a save or log archive of these commands."""
    return [
        ("savedGame", obfuscate(stream(commands))),
        ("savedata", metadata(module.version, title)),
        ("moduledata", metadata(module.version, module.description, module.name)),
    ]
