"""The lists of rules are proved, and the proof can't be had with names alone (scripts/rule_coverage.py)."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.xdist_group("rule coverage")  # one worker runs the cases and tests of a list, once


@cache
def script() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("rule_coverage", ROOT / "scripts/rule_coverage.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["rule_coverage"] = module
    spec.loader.exec_module(module)
    return module


@cache
def ran(game: str) -> Any:
    """All cases of a game, run once for all tests."""
    return script().run_cases(script().load(game))


@cache
def outcomes(game: str) -> Any:
    """All tests of a list, run once for all tests of this file."""
    return script().run_tests(script().load(game))


def faults(listing: Any) -> list[str]:
    """What the proof says of a list."""
    return [str(fault) for fault in script().Proof(listing, ran(listing.game), outcomes(listing.game)).faults()]


def changed(rule: str, game: str = "western-desert", **more: Any) -> list[str]:
    """What the proof says when one entry of a list is another."""
    listing = script().load(game)
    entries = [replace(entry, **more) if entry.id == rule else entry for entry in listing.entries]
    assert any(entry.id == rule for entry in entries)
    said = faults(replace(listing, entries=tuple(entries)))
    return [line for line in said if line.startswith(f"{rule}: ")]


@pytest.mark.parametrize("game", script().games())
def test_every_rule_on_the_list_is_in_the_program_and_held(game: str) -> None:
    assert faults(script().load(game)) == []


FAULTY: dict[str, tuple[str, dict[str, Any], str]] = {
    "no title": ("5.who", {"title": ""}, "it has no title"),
    "no function": ("5.who", {"code": ()}, "no function has it"),
    "nothing holds it": ("5.who", {"cases": (), "tests": ()}, "no case and no test holds it"),
    "it waits and is held": ("5.who", {"waits": "rule 5"}, "it waits for rule 5, and is held already"),
    "unknown module": ("5.who", {"code": ("adjudicator.western_desert.zones:zoc",)}, "No module named"),
    "unknown function": ("5.who", {"code": ("adjudicator.western_desert.units:zoc",)}, "there is no zoc"),
    "a constant": ("5.who", {"code": ("adjudicator.western_desert.units:NO_ZOC_TYPES",)}, "is no function"),
    "imported from elsewhere": ("5.who", {"code": ("adjudicator.western_desert.state:Board",)}, "comes from"),
    "a runner of cases": (
        "5.who",
        {"code": ("adjudicator.western_desert.cases.ground:run_zoc",)},
        "outside the runners",
    ),
    "a function that does not cite it": (
        "5.who",
        {"code": ("adjudicator.western_desert.units:Unit.figures",)},
        "the docstring of adjudicator.western_desert.units:Unit.figures does not cite WD 5.who",
    ),
    "unknown case": ("5.who", {"cases": ("ZC-999",)}, "there is no case ZC-999"),
    "a case about another rule": ("5.who", {"cases": ("CB-24",)}, "the case CB-24 is not about 5.who"),
    "cases that never come there": (
        "5.who",
        {"code": ("adjudicator.western_desert.haul:plan_haul",)},
        "none of its cases and tests calls adjudicator.western_desert.haul:plan_haul",
    ),
    "no such test file": ("5.who", {"tests": ("tests/western_desert/test_zones.py::test_zoc",)}, "there is no file"),
    "no such test": ("5.who", {"tests": ("tests/western_desert/test_haul.py::test_zoc",)}, "has no test test_zoc"),
    "no test at all": ("5.who", {"tests": ("tests/western_desert/ground.py::start",)}, "is no tests/.../test_file.py"),
    "a test about another rule": (
        "5.who",
        {
            "tests": (
                "tests/western_desert/test_chapter_sequence.py::test_a_game_turn_is_an_allied_and_then_an_axis_player_turn",
            )
        },
        "does not cite WD 5.who",
    ),
}


WAITS: dict[str, Any] = {"waits": "combat cards", "code": (), "cases": (), "tests": ()}
"""An entry as it stands while nothing of it is built."""
SANDS: dict[str, tuple[str, dict[str, Any], str]] = {
    "no title": ("7.23", {"title": ""}, "it has no title"),
    "no function": ("7.23", {"code": ()}, "no function has it"),
    "nothing holds it": ("7.23", {"cases": (), "tests": ()}, "no case and no test holds it"),
    "a function of the other game": (
        "7.23",
        {"code": ("adjudicator.western_desert.units:Unit.figures",)},
        "does not cite SS 7.23",
    ),
    "a function that does not cite it": (
        "7.23",
        {"code": ("adjudicator.shifting_sands.combat:combat",)},
        "the docstring of adjudicator.shifting_sands.combat:combat does not cite SS 7.23",
    ),
    "a runner of cases": (
        "7.23",
        {"code": ("adjudicator.shifting_sands.cases.play:play_case",)},
        "outside the runners",
    ),
    "a case about another rule": ("7.23", {"cases": ("seq-01",)}, "the case seq-01 is not about 7.23"),
    "it waits and is held": ("7.23", {"waits": "decks"}, "it waits for decks, and is held already"),
    "it waits and all its cases pass": (
        "7.23",
        {"waits": "decks", "code": (), "cases": (), "tests": ()},
        "it waits for decks, and is held already",
    ),
    "it waits for a case that passes": ("7.61", {**WAITS, "cases": ("act-01",)}, "and its case act-01 passes"),
    "it waits for no case": ("7.61", {**WAITS, "cases": ("cc-999",)}, "there is no case cc-999"),
    "it waits and has no title": ("7.61", {**WAITS, "title": ""}, "it has no title"),
}


@pytest.mark.parametrize("what", SANDS)
def test_what_is_only_named_proves_nothing_of_the_other_game(what: str) -> None:
    rule, change, said = SANDS[what]
    found = changed(rule, "shifting-sands", **change)
    assert any(said in line for line in found), found


def test_what_waits_is_counted_and_named_and_no_fault() -> None:
    listing = script().load("shifting-sands")
    entry = next(entry for entry in listing.entries if entry.id == "7.61")
    unbuilt = replace(entry, **{**WAITS, "cases": ("cc-01",)})
    skipped = ran(listing.game)["cc-01"]._replace(status="skipped", why="order combat_card")
    others = tuple(unbuilt if one.id == entry.id else one for one in listing.entries)
    cases = {name: skipped if "7.61" in one.rules else one for name, one in ran(listing.game).items()}
    proof = script().Proof(replace(listing, entries=others), cases, outcomes(listing.game))
    assert [str(fault) for fault in proof.faults() if str(fault).startswith("7.61: ")] == []
    rows = (("1.1", "decks"), ("1.2", "hands"), ("1.3", "decks"))
    short = replace(listing, entries=tuple(replace(entry, id=rule, waits=what) for rule, what in rows))
    assert script().waiting(short) == ["2 wait for decks: 1.1, 1.3", "1 wait for hands: 1.2"]
    assert [line.split()[-1] for line in script().table(short, [])[1:]] == ["waits"] * 3


def test_a_rule_that_stands_there_twice_is_no_list(tmp_path: Path) -> None:
    told = (ROOT / "tests/rules/shifting-sands.yaml").read_text(encoding="utf-8")
    (tmp_path / "twice.yaml").write_text(f"{told}  '7.23':\n    title: 'Again'\n", encoding="utf-8")
    with pytest.raises(script().BadListError, match=r"7\.23 stands there twice"):
        script().load("twice", tmp_path)


def test_a_switch_that_waits_is_named_until_it_is_built() -> None:
    listing = replace(script().load("shifting-sands"), switches={"supply_benghazi_tobruk": "decks"})
    assert "1 wait for decks: switch supply_benghazi_tobruk" in script().waiting(replace(listing, entries=()))
    about = replace(listing, chapters=("13",), entries=(script().Entry("13.25"),))
    assert "ruling A38: its switch supply_benghazi_tobruk waits, and is read already" in faults(about)


def test_a_group_of_rules_is_known_by_the_numbers_of_its_game() -> None:
    rows = tuple(script().Entry(rule) for rule in ("7.23", "7.532f", "9.B.1", "5.who", "faq.cards.36"))
    sands, desert = (replace(script().load(game), entries=rows) for game in ("shifting-sands", "western-desert"))
    assert all(map(sands.known, ("7", "7.2", "7.23", "7.53", "7.532", "7.532f")))
    assert all(map(sands.known, ("faq", "faq.cards", "faq.cards.36")))
    assert not any(map(sands.known, ("7.2x", "7.239", "1", "8.23", "faq.cards.3")))
    assert all(map(desert.known, ("9", "9.B", "9.B.1", "7", "5")))
    assert not any(map(desert.known, ("9.B.11", "5.w", "7.2", "7.53", "1")))


def test_a_case_that_is_skipped_holds_nothing() -> None:
    listing = script().load("western-desert")
    case = next(entry for entry in listing.entries if entry.id == "5.who").cases[0]
    skipped = ran(listing.game)[case]._replace(status="skipped", why="form narrative")
    proof = script().Proof(listing, {**ran(listing.game), case: skipped}, outcomes(listing.game))
    assert f"5.who: the case {case} is skipped: form narrative" in [str(fault) for fault in proof.faults()]


@pytest.mark.parametrize("what", FAULTY)
def test_what_is_only_named_proves_nothing(what: str) -> None:
    rule, change, said = FAULTY[what]
    assert any(said in line for line in changed(rule, **change)), changed(rule, **change)


def test_a_rule_that_is_left_out_is_missed_where_a_case_or_a_text_cites_it() -> None:
    listing = script().load("western-desert")
    entries = tuple(entry for entry in listing.entries if entry.id not in ("5.who", "9.H.1.swamp"))
    said = faults(replace(listing, entries=entries))
    assert any(line.startswith("5.who: ") and "the list has no such rule" in line for line in said)
    assert any(line.startswith("9.H.1.swamp: ") for line in said)


def test_a_chapter_without_any_rule_is_missed() -> None:
    listing = script().load("western-desert")
    assert "99: the list has no rule of this chapter" in faults(replace(listing, chapters=(*listing.chapters, "99")))


def test_a_ruling_that_nothing_holds_is_named() -> None:
    listing = script().load("western-desert")
    said = faults(replace(listing, rulings={"LINE-COUNT": ("tests/western_desert/test_haul.py::test_nothing",)}))
    assert any(line.startswith("ruling LINE-COUNT: ") for line in said)


SKIPPED_TESTS: dict[str, str] = {
    "marked": '@pytest.mark.skip\ndef test_it() -> None:\n    """WD 5."""\n    assert True\n',
    "marked with a reason": '@pytest.mark.skipif(True, reason="")\ndef test_it():\n    """WD 5."""\n    assert 1\n',
    "expected to fail": '@pytest.mark.xfail\ndef test_it() -> None:\n    """WD 5."""\n    assert False\n',
    "gives up": 'def test_it() -> None:\n    """WD 5."""\n    pytest.skip()\n    assert True\n',
    "whole module": 'pytestmark = pytest.mark.skip\n\ndef test_it() -> None:\n    """WD 5."""\n    assert True\n',
    "asserts nothing": 'def test_it() -> None:\n    """WD 5."""\n',
}


@pytest.mark.parametrize("what", SKIPPED_TESTS)
def test_a_test_that_does_not_run_holds_nothing(what: str, tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_x.py").write_text(f"import pytest\n\n\n{SKIPPED_TESTS[what]}", encoding="utf-8")
    assert script().test_problem(script().Suite(tmp_path), "tests/test_x.py::test_it", "5", "WD")


def test_a_test_that_runs_and_cites_the_rule_holds_it(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_x.py").write_text(
        'def test_it() -> None:\n    """WD 4, 5 and 6."""\n    assert 1\n', encoding="utf-8"
    )
    problem: Callable[..., str] = script().test_problem
    suite = script().Suite(tmp_path)
    assert [problem(suite, "tests/test_x.py::test_it", rule, "WD") == "" for rule in ("4", "5", "6", "7")] == [
        True,
        True,
        True,
        False,
    ]


def test_tests_are_run_and_their_worst_outcome_counts(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    folder.mkdir()
    lines = [
        "import pytest",
        "from adjudicator.western_desert.units import number",
        "@pytest.mark.parametrize('n', [1, 2])",
        "def test_half(n):\n    assert number(n) == '1'",
        "def test_whole():\n    assert number(2) == '2'",
        "def test_later(request):\n    request.applymarker(pytest.mark.skip)\n    getattr(pytest, 'skip')('not now')",
    ]
    (folder / "test_x.py").write_text("\n".join(lines), encoding="utf-8")
    names = tuple(f"tests/test_x.py::test_{name}" for name in ("half", "whole", "later", "absent"))
    listing = script().load("western-desert")
    entry = replace(listing.entries[0], id="5", tests=names)
    found = script().run_tests(replace(listing, entries=(entry,), rulings={}), tmp_path)
    assert [found[name].status for name in names[:3]] == ["failed", "passed", "skipped"]
    number = script().calls_of(script().resolve("adjudicator.western_desert.units:number"))
    assert [bool(found[name].called & number) for name in names[:3]] == [True, True, False]
    said = [str(fault) for fault in script().Proof(replace(listing, entries=(entry,)), {}, found, tmp_path).faults()]
    assert any("tests/test_x.py has no test test_absent" in line for line in said)


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("a stack (WD 8.A, 8.B), and more", {"8.A", "8.B"}),
        (
            "as in combat (WD\n    9.H.2.major-river and 9.H; chart.ground-crt).",
            {"9.H.2.major-river", "9.H", "chart.ground-crt"},
        ),
        ("(WD 12.B.2; pbem I1)", {"12.B.2"}),
        ("SS 11.43, 8.A", set()),
        ("WD 9.A.3, rulings ODDS-1.5", {"9.A.3"}),
    ],
)
def test_citations_are_read(text: str, rules: set[str]) -> None:
    assert script().cited(text, "WD") == rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("of a space (SS 7.532f, 7.54b and faq.rules.3).", {"7.532f", "7.54b", "faq.rules.3"}),
        ("SS errata.2; torch.1, sop.3 or ex.1, WD 5.who", {"errata.2", "torch.1", "sop.3", "ex.1"}),
        ("(SS errata.card.A45 to ex.dotted; ruling A04)", {"errata.card.A45", "ex.dotted"}),
        ("(SS 3.torch-card, 6.12A and\n    17.allied.ea).", {"3.torch-card", "6.12A", "17.allied.ea"}),
        ("as in SS 13, a rule; exit SS ex", {"13"}),
    ],
)
def test_citations_of_the_other_game_are_read(text: str, rules: set[str]) -> None:
    assert script().cited(text, "SS") == rules


def test_the_command_prints_a_table_and_ends_with_the_count(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runs are those of the tests above, whichever comes first."""
    kept = {game: (ran(game), outcomes(game)) for game in script().games()}
    monkeypatch.setattr(script(), "run_cases", lambda listing: kept[listing.game][0])
    monkeypatch.setattr(script(), "run_tests", lambda listing: kept[listing.game][1])
    for game in script().games():
        assert script().main(["--game", game]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].split()[:2] == ["rule", "about"]
        waits = [entry for entry in script().load(game).entries if entry.waits]
        assert lines[-1].endswith(f"rules held, {len(waits)} wait, 0 faults")
    assert script().main(["--game", "chess"]) == 2
    assert "chess.yaml" in capsys.readouterr().err


@pytest.mark.parametrize(
    "tree", [{}, {"rules": []}, {"rules": {"5": {"titel": "Zones"}}}, [], {"rules": {"5": "Zones"}}], ids=repr
)
def test_a_list_of_another_form_is_refused(tree: Any) -> None:
    with pytest.raises(script().BadListError):
        script().listing_of(tree)
