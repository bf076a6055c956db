"""Writes a module's `buildFile.xml` and its archive.

An element's name is the engine's Java class, its attributes are that class's settings. Attribute
names are the engine's, its two misspelt ones included.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lxml import etree

from adjudicator.vassal import model
from adjudicator.vassal.archive import archive_bytes
from adjudicator.vassal.buildcards import add_decks, add_hand
from adjudicator.vassal.elements import BOARD, MAP, MODULE, WIDGET, piece_text
from adjudicator.vassal.elements import add as _add
from adjudicator.vassal.elements import slot as _slot
from adjudicator.vassal.savefile import ENGINE_VERSION, Writer, boards_command, metadata, save_entries
from adjudicator.vassal.sequence import encode
from adjudicator.vassal.traits import CLEAR_TRAIL, Basic

ZOOM_LEVELS = ("0.2", "0.3", "0.4", "0.5", "0.65", "0.8", "1.0", "1.25", "1.5", "2.0")
MOVE_REPORT = "$pieceName$ moves $previousLocation$ &rarr; $location$ *"


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
    _add(root, MODULE + "BasicCommandEncoder")
    _documentation(root, module)
    _sides(root, module.sides)
    _options(root)
    _add(root, MODULE + "properties.GlobalProperties")
    _prototypes(root, module.prototypes)
    for window in module.maps:
        if window.owner:
            add_hand(root, window)
        else:
            _map(root, module, window, is_main=window is module.maps[0])
    _palette(root, module)
    for dice in module.dice:
        _dice(root, dice)
    _charts(root, module.charts)
    for inventory in module.inventories:
        _inventory(root, inventory)
    if module.tracker is not None:
        _tracker(root, module.tracker)
    _add(root, MODULE + "NotesWindow", buttonText="Notes", tooltip="Notes", icon="/images/notes.gif")
    for setup in module.setups:
        _setup(root, setup)
    _add(root, MODULE + "Chatter")
    _add(root, MODULE + "KeyNamer")
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=False))


def module_entries(module: model.Module) -> list[tuple[str, bytes | Path]]:
    """The entries of the module's archive, saves of its set-ups included."""
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


# --- the module ----------------------------------------------------------------------------


def _documentation(root: etree._Element, module: model.Module) -> None:
    node = _add(root, MODULE + "Documentation")
    for title, file in module.help:
        _add(node, MODULE + "documentation.HelpFile", title=title, fileName=file, fileType="archive")


def _sides(root: etree._Element, sides: Iterable[str]) -> None:
    roster = _add(
        root,
        MODULE + "PlayerRoster",
        buttonText="Retire",
        buttonToolTip="Change sides or become an observer",
        buttonIcon="",
        buttonKeyStroke="",
    )
    for side in sides:
        _add(roster, "entry", side)


