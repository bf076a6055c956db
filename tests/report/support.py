"""Chapters out of fixtures: events of one message, with what was there before, in files a person can read and write.

A fixture is a turn-file-like YAML file: ``earlier`` are the events that make the state before, ``events`` those of the
message; the rest says who wrote and opened it. The dice in it are those that its seed gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from adjudicator.engine.core import Event
from adjudicator.engine.game import Table
from adjudicator.match.games import game
from adjudicator.packs.load import load_pack
from adjudicator.report import Chapter, Opening, document_of
from adjudicator.report.chapter import event_of, visible
from adjudicator.report.document import Document
from adjudicator.report.games import teller
from adjudicator.report.render import markdown, text
from adjudicator.turnfile.nodes import tree_map
from adjudicator.turnfile.reader import read

HERE = Path(__file__).parent
FIXTURES = HERE / "fixtures"
GOLDEN = HERE / "golden"
SYSTEM = "western-desert"
SIDES = ("axis", "allied")


@cache
def table() -> Table:
    """Compass of Western Desert; never changed."""
    return game(SYSTEM).table(load_pack(SYSTEM).tree, "compass", {})


def names() -> list[str]:
    """All fixtures."""
    return sorted(path.stem for path in FIXTURES.glob("*.yaml"))


def fixture(name: str) -> dict[str, Any]:
    """A fixture as tree of texts."""
    return tree_map(read((FIXTURES / f"{name}.yaml").read_bytes()).root)


def rows(tree: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """A list of mappings of a fixture."""
    value = tree.get(key)
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def events(tree: Mapping[str, Any], key: str) -> list[Event]:
    """Events of a fixture; ``on`` is the message, ``by`` its author's message where nothing is said."""
    seq = str(tree["seq"])
    return [event_of({"on": seq, "by": [seq], "rule": "WD 30", **row}) for row in rows(tree, key)]


def state_before(tree: Mapping[str, Any], viewer: str = "public") -> Any:
    """The state before the message."""
    state = table().start()
    for event in visible(events(tree, "earlier"), viewer):
        table().apply(state, event)
    return state


def chapter(tree: Mapping[str, Any], viewer: str = "public") -> Chapter:
    """The chapter of a fixture as a viewer has it."""
    seq = int(tree["seq"])
    carried = int(tree["carried"]) if tree.get("carried") else None
    opening = Opening(str(tree["opener"]), int(tree["link"]), bytes.fromhex(tree["seed"]), carried)
    return Chapter(
        seq=seq,
        author=str(tree["author"]),
        message_id=str(tree["id"]),
        game_id=str(tree["id"]),
        viewer=viewer,
        title=str(tree["title"]),
        scenario="Compass",
        note=str(tree.get("note", "")),
        orders=int(tree.get("orders", "0")),
        link=int(tree.get("own_link", "0")),
        local=tree.get("local") == "yes",
        opening=opening,
        events=visible(events(tree, "events"), viewer),
        sides=SIDES,
    )


def document(tree: Mapping[str, Any], viewer: str = "public") -> Document:
    """The report of a fixture."""
    return document_of(table(), chapter(tree, viewer), state_before(tree, viewer), teller(SYSTEM))


def report(tree: Mapping[str, Any], viewer: str = "public", form: str = "text") -> str:
    """The report of a fixture in a form."""
    found = document(tree, viewer)
    return markdown(found) if form == "markdown" else text(found)
