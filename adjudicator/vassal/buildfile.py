"""Writes a module's `buildFile.xml` and its archive."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from lxml import etree

from adjudicator.vassal import model, toolbar
from adjudicator.vassal.archive import archive_bytes
from adjudicator.vassal.buildcards import add_hand
from adjudicator.vassal.buildmap import LOOK, add_map, add_view
from adjudicator.vassal.elements import MODULE, WIDGET, add, piece_text, slot
from adjudicator.vassal.savefile import ENGINE_VERSION, Writer, metadata, save_entries
from adjudicator.vassal.traits import Basic


def build_file(module: model.Module) -> bytes:
    """The module's structure as the engine reads it.

    Raises ValueError for text that no XML document can carry.
    """
    root = etree.Element(
        "VASSAL.build.GameModule",
        name=module.name,
        version=module.version,
        VassalVersion=ENGINE_VERSION,
        description=module.description,
        nextPieceSlotId=str(module.next_gpid),
        ModuleOther1="",
        ModuleOther2="",
    )
    add(root, MODULE + "BasicCommandEncoder")
    _documentation(root, module)
    _sides(root, module.sides)
    _options(root)
    camera = module.maps[0].camera
    add_view(root, camera)
    _prototypes(root, module.prototypes)
    for window in module.maps:
        if window.owner:
            add_hand(root, window)
        else:
            add_map(root, module, window, is_main=window is module.maps[0])
    if camera is not None:
        _look_at_once(root)
    _palette(root, module)
    for dice in module.dice:
        toolbar.add_dice(root, dice)
    toolbar.add_charts(root, module.charts)
    for inventory in module.inventories:
        toolbar.add_inventory(root, inventory)
    if module.tracker is not None:
        toolbar.add_tracker(root, module.tracker)
    add(root, MODULE + "NotesWindow", buttonText="Notes", tooltip="Notes", icon="/images/notes.gif")
    for setup in module.setups:
        toolbar.add_setup(root, setup)
    add(root, MODULE + "Chatter")
    add(root, MODULE + "KeyNamer")
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=False))


def module_entries(module: model.Module) -> list[tuple[str, bytes | Path]]:
    """The entries of the module's archive, saves of its set-ups included."""
    module = boards_by_content(module)
    writer = Writer(module)
    entries: list[tuple[str, bytes | Path]] = [
        ("buildFile.xml", build_file(module)),
        ("moduledata", metadata(module.version, module.description, module.name)),
    ]
    for setup in module.setups:
        if setup.save is not None:
            commands = writer.position_commands(setup.save)
            entries.append((setup.file, archive_bytes(save_entries(module, setup.save.title, commands))))
    entries += sorted(module.files.items())
    return entries


def boards_by_content(module: model.Module) -> model.Module:
    """The module with each board's picture named by what it shows.

    The engine cuts boards into tiles once and keeps them by the picture's name and time. Times in our archives are
    always the same, so a board that is drawn anew needs another name or players go on seeing the old one.
    """
    files = dict(module.files)
    names: dict[str, str] = {}
    for image in sorted({board.image for window in module.maps for board in window.boards}):
        content = files.pop(f"images/{image}", None)
        if content is not None:
            data = content.read_bytes() if isinstance(content, Path) else content
            names[image] = picture_name(image, data)
            files[f"images/{names[image]}"] = data
    maps = tuple(
        replace(w, boards=tuple(replace(b, image=names.get(b.image, b.image)) for b in w.boards)) for w in module.maps
    )
    return replace(module, maps=maps, files=files)


def picture_name(image: str, data: bytes) -> str:
    """The name of a picture with a number made from its content before the ending."""
    path = Path(image)
    return f"{path.stem}-{hashlib.sha256(data).hexdigest()[:10]}{path.suffix}"


# --- the module ----------------------------------------------------------------------------


def _documentation(root: etree._Element, module: model.Module) -> None:
    node = add(root, MODULE + "Documentation")
    for title, file in module.help:
        add(node, MODULE + "documentation.HelpFile", title=title, fileName=file, fileType="archive")


def _sides(root: etree._Element, sides: Iterable[str]) -> None:
    roster = add(
        root,
        MODULE + "PlayerRoster",
        buttonText="Retire",
        buttonToolTip="Change sides or become an observer",
        buttonIcon="",
        buttonKeyStroke="",
    )
    for side in sides:
        add(roster, "entry", side)


def _options(root: etree._Element) -> None:
    add(
        root,
        MODULE + "GlobalOptions",
        autoReport="Always",
        nonOwnerUnmaskable="Never",
        chatterHTMLSupport="Always",
        hotKeysOnClosedWindows="Never",
        inventoryForAll="Never",
        playerIdFormat="$PlayerName$",
        promptString="Opponents can unmask my pieces",
        sendToLocationMoveTrails="Never",
        storeLeadingZeroIntegersAsStrings=True,
        description="Global options",
    )


def _look_at_once(root: etree._Element) -> None:
    """Presses the camera's button whenever a game is opened."""
    add(
        root,
        MODULE + "StartupGlobalKeyCommand",
        name="Show the place the game is about",
        whenToApply="everyLaunchOfSession",
        hotkeyOrKeyCommand="sendHotkey",
        globalHotkey=LOOK,
    )


def _prototypes(root: etree._Element, prototypes: Iterable[model.PrototypeDefinition]) -> None:
    container = add(root, MODULE + "PrototypesContainer")
    for prototype in prototypes:
        text = piece_text(prototype.traits, Basic(""))
        add(container, MODULE + "PrototypeDefinition", text, name=prototype.name, description="")


def _palette(root: etree._Element, module: model.Module) -> None:
    window = add(
        root,
        MODULE + "PieceWindow",
        name="Counters",
        text="Counters",
        tooltip="Show or hide the counter palette",
        hidden=False,
        icon="",
        hotkey="",
        defaultWidth=0,
        scale="1.0",
    )
    pieces = {piece.key: piece for piece in module.pieces}
    _palette_node(window, module.palette, pieces)


_WIDGETS: dict[str, tuple[str, dict[str, object]]] = {
    "tab": ("TabWidget", {}),
    "panel": ("PanelWidget", {"fixed": True, "nColumns": 6, "vert": False, "scale": "1.0"}),
    "box": ("BoxWidget", {"width": 300, "height": 300}),
    "list": ("ListWidget", {"divider": 150, "width": 300, "height": 300, "scale": "1.0"}),
}


def _palette_node(parent: etree._Element, node: model.Palette, pieces: dict[str, model.Piece]) -> None:
    name, settings = _WIDGETS[node.kind]
    element = add(parent, WIDGET + name, entryName=node.name, **settings)
    for child in node.children:
        _palette_node(element, child, pieces)
    for key in node.pieces:
        slot(element, pieces[key])