def _options(root: etree._Element) -> None:
    _add(
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


def _prototypes(root: etree._Element, prototypes: Iterable[model.PrototypeDefinition]) -> None:
    container = _add(root, MODULE + "PrototypesContainer")
    for prototype in prototypes:
        text = piece_text(prototype.traits, Basic(""))
        _add(container, MODULE + "PrototypeDefinition", text, name=prototype.name, description="")


def _palette(root: etree._Element, module: model.Module) -> None:
    window = _add(
        root,
        MODULE + "PieceWindow",
        "Counters",
        name="Counters",
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
    element = _add(parent, WIDGET + name, entryName=node.name, **settings)
    for child in node.children:
        _palette_node(element, child, pieces)
    for key in node.pieces:
        _slot(element, pieces[key])


# --- maps ----------------------------------------------------------------------------------


def _map(root: etree._Element, module: model.Module, window: model.Map, *, is_main: bool) -> None:
    element = _add(
        root,
        MODULE + "Map",
        mapName=window.name,
        allowMultiple=len(window.boards) > 1,
        backgroundcolor=window.background,
        color="0,0,0",
        thickness=3,
        edgeWidth=0,
        edgeHeight=0,
        buttonName="" if is_main else window.button,
        launch=not is_main,
        markMoved="Always",
        markUnmovedIcon="/images/unmoved.gif",
        markUnmovedTooltip="Mark all pieces on this map as not moved",
        hotkey="",
        icon="",
        tooltip="" if is_main else f"Show or hide {window.name}",
        moveWithinFormat=MOVE_REPORT,
        moveToFormat=MOVE_REPORT,
        createFormat="$pieceName$ placed in $location$ *",
        changeFormat="$message$",
    )
    _boards(element, window)
    _mouse(element)
    _stack_viewer(element, window.summary)
    _tools(element)
    if window.layers:
        _add(
            element,
            MAP + "LayeredPieceCollection",
            property=window.layer_property,
            layerOrder=encode(window.layers, ","),
            description="",
        )
    if window.overview_scale:
        _add(
            element,
            MAP + "GlobalMap",
            scale=window.overview_scale,
            color="255,0,0",
            hotkey="79,195",
            tooltip="Show or hide the overview map",
            buttonText="",
            icon="/images/overview.gif",
        )
    _at_start(element, module, window)
    add_decks(element, module, window)


def _boards(element: etree._Element, window: model.Map) -> None:
    picker = _add(
        element,
        MAP + "BoardPicker",
        addColumnText="Add column",
        addRowText="Add row",
        boardPrompt="Select board",
        slotHeight=125,
        slotScale="0.2",
        slotWidth=350,
        title="Choose boards",
    )
    if len(window.boards) > 1:
        _add(picker, "setup", boards_command(window))
    for board in window.boards:
        node = _add(picker, MAP + "boardPicker.Board", name=board.name, image=board.image, reversible=False)
        if board.zones:
            zoned = _add(node, BOARD + "ZonedGrid")
            for zone in board.zones:
                _zone(zoned, zone)


def _zone(zoned: etree._Element, zone: model.Zone) -> None:
    node = _add(
        zoned,
        BOARD + "mapgrid.Zone",
        name=zone.name,
        locationFormat=zone.location_format,
        path=";".join(f"{x},{y}" for x, y in zone.path),
        useParentGrid=False,
        useHighlight=False,
        highlightProperty="",
    )
    if isinstance(zone.grid, model.HexGrid):
        _hex_grid(node, zone.grid)
    elif isinstance(zone.grid, model.RegionGrid):
        grid = _add(node, BOARD + "RegionGrid", snapto=True, visible=False, fontsize=9)
        for name, x, y in zone.grid.regions:
            _add(grid, BOARD + "Region", name=name, originx=x, originy=y)


def _hex_grid(zone: etree._Element, grid: model.HexGrid) -> None:
    node = _add(
        zone,
        BOARD + "HexGrid",
        x0=grid.x0,
        y0=grid.y0,
        dx=float(grid.dx),
        dy=float(grid.dy),
        sideways=False,
        snapTo=True,
        cornersLegal=False,
        edgesLegal=False,
        visible=False,
        dotsVisible=False,
        color="0,0,0",
    )
    _add(
        node,
        BOARD + "mapgrid.HexGridNumbering",
        first="H",
        sep="",
        hType="N",
        hLeading=1,
        hOff=grid.first_column,
        hDescend=False,
        vType="N",
        vLeading=1,
        vOff=grid.first_row,
        vDescend=False,
        stagger=False,
        locationFormat=grid.location_format,
        visible=False,
        fontSize=9,
        color="0,0,0",
        rotateText=0,
        hDrawOff=0,
        vDrawOff=0,
    )


def _mouse(element: etree._Element) -> None:
    """The parts without which a map takes no mouse or key."""
    _add(element, MAP + "StackMetrics", disabled=False, exSepX=8, exSepY=20, unexSepX=3, unexSepY=4)
    for name in (
        "ForwardToKeyBuffer",
        "Scroller",
        "ForwardToChatter",
        "MenuDisplayer",
        "MapCenterer",
        "StackExpander",
        "PieceMover",
        "KeyBufferer",
    ):
        _add(element, MAP + name)
    _add(
        element,
        MAP + "ImageSaver",
        buttonText="",
        canDisable=False,
        hideWhenDisabled=False,
        icon="/images/camera.gif",
        tooltip="Save the map as a picture",
    )
    _add(element, MAP + "SelectionHighlighters")
    _add(element, MAP + "HighlightLastMoved", color="255,0,0", enabled=True, thickness=2)


def _stack_viewer(element: etree._Element, summary: str) -> None:
    _add(
        element,
        MAP + "CounterDetailViewer",
        version="4",
        description="Stack viewer",
        delay=600,
        hotkey="32,130",
        display="from all layers",
        minDisplayPieces=1,
        showgraph=True,
        graphicsZoom="1.0",
        showtext=True,
        centerText=True,
        fontSize=11,
        bgColor="255,255,240",
        fgColor="0,0,0",
        borderColor="0,0,0",
        zoomlevel="1.0",
        summaryReportFormat=summary,
        counterReportFormat="",
        emptyHexReportForma="$LocationName$",
        showNoStack=True,
        showNonMovable=True,
        unrotatePieces=False,
        showDeck=False,
    )


def _tools(element: etree._Element) -> None:
    """Zoom, flare, range finder, a button that hides all counters."""
    start = len(ZOOM_LEVELS) - ZOOM_LEVELS.index("1.0")
    _add(
        element,
        MAP + "Zoomer",
        zoomLevels=",".join(ZOOM_LEVELS),
        zoomStart=start,
        zoomInKey="61,715",
        zoomOutKey="45,715",
        zoomPickKey="",
    )
    _add(
        element,
        MAP + "Flare",
        flareName="Map flare",
        flareKey="keyAlt",
        circleColor="255,0,0",
        circleScale=True,
        circleSize=100,
        flarePulses=6,
        flarePulsesPerSec=3,
        reportFormat="",
    )
    _add(
        element,
        MAP + "LOS_Thread",
        threadName="Range",
        label="Range",
        tooltip="Count hexes between two places",
        hotkey="",
        drawRange=True,
        snapStart=True,
        snapEnd=True,
        report="",
    )
    _add(
        element,
        MAP + "MassKeyCommand",
        name="Clear trails",
        buttonText="Clear trails",
        tooltip="Take all movement trails off the map",
        buttonHotkey="",
        hotkey=CLEAR_TRAIL,
        deckCount=-1,
        reportSingle=False,
        reportFormat="",
        filter="",
    )
    _add(
        element,
        MAP + "HidePiecesButton",
        buttonText="Hide counters",
        tooltip="Hide all counters to see the map",
        hotkey="72,195",
    )


def _at_start(element: etree._Element, module: model.Module, window: model.Map) -> None:
    for start in module.at_start.get(window.name, ()):
        node = _add(
            element,
            MAP + "SetupStack",
            name=start.name,
            owningBoard=start.board,
            x=start.x,
            y=start.y,
            useGridLocation=False,
            location="",
        )
        _slot(node, module.piece(start.piece))


# --- tool bar ------------------------------------------------------------------------------


def _dice(root: etree._Element, dice: model.Dice) -> None:
    _add(
        root,
        MODULE + "DiceButton",
        name=dice.name,
        text=dice.name,
        tooltip=dice.name,
        icon="/images/die.gif",
        hotkey="",
        nDice=dice.count,
        nSides=dice.sides,
        plus=0,
        addToTotal=0,
        reportTotal=False,
        prompt=False,
        sortDice=False,
        lockAdd=False,
        lockDice=False,
        lockPlus=False,
        lockSides=False,
        keepDice=False,
        keepOption=">",
        keepCount=1,
        canDisable=False,
        propertyGate="",
        hideWhenDisabled=False,
        disabledIcon="",
        reportFormat=dice.report,
    )


def _charts(root: etree._Element, charts: Iterable[model.Chart]) -> None:
    pages = list(charts)
    if not pages:
        return
    words = {"name": "Charts", "text": "Charts", "tooltip": "Show or hide the charts", "description": ""}
    window = _add(root, MODULE + "ChartWindow", icon="", hotkey="", **words)
    parent = _add(window, WIDGET + "ListWidget", entryName="Charts", divider=640, width=960, height=600, scale="1.0")
    for page in pages:
        kind = "HtmlChart" if page.file.endswith((".html", ".htm")) else "Chart"
        _add(parent, WIDGET + kind, chartName=page.name, fileName=page.file, description="")


def _inventory(root: etree._Element, inventory: model.Inventory) -> None:
    _add(
        root,
        MODULE + "Inventory",
        name=inventory.name,
        text=inventory.name,
        tooltip=f"Show {inventory.name.lower()}",
        icon="/images/inventory.gif",
        hotkey="",
        include=inventory.include,
        groupBy=encode(inventory.group_by, ","),
        sortPieces=True,
        sortFormat="$PieceName$",
        sorting="alpha",
        nonLeafFormat="$PropertyValue$",
        leafFormat=inventory.leaf,
        foldersOnly=False,
        centerOnPiece=True,
        forwardKeystroke=True,
        showMenu=True,
        drawPieces=True,
        sides="",
        launchFunction="functionHide",
        refreshHotkey="",
        pieceZoom="0.33",
        pieceZoom2="0.5",
        pieceZoom3="0.6",
        zoomOn=False,
        canDisable=False,
        propertyGate="",
        hideWhenDisabled=False,
        disabledIcon="",
    )


def _tracker(root: etree._Element, tracker: model.TurnTracker) -> None:
    node = _add(
        root,
        MODULE + "turn.TurnTracker",
        name=tracker.name,
        buttonText="Turn",
        icon="",
        hotkey="",
        nexthotkey="",
        prevhotkey="",
        turnFormat=tracker.format,
        reportFormat="* $PlayerId$ turns the track from $oldTurn$ to $newTurn$",
        tooltip="",
        length=-1,
        lengthStyle="Maximum",
        plusButtonSize=22,
        turnButtonHeight=22,
        fwdOnly=False,
        description="",
    )
    _turn_level(node, tracker.level)


def _turn_level(parent: etree._Element, level: model.TurnLevel) -> None:
    node = _add(
        parent,
        MODULE + "turn.ListTurnLevel",
        name=level.name,
        property=level.property,
        list=encode(level.values, ","),
        turnFormat="$value$",
        configFirst=False,
        configList=False,
        prompt="",
    )
    for child in level.children:
        _turn_level(node, child)


def _setup(root: etree._Element, setup: model.Setup) -> None:
    has_file = setup.save is not None
    _add(
        root,
        MODULE + "PredefinedSetup",
        name=setup.name,
        file=setup.file if has_file else "",
        useFile=has_file,
        isMenu=False,
        description="",
    )
