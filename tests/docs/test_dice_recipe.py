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
from tests.protocol.toy_game import vectors

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


def listing(name: str) -> str:
    """A program of the page."""
    (block,) = [block for block in RECIPE.blocks() if (block.mark, block.value) == ("program", name)]
    return block.text


def recompute(name: str, log: Path, dice: Path, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    """Run one of the programs of the page."""
    if shutil.which(RUNNERS[name][0]) is None:
        pytest.skip(f"{RUNNERS[name][0]} is not on this machine, so {name} of the page can't be run")
    program = tmp_path / name
    program.write_text(listing(name), encoding="utf-8")
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
                faces = f"{roll.faces}{'p' if roll.picks else ''}"
                rolls.add(" ".join((str(seq), roll.label, faces, *map(str, values))))
                return values

            return super().run(messages, heard, remarks)

    for log, dice, _ in rolled.values():
        rolls: set[str] = set()
        genesis, *messages = read_log(log.read_bytes())
        verifier = Verifier(genesis, Listening.fresh(table_of(genesis)))
        assert all(verifier.receive(message).ok for message in messages)
        told = set(dice.read_text(encoding="utf-8").splitlines())
        assert rolls == told


# --- the vectors of the protocol --------------------------------------------------------------------------------

V = vectors()
TAILS = {
    "py": """
cases = json.load(open(sys.argv[1], encoding="utf-8"))
found = [globals()[what](bytes.fromhex(seed), *rest) for what, seed, *rest in cases]
print(json.dumps(found))
""",
    "mjs": """
const does = { dice, pick, shuffle };
const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify(cases.map(([what, seed, ...rest]) => does[what](hex(seed), ...rest))));
""",
}


def cases() -> list[tuple[list[object], object]]:
    """Every roll, pick and shuffle of the vectors: what is asked, and what must come."""
    found: list[tuple[list[object], object]] = []
    for roll_ in V["rolls"]:
        asked = ["dice", roll_["seed"], roll_["label"], roll_["sides"], len(roll_["values"])]
        found.append((asked, roll_["values"]))
    for one in V["shuffle"]:
        found.append((["shuffle", one["seed"], one["label"], one["n"]], one["order"]))
    hidden = V["secret_roll"]
    found.append((["dice", hidden["roll_seed"], hidden["label"], 6, 1], [hidden["d6"]]))
    old = V["v1_messages"]
    rolled = [(old["seeds"][seq], *row) for seq, rows_ in old["rolls"].items() for row in rows_]
    rolled += [(one["seed"], *row) for one in V["game"]["resolved"] for row in one["rolls"]]
    for seed, label, faces, values in rolled:
        if label.split("/")[0] in ("deck", "raid", "intel"):
            found.append((["pick", seed, label, faces], values[0]))
        else:
            found.append((["dice", seed, label, faces, len(values)], values))
    return found


def computed(ending: str, tmp_path: Path, change: tuple[str, str] = ("", "")) -> list[object]:
    """What the functions of a program of the page make of all cases."""
    runner = RUNNERS[f"recompute.{ending}"]
    if shutil.which(runner[0]) is None:
        pytest.skip(f"{runner[0]} is not on this machine, so the program of the page can't be run")
    functions, found, _ = listing(f"recompute.{ending}").partition("bodies = ")
    functions = functions.removesuffix("const ")
    assert found and change[0] in functions
    program = tmp_path / f"vectors.{ending}"
    text = functions.replace(*change) + listing(f"picks.{ending}") + TAILS[ending]
    program.write_text(text, encoding="utf-8")
    asked = tmp_path / "cases.json"
    asked.write_text(json.dumps([case for case, _ in cases()]), encoding="utf-8")
    command = [*runner, str(program), str(asked)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def test_the_vectors_have_what_is_hard() -> None:
    kinds = [str(case[0]) for case, _ in cases()]
    assert {kind: kinds.count(kind) for kind in kinds} == {"dice": 23, "pick": 14, "shuffle": 7}
    faces = {case[3] for case, _ in cases() if case[0] == "dice"}
    assert {2, 6, 10, 20, 100, 256, 257, 1000, 4294967295} <= faces
    assert max(len(wanted) for case, wanted in cases() if case[0] == "dice" and isinstance(wanted, list)) == 100


@pytest.mark.parametrize("ending", TAILS)
def test_the_programs_compute_every_vector(ending: str, tmp_path: Path) -> None:
    for (case, wanted), found in zip(cases(), computed(ending, tmp_path), strict=True):
        assert found == wanted, case


@pytest.mark.parametrize(
    ("ending", "change", "wrong"),
    [
        ("py", ("value < span - span % faces", "True"), "reject/1"),
        ("mjs", ("value < span - (span % faces)", "true"), "reject/1"),
        ("py", ("1 if faces <= 256 else 4", "1 if faces < 256 else 4"), "d256"),
        ("mjs", ("faces <= 256 ? 1 : 4", "faces < 256 ? 1 : 4"), "d256"),
        ("py", ("block += 1", "block += 2"), "deep/215"),
    ],
)
def test_a_program_with_a_fault_fails_on_the_vectors(
    ending: str, change: tuple[str, str], wrong: str, tmp_path: Path
) -> None:
    faulty = zip(cases(), computed(ending, tmp_path, change), strict=True)
    assert wrong in {case[2] for (case, wanted), found in faulty if found != wanted}


@pytest.mark.parametrize("program", RUNNERS)
def test_the_toy_game_of_the_vectors(program: str, tmp_path: Path) -> None:
    """The whole program over the log of the vectors: ids, links and the dice of all twelve messages."""
    game = V["game"]
    log, dice = tmp_path / "log.jsonl", tmp_path / "dice.txt"
    bodies = [game["genesis"], *(message["canon"] for message in game["messages"])]
    log.write_text("".join(f'{{"body":{body},"sig":""}}\n' for body in bodies), encoding="utf-8")
    rolled = [(one["seq"], *row) for one in game["resolved"] for row in one["rolls"]]
    rows_ = [row for row in rolled if row[1].split("/")[0] in ("setup", "combat")]
    lines = [f"{n} {label} {faces} {values[0]}\n" for n, label, faces, values in rows_]
    dice.write_text("".join(lines), encoding="utf-8")
    done = recompute(program, log, dice, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"12 messages, {len(rows_)} dice, all as computed\n"


def test_the_short_listing_computes_the_small_dice() -> None:
    names: dict[str, object] = {}
    exec(RECIPE.blocks("python")[0].text.partition("link = ")[0], names)
    short = names["dice"]
    assert callable(short)
    for case in V["rolls"]:
        if case["sides"] <= 256:
            values = short(bytes.fromhex(case["seed"]), case["label"], case["sides"], len(case["values"]))
            assert values == case["values"]
