"""Everything the program writes, into one folder: the same bytes on every Python, under every PYTHONHASHSEED.

    python -m tests.portability.sameness FOLDER [--shuffled SEED]

The folder gets what the protocol makes of the vectors and of every forged file, both bundled games as they are played
and as their kept logs prove, every report, export, answer and error text. Standard output is a list of the files with
their SHA-256. With ``--shuffled`` every mapping that is read from JSON (packs, logs, checkpoints) comes in another
order of its keys, which may change nothing either.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import random
import re
import sys
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from adjudicator.turnfile.canon import canon, parse
from adjudicator.turnfile.nodes import tree_map
from adjudicator.turnfile.reader import read

ROOT = Path(__file__).resolve().parents[2]
KEPT = {"western-desert": "compass-demo", "shifting-sands": "first-rounds"}
ZIPS = (".vmod", ".vsav", ".vlog")
UNIT = {"western-desert": "7 Arm X", "shifting-sands": "it-62"}
PLACE = {"western-desert": "19/0526", "shifting-sands": "Tobruk"}
KEPT_FILE = re.compile("kept/[0-9a-f]{12}-")
"""Files that were not taken are kept under the beginning of their hash."""
MESSAGES = {"western-desert": 11, "shifting-sands": 12}


# -- what the protocol says ----------------------------------------------------------------------------------------


def protocol_bytes() -> Iterator[tuple[str, bytes]]:
    """A game of twelve messages, dice, shuffles and digests of the vectors, books, decks, forged files."""
    from adjudicator.protocol import dice
    from adjudicator.protocol.log import write_line, write_turn
    from tests.protocol.toy_game import vectors
    from tests.protocol.twelve import played

    table = played()
    sent = [write_line(one) + write_turn(one) for one in table.sent]
    own = [canon(table.own[side].to_tree()) for side in sorted(table.own)]
    yield "twelve", b"".join([*sent, canon(table.verifier.export()), *own])
    rolled = [
        dice.roll(bytes.fromhex(case["seed"]), case["label"], case["sides"], len(case["values"]))
        for case in vectors()["rolls"]
    ]
    decks = [dice.shuffle(bytes.fromhex(one["seed"]), one["label"], one["n"]) for one in vectors()["shuffle"]]
    yield "rolls", repr((rolled, decks)).encode()
    yield "canon", "\n".join(canon_verdicts(vectors())).encode()
    yield "forged-made", b"".join(forged_made())
    yield "forged-kept", "\n".join(forged_kept()).encode()


def reparsed(data: bytes) -> str:
    """Canonical bytes, read and written again."""
    return canon(parse(data)).hex()


def parsed(data: bytes) -> str:
    """What the reader of turn files makes of bytes."""
    return str(read(data).root)


def canon_verdicts(vectors: dict[str, Any]) -> Iterator[str]:
    """What the reader makes of each vector of canonical and rejected bytes, and the words of each rejection."""
    from adjudicator.turnfile.canon import CanonError
    from adjudicator.turnfile.reader import ReadError

    for block in ("canon_ok", "canon_reject", "v1_messages", "game"):
        for text in texts(vectors[block]):
            for reader in (reparsed, parsed):
                try:
                    yield reader(text.encode("utf-8", "surrogatepass"))
                except (CanonError, ReadError) as error:
                    yield str(error)


def texts(tree: object) -> Iterator[str]:
    """All texts of a tree, in its order."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict | list):
        for one in [tree[key] for key in sorted(tree)] if isinstance(tree, dict) else tree:
            yield from texts(one)


def forged_made() -> Iterator[bytes]:
    """The forged files of books and decks, made anew."""
    from tests.protocol.forge.by_books import book_cases
    from tests.protocol.forge.by_decks import deck_cases

    for case in (*book_cases(), *deck_cases()):
        yield from (name.encode() + data for name, data in case.files_of_folder().items())


def forged_kept() -> Iterator[str]:
    """The verdict on every forged file, what is known after it, and the words of every rejection of a reader."""
    from adjudicator.protocol.log import read_turn
    from adjudicator.protocol.verdicts import ProtocolError
    from adjudicator.turnfile.reader import ReadError
    from tests.protocol.forge.case import FOLDER, Case, Told

    for folder in sorted(path for path in FOLDER.iterdir() if path.is_dir()):
        case = Case.load(folder)
        told = Told(case)
        yield f"{folder.name}: {told.codes} {told.after()}"
        for name, data, _ in case.files:
            try:
                yield f"{name}: {read_turn(data).id}"
            except (ReadError, ProtocolError) as error:
                yield f"{name}: {error}"


# -- what the games say --------------------------------------------------------------------------------------------


def command(*words: object) -> str:
    """A command line with its answer, both outputs and its exit code."""
    from adjudicator.cli.main import run

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([str(word) for word in words])
    asked = " ".join(str(word) for word in words).replace(str(ROOT), "ROOT")
    return f"$ {asked}\n{out.getvalue()}{err.getvalue()}= {code}\n".replace(str(ROOT), "ROOT")


