"""One attack: a log, files that come after it, and what must become of each; in memory and as a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjudicator.protocol.genesis import same_offer
from adjudicator.protocol.log import read_log, read_offer, read_turn, write_line, write_turn
from adjudicator.protocol.message import Message
from adjudicator.protocol.resolve import DeskResolver, Resolver
from adjudicator.protocol.verdicts import ProtocolError
from adjudicator.protocol.verifier import Verifier
from adjudicator.turnfile.nodes import Tree, tree_map
from adjudicator.turnfile.reader import ReadError, read
from adjudicator.turnfile.writer import write
from tests.protocol.card_game import CardGame
from tests.protocol.card_table import CardTable
from tests.protocol.toy_game import Table, ToyGame

FOLDER = Path(__file__).parents[1] / "forged"


@dataclass
class Case:
    """`rows` of the table of PROTOCOL 15, a name, the game it is played in, the log, files, and what is expected.

    `after`: what the verifier knows when all files are in (`head`, `kinds` of the newest events, `waits`, `closed`,
    `forks`, `replaced`, `restored`, `resolved`). `proof`: whether the two named files prove a fork.
    """

    rows: str
    name: str
    game: str = "cards"
    log: list[Message] = field(default_factory=list)
    files: list[tuple[str, bytes, str]] = field(default_factory=list)
    after: dict[str, str] = field(default_factory=dict)
    proof: tuple[str, str, str] | None = None
    offer: bytes = b""

    @classmethod
    def at(cls, rows: str, name: str, table: CardTable | Table, game: str = "cards") -> Case:
        """A case whose log is what was played at a table."""
        return cls(rows, name, game, [table.verifier.genesis, *table.sent])

    def add(self, code: str, message: Message | bytes, name: str = "") -> Case:
        """The next file, and its verdict."""
        data = message if isinstance(message, bytes) else write_turn(message)
        suffix = "" if "." in name else ".turn"
        self.files.append((f"{len(self.files) + 1}-{name or 'turn'}{suffix}", data, code))
        return self

    def expect(self, **after: str) -> Case:
        """What must hold after all files."""
        self.after.update(after)
        return self

    # -- folders ---------------------------------------------------------------------------------------------

    @property
    def folder(self) -> str:
        """Name of the folder."""
        return f"{self.rows}-{self.name}"

    def files_of_folder(self) -> dict[str, bytes]:
        """All files of the folder by name."""
        expected: dict[str, Tree] = {
            "game": self.game,
            "files": [{"file": name, "verdict": code} for name, _, code in self.files],
        }
        if self.after:
            expected["after"] = dict(sorted(self.after.items()))
        if self.proof:
            expected["proof"] = {"one": self.proof[0], "two": self.proof[1], "holds": self.proof[2]}
        found = {"expected.yaml": write(expected).encode(), **{name: data for name, data, _ in self.files}}
        if self.log:
            found["log.jsonl"] = b"".join(write_line(message) for message in self.log)
        if self.offer:
            found["offer.turn"] = self.offer
        return found

    @classmethod
    def load(cls, folder: Path) -> Case:
        """The case of a folder."""
        expected: Any = tree_map(read((folder / "expected.yaml").read_bytes()).root)
        rows, _, name = folder.name.partition("-")
        log, offer = folder / "log.jsonl", folder / "offer.turn"
        files = [(row["file"], (folder / row["file"]).read_bytes(), row["verdict"]) for row in expected["files"]]
        proof = expected.get("proof")
        return cls(
            rows,
            name,
            expected["game"],
            read_log(log.read_bytes()) if log.exists() else [],
            files,
            expected.get("after", {}),
            (proof["one"], proof["two"], proof["holds"]) if proof else None,
            offer.read_bytes() if offer.exists() else b"",
        )


def game_of(name: str) -> Resolver | DeskResolver:
    """The rules a case is played by: `plain`, `cards`, `books`, `gift NAME`, `faults NAME`."""
    kind, _, rest = name.partition(" ")
    if kind == "plain":
        return ToyGame()
    if kind == "books":
        return CardGame(decks=False)
    if kind == "gift":
        return CardGame(gift=rest)
    return CardGame(frozenset({rest} if kind == "faults" else ()))


class Told:
    """What a verifier says to the files of a case."""

    def __init__(self, case: Case) -> None:
        self.case, self.codes = case, list[str]()
        self.messages: dict[str, Message] = {}
        self.verifier: Verifier | None = None
        if case.log:
            self.verifier = Verifier(case.log[0], game_of(case.game))
            for message in case.log[1:]:
                verdict = self.verifier.receive(message)
                if not verdict.ok:
                    raise AssertionError(f"{case.folder}: the log itself: {verdict.show()}")
        for name, data, _ in case.files:
            self.codes.append(self.take(name, data))
        if self.verifier is not None:
            self.verifier.retry()

    def take(self, name: str, data: bytes) -> str:
        """The code for one file; whatever is not a verdict is raised."""
        try:
            if name.endswith(".jsonl"):
                for message in read_log(data):
                    assert self.verifier is not None
                    verdict = self.verifier.receive(message)
                return verdict.code
            message = self.messages[name] = read_turn(data)
            if self.case.offer:
                same_offer(read_offer(self.case.offer), message.body)
            if self.verifier is None:
                Verifier(message, game_of(self.case.game))
                return "OK"
            return self.verifier.receive(message).code
        except ReadError:
            return "E_CANON"
        except ProtocolError as error:
            return error.code

    def after(self) -> dict[str, str]:
        """What the verifier knows at the end, of the things a case may ask for."""
        verifier = self.verifier
        if verifier is None:
            return {}
        last = verifier.last
        waits: Any = last.resolution.position.get("waits", {}) if last else {}
        return {
            "head": str(verifier.head),
            "resolved": str(verifier.resolved),
            "kinds": " ".join(str(event["kind"]) for event in last.resolution.events) if last else "",
            "waits": str(waits.get("key", "")),
            "closed": "yes" if verifier.closed else "no",
            "forks": str(len(verifier.forks)),
            "replaced": str(verifier.replaced),
            "restored": str(verifier.restored),
        }

    def proof(self) -> str:
        """Whether the two named files prove a fork."""
        assert self.case.proof is not None and self.verifier is not None
        one, two = (self.messages[name] for name in self.case.proof[:2])
        return "yes" if self.verifier.proves_fork(one, two) and self.verifier.proves_fork(two, one) else "no"


def check(case: Case) -> None:
    """Raise AssertionError unless every file gets its verdict and all that is expected holds."""
    told = Told(case)
    assert told.codes == [code for _, _, code in case.files], case.folder
    found = told.after()
    assert {name: found[name] for name in case.after} == case.after, case.folder
    if case.proof:
        assert told.proof() == case.proof[2], case.folder


def write_all(cases: Sequence[Case], folder: Path = FOLDER) -> None:
    """Write the folders of all cases, and remove what belongs to none."""
    wanted: Mapping[str, Mapping[str, bytes]] = {case.folder: case.files_of_folder() for case in cases}
    folder.mkdir(exist_ok=True)
    for old in sorted(folder.glob("*/*")):
        if old.name not in wanted.get(old.parent.name, {}):
            old.unlink()
    for old in sorted(folder.iterdir()):
        if old.is_dir() and old.name not in wanted:
            old.rmdir()
    for name, files in wanted.items():
        (folder / name).mkdir(exist_ok=True)
        for file, data in files.items():
            (folder / name / file).write_bytes(data)
