"""Attacks on the bytes of files and on the form of bodies (rows 19 to 22, 58, 67 to 70, 89)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from adjudicator.protocol.compose import sign_body
from adjudicator.protocol.log import write_line, write_turn
from adjudicator.protocol.message import Message
from adjudicator.turnfile.canon import MAX_BYTES, canon
from tests.protocol.card_table import card_genesis
from tests.protocol.forge.case import Case, Told
from tests.protocol.toy_game import key_of
from tests.protocol.twelve import attack, played

ONE: list[Any] = [attack("1203", "axis-u1")]
FOREIGN = (
    "\u202e", "\u0301", "\u2060", "\u00ad", "\ufe0f", "\U000e0041", "\u3164", "\u00a0", "\U00010efd", "\t", "\u2028",
    "\u0085", "\u200b", "\u0378", "\u1100", "\ufeff",
)  # fmt: skip
"""Sixteen characters off the white list."""


def file_cases() -> Iterator[Case]:
    """Rows 19 to 22, 58, 67 to 70, 89."""
    table = played(2)
    good = table.next(ONE, note="good luck")
    text = write_turn(good).decode()
    yield _reader(table, text)
    yield _spellings(table, good, text)
    case = Case.at("22", "characters-off-the-white-list", table)
    for number, char in enumerate(FOREIGN):
        case.add("E_CANON", text.replace("good luck", f"good{char}luck").encode(), f"u-{ord(char):x}-{number}")
    yield case
    line = write_line(good)
    case = Case.at("58", "log-line-not-canonical", table)
    case.add("E_CANON", line.replace(b'"body":', b'"body": ', 1), "space.jsonl")
    yield case.add("E_CANON", b'{"sig":"x","body":{}}\n', "order.jsonl").add("E_CANON", line[:-9], "torn.jsonl")
    yield from _deep(table)
    yield _malformed(table)
    yield _genesis()
    yield _mutations(table, good)


def _reader(table: Any, text: str) -> Case:
    case = Case.at("19_20", "duplicate-key-and-yaml-tricks", table)
    case.add("E_CANON", text.replace("  seq: ", "  seq: '4'\n  seq: ", 1).encode(), "duplicate-key")
    case.add("E_CANON", text.replace("good luck", "&a good luck").encode(), "anchor")
    case.add("E_CANON", text.replace("good luck", "!!str good luck").encode(), "tag")
    case.add("E_CANON", text.replace("  note:", "  <<: {}\n  note:").encode(), "merge")
    case.add("E_CANON", (text + "---\nbody: {}\n").encode(), "second-document")
    return case.add("E_CANON", ("%YAML 1.1\n---\n" + text).encode(), "directive")


def _spellings(table: Any, good: Message, text: str) -> Case:
    """Other ways to write the same tree: identical bytes, so the same message."""
    case = Case.at("21", "the-same-message-written-otherwise", table).add("OK", good)
    case.add("DUPLICATE", text.replace("\n", "\r\n").encode(), "crlf")
    flow = json.dumps(good.body, ensure_ascii=False)
    sig = "\n".join("  " + line for line in good.sig.strip().split("\n"))
    case.add("DUPLICATE", f"body: {flow}\nsig: |\n{sig}\n".encode(), "flow")
    return case.add("DUPLICATE", f"# not signed\n{text}\n# neither\n".encode(), "comments")


def _malformed(table: Any) -> Case:
    case = Case.at("67", "malformed-orders", table)
    forms: list[Any] = ["x", {"type": "x"}, ["x"], [{"hex": "1"}], [{"type": ["x"]}], [{"type": "A b"}]]
    for orders in forms:
        case.add("E_FIELD", table.changed(change={"orders": orders}))
    number = write_line(table.next(ONE)).replace(b'"link":"2"', b'"link":2', 1)
    case.add("E_CANON", number, "number.jsonl")
    odd: list[Any] = [{"type": "dance"}, {"type": "attack", "hex": ["1", {"a": {}}]}, {"type": "ops", "card": {}}]
    table.play(odd)
    return case.add("OK", table.sent[-1], "odd").add("OK", table.next()).expect(kinds="void void void draw")


def _deep(table: Any) -> Iterator[Case]:
    """One container more than a file may nest; the largest body is tested with the reader."""
    text = write_turn(table.next([{"type": "attack", "x": []}])).decode()
    case = Case.at("68", "too-deep", table)
    for depth, code in ((12, "E_SIG"), (13, "E_CANON"), (40, "E_CANON")):
        deep: Any = "x"
        for _ in range(depth):
            deep = [deep]
        case.add(code, text.replace("x: []", f"x: {json.dumps(deep)}").encode(), f"depth-{depth + 3}")
    yield case
    yield _long(table)


def _long(table: Any) -> Case:
    """Bodies at the limit of 256 KiB and a byte over it, as lines of a log, so that the file is not at fault."""
    case = Case.at("68", "too-long", table)
    head, empty = table.next(ONE, note="x"), len(table.next(ONE, note="x").canonical) - 1
    for length, code in ((MAX_BYTES, "E_SIG"), (MAX_BYTES + 1, "E_CANON")):
        body = {**head.body, "note": "x" * (length - empty)}
        case.add(code, canon({"body": body, "sig": head.sig}) + b"\n", f"{length}-bytes.jsonl")
    return case


def _genesis() -> Case:
    body: Any = card_genesis().body
    case = Case("69_70", "rules-and-links-of-genesis")
    changes: list[dict[str, Any]] = [{"version": "3"}, {"system": "toys"}, {"switches": {"fog": "yes"}}]
    for change in changes:
        case.add("E_RULES", sign_body({**body, **change}, key_of("bob")))
    for links in ("1", "65537"):
        b = {**body["players"]["b"], "links": links}
        case.add("E_KEY", sign_body({**body, "players": {**body["players"], "b": b}}, key_of("bob")), f"links-{links}")
    return case


def _mutations(table: Any, good: Message) -> Case:
    """A few of the mutants that the tests make by the thousand."""
    data, source = write_turn(good), Random(89)
    files = []
    for _ in range(12):
        at = source.randrange(len(data))
        files.append(data[:at] + bytes([source.randrange(32, 127)]) + data[at + 1 :])
    probe = Case.at("89", "mutated-files", played(2))
    probe.files = [(f"{number}-mutant.turn", one, "") for number, one in enumerate(files, 1)]
    codes = Told(probe).codes
    case = Case.at("89", "mutated-files", played(2))
    for one, code in zip(files, codes, strict=True):
        if code not in ("OK", "DUPLICATE"):
            case.add(code, one, "mutant")
    return case.expect(head="2", forks="0")
