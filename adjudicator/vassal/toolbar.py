"""The tool bar of a module's `buildFile.xml`: dice, charts, inventories, turn track, set-ups."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from adjudicator.vassal import model
from adjudicator.vassal.elements import MODULE, WIDGET, add
from adjudicator.vassal.sequence import encode


def add_dice(root: etree._Element, dice: model.Dice) -> None:
    """A dice button."""
    add(
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


def add_charts(root: etree._Element, charts: Iterable[model.Chart]) -> None:
    """The chart window; none without pages."""
    pages = list(charts)
    if not pages:
        return
    words = {"name": "Charts", "text": "Charts", "tooltip": "Show or hide the charts", "description": ""}
    window = add(root, MODULE + "ChartWindow", icon="", hotkey="", **words)
    parent = add(window, WIDGET + "ListWidget", entryName="Charts", divider=640, width=960, height=600, scale="1.0")
    for page in pages:
        kind = "HtmlChart" if page.file.endswith((".html", ".htm")) else "Chart"
        add(parent, WIDGET + kind, chartName=page.name, fileName=page.file, description="")


def add_inventory(root: etree._Element, inventory: model.Inventory) -> None:
    """A tree of counters in a window."""
    add(
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


def add_tracker(root: etree._Element, tracker: model.TurnTracker) -> None:
    """The turn track with its levels."""
    node = add(
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
    node = add(
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


def add_setup(root: etree._Element, setup: model.Setup) -> None:
    """A predefined set-up, or an empty table."""
    has_file = setup.save is not None
    add(
        root,
        MODULE + "PredefinedSetup",
        name=setup.name,
        file=setup.file if has_file else "",
        useFile=has_file,
        isMenu=False,
        description="",
    )
