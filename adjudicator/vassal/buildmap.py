"""The maps of a module's `buildFile.xml`: boards with their grids, and the tools of a map's window."""

from __future__ import annotations

from lxml import etree

from adjudicator.vassal import model
from adjudicator.vassal.buildcards import add_decks
from adjudicator.vassal.elements import BOARD, MAP, MODULE, add, slot
from adjudicator.vassal.savefile import boards_command
from adjudicator.vassal.sequence import encode
from adjudicator.vassal.traits import CLEAR_TRAIL

ZOOM_LEVELS = ("0.2", "0.3", "0.4", "0.5", "0.65", "0.8", "1.0", "1.25", "1.5", "2.0")
LEAN = (2, 3)
"""How far each counter of a stack lies right of and above the one below, in pixels."""
LOOK = "57348,0,lookAtTheFront"
MOVE_REPORT = "$pieceName$ moves $previousLocation$ &rarr; $location$ *"


def add_map(root: etree._Element, module: model.Module, window: model.Map, *, is_main: bool) -> None:
    """A map with all that its window needs; the main map is docked and has no button."""
    element = add(
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
    _line(element, window)
    if window.camera is not None:
        _camera(element, window.camera)
    if window.layers:
        add(
            element,
            MAP + "LayeredPieceCollection",
            property=window.layer_property,
            layerOrder=encode(window.layers, ","),
            description="",
        )
    if window.overview_scale:
        add(
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


def add_view(root: etree._Element, camera: model.Camera | None) -> None:
    """The properties that say where the camera of the main map looks."""
    properties = add(root, MODULE + "properties.GlobalProperties")
    if camera is not None:
        for name, value in zip(model.VIEW, camera.at, strict=True):
            words = {"description": "Where the camera looks, in pixels of the map", "min": "", "max": "", "wrap": False}
            kind = MODULE + "properties.GlobalProperty"
            add(properties, kind, name=name, initialValue=value, isNumeric=False, **words)


def _camera(element: etree._Element, camera: model.Camera) -> None:
    x, y = (f"${name}$" for name in model.VIEW)
    place = {"moveCameraMode": "L", "xPos": x, "yPos": y, "xOffset": 0, "yOffset": 0, "zoom": ""}
    words = {"text": camera.text, "tooltip": camera.tooltip, "icon": "", "hotkey": LOOK}
    add(element, MAP + "MoveCameraButton", **words, **place)


def _boards(element: etree._Element, window: model.Map) -> None:
    picker = add(
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
        add(picker, "setup", boards_command(window))
    for board in window.boards:
        node = add(picker, MAP + "boardPicker.Board", name=board.name, image=board.image, reversible=False)
        if board.zones:
            zoned = add(node, BOARD + "ZonedGrid")
            for zone in board.zones:
                _zone(zoned, zone)


def _zone(zoned: etree._Element, zone: model.Zone) -> None:
    node = add(
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
        grid = add(node, BOARD + "RegionGrid", snapto=True, visible=False, fontsize=9)
        for name, x, y in zone.grid.regions:
            add(grid, BOARD + "Region", name=name, originx=x, originy=y)


def _hex_grid(zone: etree._Element, grid: model.HexGrid) -> None:
    node = add(
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
    add(
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
    add(element, MAP + "StackMetrics", disabled=False, exSepX=8, exSepY=20, unexSepX=LEAN[0], unexSepY=LEAN[1])
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
        add(element, MAP + name)
    add(
        element,
        MAP + "ImageSaver",
        buttonText="",
        canDisable=False,
        hideWhenDisabled=False,
        icon="/images/camera.gif",
        tooltip="Save the map as a picture",
    )
    add(element, MAP + "SelectionHighlighters")
    add(element, MAP + "HighlightLastMoved", color="255,0,0", enabled=True, thickness=2)


def _stack_viewer(element: etree._Element, summary: str) -> None:
    add(
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
    add(
        element,
        MAP + "Zoomer",
        zoomLevels=",".join(ZOOM_LEVELS),
        zoomStart=start,
        zoomInKey="61,715",
        zoomOutKey="45,715",
        zoomPickKey="",
    )
    add(
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
    add(
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
    add(
        element,
        MAP + "HidePiecesButton",
        buttonText="Hide counters",
        tooltip="Hide all counters to see the map",
        hotkey="72,195",
    )


def _line(element: etree._Element, window: model.Map) -> None:
    """A line between two places, which counts hexes where there are any."""
    counts = any(isinstance(zone.grid, model.HexGrid) for board in window.boards for zone in board.zones)
    name, what = ("Range", "Count hexes") if counts else ("Line", "Draw a line")
    add(
        element,
        MAP + "LOS_Thread",
        threadName=name,
        label=name,
        tooltip=f"{what} between two places",
        hotkey="",
        drawRange=counts,
        snapStart=True,
        snapEnd=True,
        report="",
    )


def _at_start(element: etree._Element, module: model.Module, window: model.Map) -> None:
    for start in module.at_start.get(window.name, ()):
        node = add(
            element,
            MAP + "SetupStack",
            name=start.name,
            owningBoard=start.board,
            x=start.x,
            y=start.y,
            useGridLocation=False,
            location="",
        )
        slot(node, module.piece(start.piece))
