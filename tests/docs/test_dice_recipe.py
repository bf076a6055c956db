"""The recipe of docs/dice-recipe.md: its example and its programs, held against the program and both example games."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.match.proof import Failed, Proof
from adjudicator.protocol.dice import roll, seed_of
from adjudicator.protocol.hashing import hmac256, lp, tagged_hash, u32
from tests.docs.pages import ROOT, page

RECIPE = page("docs/dice-recipe.md")


def rows() -> dict[str, str]:
    """The table of the example: what -> the first code or number in the cell."""
    table = re.findall(r"^\| (.+?) \| (.+?) \|$", RECIPE.text.split("## A worked example")[1], re.MULTILINE)
    return {what: re.sub(r"`(\w+)`.*", r"\1", value) for what, value in table}


def test_the_table_is_right() -> None:
    found = rows()
    link, message = bytes.fromhex(found["link 3, from message 5"]), bytes.fromhex(found["id of message 4"])
    game, cid = bytes.fromhex(found["game id"]), bytes.fromhex(found["`cid` of the Axis player"])
    step_2 = found['step 2: `H("pbem1/chain", cid, u32(3), link 3)`']
    assert step_2 == tagged_hash("pbem1/chain", cid, u32(3), link).hex() == found["link 2, from message 3"]
    assert found["step 3: `HMAC(id, link 3)`"] == hmac256(message, link).hex()
    seed = seed_of(4, message, game, link)
    assert found["step 3: the seed"] == seed.hex()
    block = hmac256(seed, lp(b"pbem1/roll", b"combat/1203/crt", u32(6)) + u32(0))
    assert found["step 4: block 0 for `combat/1203/crt`, 6 faces"] == block.hex()
    assert found["its first byte"] == f"{block[0]:02x}"
    assert f"which is {block[0]} = 6 x {block[0] // 6} + {block[0] % 6}" in RECIPE.text
    assert roll(seed, "combat/1203/crt", 6) == (int(found["the die"]),) == (block[0] % 6 + 1,)


def test_the_listing_runs_and_prints_what_the_page_says() -> None:
    listing = RECIPE.blocks("python")[0]
    done = subprocess.run([sys.executable, "-I", "-c", listing.text], capture_output=True, text=True)
    assert done.stderr == ""
    found = rows()
    dice = re.search(r"then the seed and the dice `(.+)`", RECIPE.text)
    assert dice is not None
    assert done.stdout.split("\n") == [
        found["link 2, from message 3"],
        f"{found['step 3: the seed']} {dice[1]}",
        "",
    ]


# --- the programs that compute a whole game ---------------------------------------------------------------------

GAMES = sorted(path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("turnfiles/*/*/log.jsonl"))
RUNNERS = {"recompute.py": [sys.executable, "-I"], "recompute.mjs": ["node"]}


@pytest.fixture(scope="module")
def rolled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path, int]]:
    """Every example game: its log, the list of its rolls, how many dice."""
    found = {}
    for name in GAMES:
        log = ROOT / name / "log.jsonl"
        proof = Proof(log.read_bytes(), log.parent)
        assert not any(isinstance(step, Failed) for step in proof.steps())
        dice = tmp_path_factory.mktemp("dice") / "dice.txt"
        dice.write_text("".join(f"{die.line()}\n" for die in proof.rolled), encoding="utf-8")
        found[name] = (log, dice, sum(len(die.values) for die in proof.rolled))
    return found


def recompute(name: str, log: Path, dice: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Run one of the programs of the page."""
    if shutil.which(RUNNERS[name][0]) is None:
        pytest.skip(f"{RUNNERS[name][0]} is not on this machine, so {name} of the page can't be run")
    (listing,) = [block for block in RECIPE.blocks() if (block.mark, block.value) == ("program", name)]
    program = tmp_path / name
    program.write_text(listing.text, encoding="utf-8")
    command = [*RUNNERS[name], str(program), str(log), str(dice)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")


@pytest.mark.parametrize("program", RUNNERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_die_of_the_example_games(
    game: str, program: str, rolled: dict[str, tuple[Path, Path, int]], tmp_path: Path
) -> None:
    log, dice, count = rolled[game]
    assert count > 5
    done = recompute(program, log, dice, tmp_path)
    messages = len(log.read_bytes().splitlines()) - 1
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{messages} messages, {count} dice, all as computed\n"


@pytest.mark.parametrize("program", RUNNERS)
def test_the_programs_see_what_is_wrong(
    program: str, rolled: dict[str, tuple[Path, Path, int]], tmp_path: Path
) -> None:
    log, dice, _ = rolled[GAMES[0]]
    lines = dice.read_text(encoding="utf-8").splitlines()
    *head, value = lines[-1].split()
    wrong = tmp_path / "dice.txt"
    wrong.write_text("\n".join([*lines[:-1], " ".join([*head, "1" if value != "1" else "2"])]), encoding="utf-8")
    done = recompute(program, log, wrong, tmp_path)
    assert done.returncode != 0
    assert f"message {head[0]}, {head[1]}" in done.stderr
    bodies = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    bodies[3]["body"]["reveal"] = "0" * 64
    edited = tmp_path / "log.jsonl"
    edited.write_text("\n".join(json.dumps(body) for body in bodies), encoding="utf-8")
    done = recompute(program, edited, dice, tmp_path)
    assert done.returncode != 0
    assert "link of message 3" in done.stderr


def test_every_roll_of_the_rules_is_told_by_an_event(rolled: dict[str, tuple[Path, Path, int]]) -> None:
    """What `verify --dice` lists are all dice: no roll goes by without an event that tells it."""
    from adjudicator.engine.core import Roll
    from adjudicator.engine.dice import DiceSource
    from adjudicator.engine.driver import Message, Run
    from adjudicator.match.match import table_of
    from adjudicator.match.resolver import MatchResolver
    from adjudicator.protocol.log import read_log
    from adjudicator.protocol.verifier import Verifier

    class Listening(MatchResolver):
        def run(self, messages: list[Message], dice: DiceSource, remarks: bool = False) -> Run[object]:  # type: ignore[override]
            def heard(seq: int, roll: Roll) -> tuple[int, ...]:
                values = dice(seq, roll)
                rolls.add(" ".join((str(seq), roll.label, str(roll.faces), *map(str, values))))
                return values

            return super().run(messages, heard, remarks)

    for log, dice, _ in rolled.values():
        rolls: set[str] = set()
        genesis, *messages = read_log(log.read_bytes())
        verifier = Verifier(genesis, Listening.fresh(table_of(genesis)))
        assert all(verifier.receive(message).ok for message in messages)
        told = set(dice.read_text(encoding="utf-8").splitlines())
        assert rolls == told