def game_bytes(system: str) -> Iterator[tuple[str, bytes]]:
    """A bundled game: played anew in the folder ``system``, proved from its kept log, asked everything."""
    yield "demo", KEPT_FILE.sub("kept/HASH-", command("demo", system, "--system", system)).encode()
    log = ROOT / "turnfiles" / system / KEPT[system] / "log.jsonl"
    yield "verify", command("verify", log, "--dice", f"{system}-dice.csv").encode()
    folder = next(Path(system).glob("bob/*/log.jsonl")).parent
    yield "asked", "".join(command(*words) for words in questions(system, folder)).encode()
    yield "wrong", "".join(command(*words) for words in mistakes(system, folder)).encode()


def questions(system: str, folder: Path) -> Iterator[tuple[object, ...]]:
    """Command lines that only ask."""
    for word in ("status", "audit", "doctor", "head"):
        yield word, folder
        yield word, folder, "--json"
    for seq in range(MESSAGES[system]):
        yield "report", folder, seq
        yield "report", folder, seq, "--json"
    yield "moves", UNIT[system], "--next", "--game", folder
    yield "supply", "--all", "--game", folder
    yield "odds", PLACE[system], "--with", UNIT[system], "--game", folder
    for side in ("axis", "allied", "public"):
        yield "export", "save", folder, "-o", folder.parent / f"{side}.vsav", "--for", side
        yield "export", "log", folder, 4, "-o", folder.parent / f"{side}.vlog", "--for", side
    yield "template", folder
    yield "explain", 4, "--game", folder
    yield "explain", "E_STATE"


def mistakes(system: str, folder: Path) -> Iterator[tuple[object, ...]]:
    """Command lines and files that are wrong."""
    parent = folder.parent
    drafts = sorted((ROOT / "turnfiles" / system / KEPT[system]).glob("*.yaml"))
    for number, draft in enumerate(drafts):
        text = draft.read_text(encoding="utf-8")
        for name, changed in (("as-is", text), ("cut", text[:-7]), ("typed", text.replace("unit", "unitt", 3))):
            wrong = parent / f"{name}-{number}.yaml"
            wrong.write_bytes(changed.encode())
            yield "check", wrong, "--game", folder
    for name, data in (("empty", b""), ("binary", bytes(range(256))), ("tabs", b"a:\t- b\n"), ("anchor", b"a: &b c\n")):
        (parent / f"{name}.yaml").write_bytes(data)
        yield "check", parent / f"{name}.yaml", "--game", folder
        yield "receive", folder, parent / f"{name}.yaml"
    yield from (("chek",), ("check",), ("report", folder, "99"), ("report", folder, "x"), ("verify", parent / "none"))
    yield from (("odds", "nowhere", "--game", folder), ("explain", "ZZ 1.A"), ("audit", "--nothing", folder))


def help_bytes() -> bytes:
    """The help of the program and of each command."""
    from adjudicator.cli.main import FAMILIES

    words = [word for family in FAMILIES.values() for word in family]
    return "".join(command(*line) for line in (("--help",), *((word, "--help") for word in words))).encode()


# -- all of it -----------------------------------------------------------------------------------------------------


def write_all(folder: Path) -> dict[str, str]:
    """Write everything below a folder; each file's name and SHA-256. Zips are told by what is in them, too."""
    os.chdir(folder)
    parts = [("protocol", protocol_bytes()), *((system, game_bytes(system)) for system in KEPT)]
    for part, found in parts:
        for name, data in found:
            Path(f"{part}-{name}.txt").write_bytes(data)
    Path("help.txt").write_bytes(help_bytes())
    paths = sorted(path for path in Path().rglob("*") if path.is_file())
    return {name: sha256(data).hexdigest() for path in paths for name, data in told(path)}


def told(path: Path) -> Iterator[tuple[str, bytes]]:
    """A file and what it holds: of a zip the entries (``FILE!ENTRY``; deflated bytes depend on the zlib there is), of
    a turn file its canonical bytes (fields of the file stand in the order in which they were read)."""
    data = path.read_bytes()
    yield path.as_posix(), data
    if path.suffix == ".turn":
        whole: Any = tree_map(read(data).root)
        yield f"{path.parent.as_posix()}/{path.name.split('-', 1)[-1]}!canonical", canon(whole)
    if path.suffix in ZIPS:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                about = (info.filename, info.date_time, info.external_attr, info.compress_type)
                yield f"{path.as_posix()}!{info.filename}", repr(about).encode() + archive.read(info)


def shuffle_json(seed: int) -> None:
    """From now on JSON that is read has the keys of its mappings in an order drawn from a seed."""
    plain: Callable[..., Any] = json.loads
    order = random.Random(seed)

    def shuffled(tree: Any) -> Any:
        if isinstance(tree, list):
            return [shuffled(one) for one in tree]
        if not isinstance(tree, dict):
            return tree
        keys = list(tree)
        order.shuffle(keys)
        return {key: shuffled(tree[key]) for key in keys}

    @functools.wraps(plain)
    def loads(*args: Any, **options: Any) -> Any:
        return shuffled(plain(*args, **options))

    json.loads = loads


def main(words: list[str]) -> int:
    """Write everything and print the list."""
    os.fsync = os.fstat  # type: ignore[assignment]  # no power fails here, and the disk is slow
    if words[1:2] == ["--shuffled"]:
        shuffle_json(int(words[2]))
    for name, digest in write_all(Path(words[0])).items():
        print(digest, name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
