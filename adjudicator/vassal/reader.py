"""Reads modules, saves and logs back: for tests, and for logs that players send as plans.

Files come from strangers: archives are read within limits, XML without entities or network, and
nothing is executed. What cannot be understood raises ReadError with the place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from adjudicator.vassal.archive import ArchiveError, read_archive
from adjudicator.vassal.savefile import SaveError, deobfuscate
from adjudicator.vassal.sequence import ESC, TAB, decode, unnest, unnest_states
from adjudicator.vassal.traits import BasicState, read_basic_state

MAX_DEPTH = 12


class ReadError(ValueError):
    """A module, save or log that cannot be understood; the message says where."""


# --- pieces --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadTrait:
    """One trait: its name, its type fields after the name, its state."""

    name: str
    type: str
    state: str

    def fields(self) -> list[str]:
        """The type's fields, the name first."""
        return decode(self.type, ";")


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A piece of a game or a slot: traits outermost first, the basic piece last."""

    id: str
    traits: tuple[ReadTrait, ...]

    @property
    def name(self) -> str:
        """The piece's own name, as the basic piece has it."""
        fields = self.traits[-1].fields()
        return fields[4] if len(fields) > 4 else ""

    @property
    def basic(self) -> BasicState:
        """Where the piece stands, its number and lasting properties."""
        return read_basic_state(self.traits[-1].state)

    def layers(self) -> dict[str, int]:
        """The level of each layer by the layer's name."""
        found: dict[str, int] = {}
        for trait in self.traits:
            if trait.name == "emb2":
                level = decode(trait.state, ";")[0]
                name = (trait.fields() + [""] * 24)[19]
                found[name] = int(level) if level.lstrip("-").isdigit() else -1
        return found

    def marks(self) -> dict[str, str]:
        """All fixed properties of the piece."""
        found: dict[str, str] = {}
        for trait in self.traits:
            if trait.name == "mark":
                names = decode(trait.type.partition(";")[2], ",")
                found.update(zip(names, decode(trait.state, ","), strict=False))
        return found

    def images(self) -> list[str]:
        """Every picture the piece may show."""
        found: list[str] = []
        for trait in self.traits:
            fields = trait.fields()
            if trait.name == "piece" and len(fields) > 3:
                found.append(fields[3])
            elif trait.name == "emb2":
                found += decode((fields + [""] * 20)[16], ",")
            elif trait.name in ("obs", "markmoved"):
                found.append((fields + [""] * 3)[2 if trait.name == "obs" else 1])
        return [image for image in found if image]


@dataclass(frozen=True, slots=True)
class ReadStack:
    """A stack: its pieces' ids, bottom first."""

    id: str
    map: str
    x: int
    y: int
    pieces: tuple[str, ...]
    layer: int


def read_piece(piece_id: str, type_text: str, state_text: str) -> ReadPiece:
    """Takes a piece apart. Raises ReadError when a trait has no state."""
    types = unnest(type_text)
    states = unnest_states(state_text, len(types))
    if len(states) != len(types):
        raise ReadError(f"piece {piece_id}: {len(types)} traits but {len(states)} states")
    traits = tuple(ReadTrait(t.partition(";")[0], t, s) for t, s in zip(types, states, strict=True))
    if traits[-1].name != "piece":
        raise ReadError(f"piece {piece_id}: its innermost trait is {traits[-1].name!r}, not a basic piece")
    return ReadPiece(piece_id, traits)


def read_stack(stack_id: str, state: str) -> ReadStack:
    """Takes a stack apart. Raises ReadError for one without a place."""
    tokens = decode(state, ";")
    try:
        map_name, x, y = tokens[0], int(tokens[1]), int(tokens[2])
        layer = int(tokens[-1][2:]) if tokens[-1].startswith("@@") else -1
    except (IndexError, ValueError) as error:
        raise ReadError(f"stack {stack_id}: {state!r} is no place") from error
    members = [token for token in tokens[3:] if token and not token.startswith("@@")]
    return ReadStack(stack_id, map_name, x, y, tuple(members), layer)


