"""Turn files that are wrong in every way players manage: one clear line with a mend each, and nothing changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import ALLIED, AXIS, Pair, Result, cli, tree_of

LINE = re.compile(r"^(?:\S.*: )?error\[[^\]]+\]: [^;]+.*; \S.*$", re.MULTILINE)
PLACED = re.compile(r"^\S+:\d+:\d+: error\[[^\]]+\]: ", re.MULTILINE)


def move(*fields: str) -> str:
    """A movement section with one order."""
    lines = "".join(f"    {field}\n" for field in fields)
    return f"orders:\n  - type: section\n    name: movement\n  - type: move\n{lines}"


def attack(*fields: str) -> str:
    """A combat section with one attack."""
    lines = "".join(f"    {field}\n" for field in fields)
    return f"orders:\n  - type: section\n    name: combat\n  - type: attack\n{lines}"


TEXTS: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "empty"),
    "only comments": ("# nothing\n", "empty"),
    "binary": (b"\x00\x01\x02" * 40, "binary"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + b"\x00" * 40, "picture"),
    "a zip archive": (b"PK\x03\x04" + b"\x00" * 40, "zip"),
    "300 KiB": ("orders:\n" + "  - type: pass\n" * 20_480, "262,144"),
    "UTF-16": ("orders: []\n".encode("utf-16"), "UTF-16"),
    "no UTF-8": (b"orders: []\nnote: Caf\xe9\n", "UTF-8"),
    "byte order mark": (b"\xef\xbb\xbforders: []\n", "byte order mark"),
    "a tab": ("orders:\n\t- type: pass\n", "tab"),
    "no-break space": ("orders:\n  - type:\u00a0pass\n", "no-break space"),
    "key twice": (move("unit: 7 SG", "to: 19/0627", "to: 19/0626"), "twice"),
    "anchor": (move("unit: &a 7 SG", "to: 19/0627"), "anchor"),
    "alias": (move("unit: *a", "to: 19/0627"), "alias"),
    "tag": (move("unit: !x 7 SG", "to: 19/0627"), "tag"),
    "directive": ("%YAML 1.2\n---\norders: []\n", "directive"),
    "two documents": ("orders: []\n---\norders: []\n", "second document"),
    "braces": (move("units: {7 SG, 4 Arm X}", "to: 19/0627"), "braces|list"),
    "bracket open": (move("units: [7 SG, 4 Arm X", "to: 19/0627"), "not closed"),
    "no colon": (move("unit 7 SG", "to: 19/0627"), "colon"),
    "indent": ("orders:\n  - type: move\n     unit: 7 SG\n", "indented"),
    "too deep": ("orders: " + "[" * 40 + "]" * 40 + "\n", "inside one another"),
    "a list": ("- type: move\n", "mapping"),
    "a word": ("attack!\n", "mapping"),
    "unknown line": ("order:\n  - type: pass\norders: []\n", "unknown line"),
    "no orders": ("note: hello\n", "no list"),
    "orders a text": ("orders: attack at dawn\n", "must be a list"),
    "order a text": ("orders:\n  - attack\n", "must have fields"),
    "note a list": ("note: [a, b]\norders: []\n", "one text"),
    "order without type": ("orders:\n  - unit: 7 SG\n", "has no `type`"),
    "unknown type": ("orders:\n  - type: atack\n    hex: 19/0726\n", "did you mean attack"),
    "nothing named": ("orders:\n  - type: section\n    name: movement\n  - type: seaborne\n", "needs units or unit"),
    "unknown section": ("orders:\n  - type: section\n    name: tea\n", "one of"),
    "unknown field": (move("unit: 7 SG", "too: 19/0627"), "did you mean to"),
    "field missing": (move("unit: 7 SG"), "needs to or path"),
    "value missing": (move("unit: #7", "to: 19/0627"), "needs a value"),
    "by camel": (move("unit: 7 SG", "to: 19/0627", "by: camel"), "foot, road, rail"),
    "unit a mapping": (move("unit:", "  a: b", "to: 19/0627"), "one value"),
    "unknown unit": (move("unit: 7 Armd X", "to: 19/0627"), "no unit '7 Armd X'; did you mean"),
    "no unit at all": (move("to: 19/0627"), "names no unit"),
    "ambiguous unit": (move("unit: Position AA 2", "to: 19/0627"), "may mean 2 units: paa-allied-02"),
    "foreign unit": (move("unit: 62 Marmarica XX", "to: 19/0627"), "only the phasing side"),
    "unit not of the force": (move("unit: 4 NZ X", "to: 19/1225"), "attack force"),
    "unknown place": (move("unit: 7 SG", "to: El Alamain"), "no hex"),
    "hex off the map": (move("unit: 7 SG", "to: 19/9999"), "no hex"),
    "hex without sheet": (move("unit: 7 SG", 'to: "0627"'), "no hex"),
    "sea": (move("unit: 7 SG", "to: 19/0824"), "sea"),
    "too many MPs": (move("unit: 7 RTR", "to: 19/0626"), "of 6 MP"),
    "enemy there": (move("unit: 7 SG", "to: 19/0726"), "held by"),
    "where it is": (move("unit: 7 SG", "to: 19/1127"), "already"),
    "path with a gap": (move("unit: 7 SG", "path: 19/1027, 19/0627"), "19/0627"),
    "overstacked": (move("units: 7 Arm X, 4 Arm X, 7 SG", "to: 19/1126"), "may stack"),
    "attack while moving": (
        "orders:\n  - type: section\n    name: movement\n  - type: attack\n    hex: 19/0726\n    with: 7 SG\n",
        "no order of the movement phase",
    ),
    "other game": ("game: 000000000000\nseq: 4\nside: allied\norders: []\n", "is for game"),
    "old turn": ("seq: 2\norders: []\n", "made for message 2"),
    "later turn": ("seq: 6\norders: []\n", "is for message 6"),
    "seq no number": ("seq: four\norders: []\n", "is for message four"),
    "wrong side": ("side: axis\norders: []\n", "you are allied"),
    "standing of nothing": ("orders:\n  - type: standing\n    topic: tea\n    rules: []\n", "supply, losses, retreat"),
}

COMBAT: dict[str, tuple[str, str]] = {
    "not adjacent": (attack("hex: 19/0527", "with: 5 Ind X"), "hexes from"),
    "nobody there": (attack("hex: 19/0625", "with: 7 SG"), "no enemy unit"),
    "no attackers": (attack("hex: 19/0726"), "needs a value"),
    "enemy attacks": (attack("hex: 19/0726", "with: Maletti III"), "belongs to the axis"),
    "no counter": (attack("hex: 19/0726", "with: 7 SG", "supply: S9:1"), "no supply counter"),
    "too many steps": (attack("hex: 19/0726", "with: 7 SG", "supply: supply-allied-1:3"), "2 steps"),
    "odds": (attack("hex: 19/0726", "with: 7 SG", "min_odds: 9:1"), "no column"),
    "advance of another": (attack("hex: 19/0726", "with: 7 SG", "advance: 5 Ind X"), "5"),
    "attacks twice": (
        attack("hex: 19/0726", "with: 7 SG, 7 Arm X") + "  - type: attack\n    hex: 19/0526\n    with: 7 Arm X\n",
        "attacks once",
    ),
    "strength nothing": (attack("hex: 19/0726", "with: 4 Ind HQ"), "strength 0"),
    "movement too late": (move("unit: 7 SG", "to: 19/0625"), "over"),
    "losses of no attack": (
        "orders:\n  - type: section\n    name: combat\n  - type: losses\n    hex: 19/0726\n    units: 7 SG\n",
        "no attack",
    ),
}


def assert_clear(result: Result, pattern: str, code: int | None = None) -> None:
    """One clear line with a mend, no traceback, exit code 1 or 2."""
    assert result.code in ((1, 2) if code is None else (code,)), result.all
    assert "Traceback" not in result.all
    assert "error[internal]" not in result.all, result.all
    lines = [line for line in result.all.splitlines() if "error[" in line]
    assert lines, result.all
    assert LINE.search(lines[0]), lines[0]
    assert re.search(pattern, "\n".join(lines)), result.all
    assert max(len(line) for line in lines) < 600, lines


def assert_refused(pair: Pair, file: Path, pattern: str) -> None:
    """`check` says it, `sign` refuses for it, and both leave the folders as they were."""
    before = tree_of(pair.root)
    checked = cli("check", file, "--game", pair.folder(ALLIED))
    assert_clear(checked, pattern)
    assert PLACED.search(checked.all), checked.all
    assert str(file) in checked.all
    signed = cli("sign", file, "--game", pair.folder(ALLIED), "--yes")
    assert_clear(signed, pattern)
    assert tree_of(pair.root) == before


@pytest.fixture(scope="session")
def shared(stages: dict[str, Path]) -> Callable[[str], Pair]:
    """The kept game itself: these tests hold that nothing in it changes."""
    return lambda name: Pair(stages[name])


@pytest.mark.parametrize("name", TEXTS)
def test_a_bad_turn_file(name: str, shared: Callable[[str], Pair], tmp_path: Path) -> None:
    text, pattern = TEXTS[name]
    file = tmp_path / "orders.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert_refused(shared("movement"), file, pattern)


@pytest.mark.parametrize("name", COMBAT)
def test_bad_orders_of_combat(name: str, shared: Callable[[str], Pair], tmp_path: Path) -> None:
    text, pattern = COMBAT[name]
    file = tmp_path / "orders.yaml"
    file.write_text(text, encoding="utf-8")
    assert_refused(shared("combat"), file, pattern)


def test_orders_before_message_3(shared: Callable[[str], Pair], tmp_path: Path) -> None:
    file = tmp_path / "orders.yaml"
    file.write_text(move("unit: 62 Marmarica XX", "to: 19/0325"), encoding="utf-8")
    pair = shared("genesis")
    cli("status", pair.folder(AXIS))
    before = tree_of(pair.root)
    assert_clear(cli("check", file, "--game", pair.folder(AXIS)), "messages 1 and 2 carry no orders", 1)
    assert_clear(cli("sign", file, "--game", pair.folder(AXIS), "--yes"), "messages 1 and 2 carry no orders", 1)
    assert tree_of(pair.root) == before


def test_all_problems_of_all_orders_at_once(shared: Callable[[str], Pair], tmp_path: Path) -> None:
    file = tmp_path / "orders.yaml"
    text = move("unit: 7 RTR", "to: 19/0626") + "  - type: move\n    unit: nobody\n    to: nowhere\n  - type: atack\n"
    file.write_text(text, encoding="utf-8")
    result = cli("check", file, "--game", shared("movement").folder(ALLIED))
    assert result.code == 1
    places = [line.split(":")[1] for line in result.out.splitlines() if "error[" in line]
    assert {"4", "8", "9", "10"} <= set(places) or {"6", "8", "9", "10"} <= set(places), result.out
    assert "0 legal, 3 illegal" in result.out


def test_a_section_behind_a_later_phase_is_told_at_its_line(shared: Callable[[str], Pair], tmp_path: Path) -> None:
    """The phases come in their own order wherever their sections stand; whoever wrote them otherwise may not know."""
    ours = (Path(__file__).parents[2] / "turnfiles/western-desert/compass-demo/1-movement.yaml").read_text("utf-8")
    moves = ours.removeprefix("orders:\n")
    attack = "  - type: section\n    name: combat\n  - type: attack\n    hex: 19/0825\n    with: Selbyforce\n"
    file, folder = tmp_path / "orders.yaml", shared("movement").folder(ALLIED)
    told = {}
    for name, text in (("right", moves + attack), ("wrong", attack + moves)):
        file.write_text("orders:\n" + text, encoding="utf-8")
        result = cli("check", file, "--game", folder, "--json")
        rows = [row for row in result.json["problems"] if row["code"] == "section_order"]
        told[name] = (result.code, rows, [row["code"] for row in result.json["problems"] if row not in rows])
    assert told["right"][1] == [] and told["right"][0] == told["wrong"][0]
    assert sorted(told["right"][2]) == sorted(told["wrong"][2])
    first, second = told["wrong"][1]
    assert (first["line"], first["severity"]) == (8, "warning")
    assert first["text"] == "the section movement stands behind combat, but is played before it"
    assert first["mend"].startswith("put it above combat; the order of play is movement, air")
    assert second["text"] == "the section air stands behind combat, but is played before it"
