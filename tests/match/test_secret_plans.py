"""Plans of special operations between two folders: nothing of them leaves their owner's until they open (WD 27.A)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from adjudicator.match.draft import read_draft
from adjudicator.match.match import Match
from adjudicator.match.recovery import recover
from adjudicator.protocol.compose import Extras, compose_body, sign_body
from tests.cli.conftest import good
from tests.match.autumn import ALLIED, AXIS, CANCEL, NOTHING, PLAN, SIDES, Autumn, begun, set_earlier
from tests.match.conftest import entropy

SECRETS = (b"planned", b"plan_special", b"cancel_special", b"lw-1para", b"lw_1para", b"1 Para III", b"ju-52-special")
ACTS = {b"planned", b"plan_special", b"cancel_special", b"lw_1para"}
DROP = (
    "  - {type: section, name: movement}\n  - {type: section, name: air}\n"
    "  - {type: air_drop, air: [Ju 52 Sp 1, Ju 52 Sp 2], cargo: [1 Para III], hex: Nicosia}\n"
    "  - {type: section, name: combat}\n  - {type: section, name: exploitation, say: none}\n"
)


@pytest.fixture(scope="module", autouse=True)
def _earlier() -> Any:
    with set_earlier():
        yield


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which nothing is planned, after two Axis player turns."""
    return _played(tmp_path_factory.mktemp("plain"), "").root


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same game, in which an operation against Cyprus was planned in the first of them."""
    return _played(tmp_path_factory.mktemp("planned"), PLAN).root


def _played(root: Path, orders: str) -> Autumn:
    found = begun(root)
    found.axis_turn(orders)
    found.axis_turn()
    return found


@pytest.fixture
def game(planned: Path, tmp_path: Path) -> Autumn:
    """A copy of the game with the plan."""
    found = Autumn.__new__(Autumn)
    found.root = tmp_path / "copy"
    shutil.copytree(planned, found.root)
    return found


def _files(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file())


def _told(path: Path) -> list[bytes]:
    data = path.read_bytes()
    return [secret for secret in SECRETS if secret in data]


def _open_files(root: Path) -> list[Path]:
    """The Allied folder whole, and of the Axis folder all but what is private."""
    shared = [path for path in _files(root / AXIS) if "private" not in path.relative_to(root).parts]
    assert len(shared) > 8 and any(path.suffix == ".sealed" for path in shared)
    return [*_files(root / ALLIED), *shared]


def test_no_file_that_the_other_side_has_holds_anything_of_a_plan(plain: Path, planned: Path) -> None:
    """No more than in the game without a plan, in which the set-up names the units of the pools."""
    files, others = _open_files(planned), _open_files(plain)
    assert [path.relative_to(planned) for path in files] == [path.relative_to(plain) for path in others]
    assert [_told(path) for path in files] == [_told(path) for path in others]
    assert not [path for path in files if {*_told(path)} & ACTS]
    own = planned / AXIS / "private" / "books.json"
    assert {b"planned", b"lw-1para"} <= {*_told(own)}, "it is kept, and the words are right"


def test_no_report_save_or_answer_of_the_other_side_tells_a_plan(planned: Path, tmp_path: Path) -> None:
    """Reports of every message as all may see them, VASSAL files, status, and what `check` says of a wrong file."""
    made = []
    for side, root in ((side, planned / side) for side in SIDES):
        head = Match.load(root).verifier.head
        for seq in range(1, head):
            for who in (ALLIED, "public"):
                out = tmp_path / f"{side}-{seq}-{who}.md"
                good("report", root, seq, "--for", who, "-o", out)
                made.append(out)
        for what in ("save", "log"):
            out = tmp_path / f"{side}-{what}.v{'sav' if what == 'save' else 'log'}"
            good("export", what, root, "-o", out)
            made.append(out)
    assert len(made) > 20 and [path.name for path in made if {*_told(path)} & {*ACTS, b"1 Para III"}] == []
    said = good("status", planned / ALLIED).all + good("doctor", planned / ALLIED).all
    assert "1 Para" not in said and "Planned" not in said


def test_a_plan_is_not_seen_by_size(plain: Path, planned: Path) -> None:
    """Messages and sealed copies are as long with a plan as without one, and name the same fields."""
    for seq in range(1, 8):
        bodies: list[Any] = [Match.load(root / ALLIED).verifier.body(seq) for root in (plain, planned)]
        assert bodies[0].keys() == bodies[1].keys()
        assert bodies[0]["orders"] == bodies[1]["orders"]
        assert list(bodies[0].get("sealed", {})) == list(bodies[1].get("sealed", {}))
    folders = [_files(root / AXIS) for root in (plain, planned)]
    copies = [[path.stat().st_size for path in files if path.suffix == ".sealed"] for files in folders]
    assert copies[0] == copies[1] and copies[0]


def test_the_book_is_sealed_in_every_axis_turn_planned_or_not(plain: Path) -> None:
    bodies: list[Any] = [Match.load(plain / ALLIED).verifier.body(seq) for seq in range(1, 8)]
    begins = [body for body in bodies if body["side"] == AXIS and body["orders"]]
    assert [body.get("sealed", {}).keys() for body in begins] == [{"plans"}] * 2


def test_only_the_owner_is_told_what_matures(planned: Path) -> None:
    own, other = good("status", planned / AXIS).out, good("status", planned / ALLIED).out
    assert "Planned (WD 27.A, sealed; only you see this): Sep I 41" in own and "Nicosia" in own
    assert "Planned" not in other


def test_what_is_due_is_carried_out_and_announced_by_its_country(game: Autumn) -> None:
    """Nothing is ordered: the plan stands. The message brings its topics, the report names Cyprus and no hex."""
    message: Any = game.axis_turn()
    assert [order for order in message.body["orders"] if order["type"] == "special_operation"]
    assert {(row["seq"], row["topic"]) for row in message.body["history"]} >= {("5", "lw-1para"), ("7", "lw-1para")}
    game.send()
    (event,) = game.events("special-announced")
    assert event["places"] == ["Cyprus"]
    seq = int(message.body["seq"])
    report = good("report", game.root / ALLIED, seq).out
    assert "a special operation: Cyprus" in report
    assert {unit for e in game.events("special-over") for unit in e["units"]} >= {"lw-1para", "lw-2para"}
    assert all(e["why"] == "unused" for e in game.events("special-over")), "nobody dropped: no cost, back to the pool"
    assert not [e for e in game.events("vp") if e["rule"] == "WD 27.B"]


def test_who_drops_is_used_and_paid_for(game: Autumn) -> None:
    """One regiment and two transports: 3 and twice 2 points; the other regiment goes back (ruling SO-PARTIAL)."""
    game.axis_turn(sections=DROP)
    for _ in range(4):
        game.send()
    used = {unit for event in game.events("special-used") for unit in event["units"]}
    assert used == {"lw-1para", "air-ju-52-special-1", "air-ju-52-special-2"}
    assert sum(int(e["vp"]) for e in game.events("vp") if e["why"].startswith("use of special forces")) == -7
    assert [e["hex"] for e in game.events("dropped")] == ["19/3304"]
    assert [e["units"] for e in game.events("special-over") if e["why"] == "unused"] == [["lw-2para"]]


def test_a_cancelled_plan_leaves_no_trace(game: Autumn) -> None:
    """On its very turn; the other side never learns that there was one (WD 27.A.cancel)."""
    message: Any = game.axis_turn(CANCEL)
    assert "history" not in message.body and game.events("special-announced") == []
    traces = {secret for path in _files(game.root / ALLIED) for secret in _told(path)}
    assert traces.isdisjoint(ACTS)
    assert "Planned" not in good("status", game.root / AXIS).out


def test_another_hex_than_the_planned_one_is_refused(game: Autumn) -> None:
    while game.position().get("player") != AXIS:
        game.player_turn()
    result = game.load(AXIS).check(read_draft(f"orders:\n{DROP}".replace("Nicosia", "Limassol").encode()))
    assert [problem.code for problem in result.problems] == ["planned_hex"], result.problems


def test_an_operation_that_nothing_proves_is_void(plain: Path, tmp_path: Path) -> None:
    """A program of another make orders one without proof: nothing comes of it, and play goes on."""
    shutil.copytree(plain, tmp_path / "copy")
    game = Autumn.__new__(Autumn)
    game.root = tmp_path / "copy"
    while game.position().get("player") != AXIS:
        game.player_turn()
    match = game.load(AXIS)
    orders: Any = [{"type": "special_operation", "units": ["lw-1para"]}, {"type": "plan_special", "units": ["lw-2para"],
                   "at": "19/3304", "turn": "Oct II 41"}]
    extras = Extras(own=match.own_books())
    body = compose_body(match.verifier, AXIS, match.secret(), orders, entropy("forged")(32), extras=extras)
    message = sign_body(body, match.key())
    for side in SIDES:
        assert game.load(side).receive(message).verdict.ok
    game.send()
    codes = {event["code"] for event in game.events("void")}
    assert {"unproved", "open_plan"} <= codes and game.events("special-announced") == []


def test_plans_lost_come_back_out_of_a_sealed_copy_or_a_turn_file(planned: Path, tmp_path: Path) -> None:
    shutil.copytree(planned, tmp_path / "copy")
    root = tmp_path / "copy" / AXIS
    books = root / "private" / "books.json"
    kept = books.read_bytes()
    copies = [(path.name, path.read_bytes()) for path in _files(root) if path.suffix == ".sealed"]
    for files in (copies, [("turn.yaml", f"orders:\n{PLAN}{NOTHING}".encode())]):
        books.unlink()
        result = recover(Match.load(root), files)
        assert result.missing == [] and sorted(result.found) == [5, 7], files[0][0]
        assert b"lw-1para" in books.read_bytes()
        assert "Planned" in good("status", root).out
    books.write_bytes(kept)