# --- saves and logs ------------------------------------------------------------------------


@dataclass(slots=True)
class ReadSave:
    """A save or log: what it holds, and the steps after the position."""

    commands: list[str]
    pieces: dict[str, ReadPiece] = field(default_factory=dict)
    stacks: dict[str, ReadStack] = field(default_factory=dict)
    decks: dict[str, str] = field(default_factory=dict)
    deck_types: dict[str, str] = field(default_factory=dict)
    roster: list[tuple[str, str, str]] = field(default_factory=list)
    boards: dict[str, list[str]] = field(default_factory=dict)
    trackers: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    steps: list[list[str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    has_setup_mark: bool = False
    metadata: Mapping[str, str] = field(default_factory=dict)
    module_metadata: Mapping[str, str] = field(default_factory=dict)


def flat_commands(text: str, depth: int = 0) -> Iterator[str]:
    """All commands of a stream in order, sub-commands after their parents; empty ones left out."""
    if depth > MAX_DEPTH:
        raise ReadError(f"commands are nested more than {MAX_DEPTH} deep")
    tokens = decode(text, ESC)
    for token in tokens:
        if ESC in token:
            yield from flat_commands(token, depth + 1)
        elif token:
            yield token


def read_stream(text: str) -> ReadSave:
    """Understands the text of a saved game.

    Commands up to `end_save` make the position; every token after it is one step of a log. What is
    no known command goes to `unknown`: the engine would drop it without a word.
    """
    save = ReadSave([])
    ended = False
    for token in decode(text, ESC):
        if ended and token:
            save.steps.append(list(flat_commands(token)))
            continue
        for command in flat_commands(token):
            save.commands.append(command)
            _position_command(save, command)
            ended = ended or command == "end_save"
    for step in save.steps:
        save.unknown += [c for c in step if not _is_log(c)]
    return save


def _position_command(save: ReadSave, command: str) -> None:
    """One command of the position."""
    head, _, rest = command.partition(TAB)
    if command.startswith("+/"):
        _added(save, command)
    elif command in ("begin_save", "end_save"):
        pass
    elif head == "PLAYER":
        tokens = [*decode(command, TAB), "", "", ""]
        save.roster.append((tokens[1], tokens[2], tokens[3]))
    elif head.endswith("BoardPicker"):
        save.boards[head.removesuffix("BoardPicker")] = decode(command, TAB)[1:]
    elif command == "SETUP_STACK" + TAB:
        save.has_setup_mark = True
    elif head.startswith("TURNTurnTracker") and rest:
        save.trackers[head.removeprefix("TURN")] = decode(command, TAB)[1]
    elif head in ("NOTES", "PNOTES") and TAB in command:
        save.notes[head] = "\n".join(decode(decode(command, TAB)[1], "|"))
    elif not _is_quiet(head, command):
        save.unknown.append(command)


_QUIET_HEADS = ("PNOTE", "SNOTE", "SGKC", "UNMASK", "PYREMOVE", "GlobalProperty", "MutableProperty")


def _is_quiet(head: str, command: str) -> bool:
    """Known commands that say nothing about where pieces are."""
    return (head in _QUIET_HEADS and TAB in command) or command.startswith("CHAT")


def _is_log(command: str) -> bool:
    """True for a step's command that the engine would carry out."""
    if not command.startswith("LOG" + TAB):
        return command.startswith("UNDO" + TAB)
    inner = command[4:]
    head = inner.partition(TAB)[0]
    known_heads = (*_QUIET_HEADS, "NOTES", "PNOTES", "PLAYER")
    return (
        inner[:2] in ("+/", "-/", "D/", "M/")
        or inner.startswith(("CHAT", "TURNTurnTracker"))
        or (head in known_heads and TAB in inner)
    )


def _added(save: ReadSave, command: str) -> None:
    tokens = decode(command[2:], "/")
    if len(tokens) < 3:
        raise ReadError(f"add command is cut short: {command[:60]!r}")
    piece_id, type_text, state = tokens[0], tokens[1], tokens[2]
    if type_text == "stack":
        stack = read_stack(piece_id, state)
        lost = [member for member in stack.pieces if member not in save.pieces]
        if lost:
            raise ReadError(f"stack {piece_id} names {', '.join(lost)} before they are added")
        save.stacks[piece_id] = stack
    elif type_text.startswith("deck;"):
        save.decks[piece_id] = state
        save.deck_types[piece_id] = type_text
    else:
        save.pieces[piece_id] = read_piece(piece_id, type_text, state)


def read_save(path: Path) -> ReadSave:
    """A save or log file. Raises ReadError for what is none."""
    try:
        entries = read_archive(path, ("savedGame", "savedata", "moduledata"))
        if "savedGame" not in entries:
            raise ReadError(f"{path.name}: no saved game inside; is it a .vsav or .vlog?")
        save = read_stream(deobfuscate(entries["savedGame"]))
    except (ArchiveError, SaveError) as error:
        raise ReadError(f"{path.name}: {error}") from error
    except ReadError as error:
        raise ReadError(f"{path.name}: {error}") from error
    save.metadata = read_metadata(entries.get("savedata", b""))
    save.module_metadata = read_metadata(entries.get("moduledata", b""))
    return save


# --- modules -------------------------------------------------------------------------------


@dataclass(slots=True)
class ReadModule:
    """A module: its structure as XML, its slots by gpid, and the names of its files."""

    root: etree._Element
    entries: Mapping[str, bytes]
    metadata: Mapping[str, str]
    slots: dict[str, ReadPiece] = field(default_factory=dict)
    prototypes: dict[str, ReadPiece] = field(default_factory=dict)
    repeated: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The module's name."""
        return self.root.get("name", "")

    def elements(self, ending: str) -> list[etree._Element]:
        """All elements whose class name ends so."""
        return [e for e in self.root.iter() if isinstance(e.tag, str) and e.tag.endswith(ending)]

    @property
    def sides(self) -> list[str]:
        """The sides a player may take."""
        return [e.text or "" for roster in self.elements(".PlayerRoster") for e in roster.iter("entry")]

    def setups(self) -> dict[str, str]:
        """File of each predefined set-up by its name."""
        return {e.get("name", ""): e.get("file", "") for e in self.elements(".PredefinedSetup") if e.get("file")}


def parse_xml(data: bytes) -> etree._Element:
    """An XML document of a stranger: no entities, no network, no giant text. Raises ReadError."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise ReadError(f"not sound XML: {error}") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise ReadError("XML with a document type is not read")
    return root


def read_metadata(data: bytes) -> dict[str, str]:
    """`moduledata` or `savedata`; empty for a file without."""
    if not data:
        return {}
    return {str(child.tag): child.text or "" for child in parse_xml(data) if isinstance(child.tag, str)}


def read_module(path: Path) -> ReadModule:
    """A module file. Raises ReadError for what is none."""
    try:
        entries = read_archive(path)
    except ArchiveError as error:
        raise ReadError(f"{path.name}: {error}") from error
    if "buildFile.xml" not in entries:
        raise ReadError(f"{path.name}: no buildFile.xml inside; is it a .vmod?")
    root = parse_xml(entries["buildFile.xml"])
    module = ReadModule(root, entries, read_metadata(entries.get("moduledata", b"")))
    for element in (*module.elements(".PieceSlot"), *module.elements(".CardSlot")):
        gpid = element.get("gpid", "")
        if gpid in module.slots:
            module.repeated.append(gpid)
        module.slots[gpid] = slot_piece(element)
    for element in module.elements(".PrototypeDefinition"):
        module.prototypes[element.get("name", "")] = slot_piece(element)
    return module


def slot_piece(element: etree._Element) -> ReadPiece:
    """The piece a slot or prototype holds."""
    text = (element.text or "").strip()
    tokens = decode(text.removeprefix("+/"), "/")
    if not text.startswith("+/") or len(tokens) < 3:
        raise ReadError(f"{element.get('entryName') or element.get('name')}: holds no piece")
    return read_piece(tokens[0], tokens[1], tokens[2])
